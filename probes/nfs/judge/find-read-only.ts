import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import type { ClientMount, ServerReading } from '../readings.ts';
import { isBelow, isFor, knownInWordsOf, ownAddresses } from './export-clients.ts';
import { freshValue, hostSubject, subjectOf, type Server } from './servers.ts';

const findingOf = findingsOf('nfs');

/** What changes files, by either version's name (RFC 1813, RFC 8881). */
const writing: ReadonlySet<string> = new Set([
  'WRITE',
  'CREATE',
  'MKDIR',
  'REMOVE',
  'RENAME',
  'OPEN',
  'SETATTR',
]);

/** Operations that change files and ended with an error since the reading before. */
const newErrors = (mount: ClientMount, before: ClientMount | undefined): number => {
  const old = new Map((before?.ops ?? []).map(({ op, errors = 0 }) => [op, errors]));
  return mount.ops
    .filter(({ op }) => writing.has(op))
    .reduce((sum, { op, errors = 0 }) => sum + Math.max(0, errors - (old.get(op) ?? errors)), 0);
};

/**
 * Mounts that may be written where the export may not, while writes fail: who mounts software that is exported read-only need not say so,
 * and then nothing fails.
 */
export const readOnlyFindings = (server: Server, reading: ServerReading): FindingDraft[] => {
  const { exports, unread, threads } = reading;
  if (exports === undefined || unread['exports'] !== undefined || threads === 0) return [];
  const known = knownInWordsOf(exports, reading.known);
  const failing = server.clients.flatMap(({ host, mounts, source }) => {
    const addresses = ownAddresses(freshValue(source) ?? {}, server.addresses);
    const before = source.before[0]?.value.mounts ?? [];
    return mounts.flatMap((mount) => {
      const rows = exports.filter(
        (one) => isBelow(mount.export, one.path) && isFor(one, addresses, known) !== false,
      );
      const isReadOnly = rows.length > 0 && rows.every(({ options = [] }) => options.includes('ro'));
      const old = before.find((one) => one.mount === mount.mount && one.source === mount.source);
      const errors = isReadOnly && !mount.readOnly && old ? newErrors(mount, old) : 0;
      return errors === 0 ? [] : [{ host, mount, source, errors, rows }];
    });
  });
  return [...Map.groupBy(failing, ({ mount }) => mount.export)].map(([path, group]) => {
    const hosts = [...new Set(group.map(({ host }) => host))];
    return findingOf({
      kind: 'export-read-only',
      key: `${server.name}:${path}`,
      severity: 'warning',
      subject: subjectOf(server),
      members: hosts.map(hostSubject),
      summary: `${server.name}:${path} is exported read-only, writes fail on ${fold(hosts)}`,
      advice:
        'If that is not meant: look at its options in /etc/exports; exportfs -ra puts a change into force.',
      suspects: [
        { subject: subjectOf(server), cause: 'export-read-only', confidence: 'high', values: { path } },
      ],
      evidence: [
        ...(group[0]?.rows ?? [])
          .slice(0, 3)
          .map((row) =>
            evidenceFrom(
              server.reading,
              `${row.path} is exported to ${row.client} with ${(row.options ?? []).join(',')}`,
            ),
          ),
        ...group
          .slice(0, 5)
          .map(({ mount, source, errors }) =>
            evidenceFrom(
              source,
              `${mount.mount} is mounted rw: ${count(errors, 'write or change', 'writes and changes')} failed since the reading before`,
            ),
          ),
      ],
      hurt: { clients: hosts.length },
    });
  });
};
