import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import type { ClientMount, ClientReading, NfsLine } from '../readings.ts';
import { freshValue, hostSubject } from './servers.ts';

const findingOf = findingsOf('nfs');
const DAY_MS = 24 * 3_600_000;

interface Seen {
  source: Source<ClientReading>;
  mount: ClientMount;
}

/** Mixes of options that hurt (nfs(5)); deliberate as they may be, a notice tells of them. */
const oddities: readonly (readonly [word: string, text: string, isSo: (mount: ClientMount) => boolean])[] = [
  [
    'soft',
    'soft and writable: when the server is slow, writes are lost silently',
    ({ failMode, readOnly }) => (failMode === 'soft' || failMode === 'softerr') && !readOnly,
  ],
  [
    'udp',
    'over UDP: at 1 Gbit/s and more, fragments of different requests get mixed up',
    ({ proto }) => proto === 'udp' || proto === 'udp6',
  ],
  [
    'timeo',
    'hard with a timeout below 10 s: retries load a server that is slow',
    ({ failMode, timeo }) => failMode === 'hard' && timeo !== undefined && timeo < 100,
  ],
  ['noac', 'noac: every look at a file goes to the server', ({ noac }) => noac === true],
];

const optionFindings = (seen: readonly Seen[]): FindingDraft[] =>
  oddities.flatMap(([word, text, isSo]) =>
    [
      ...Map.groupBy(
        seen.filter(({ mount }) => isSo(mount)),
        ({ mount }) => mount.source,
      ),
    ].map(([source, group]) => {
      const hosts = [...new Set(group.map((one) => one.source.host))];
      return findingOf({
        kind: 'options',
        key: `${word}:${source}`,
        severity: 'notice',
        subject: { kind: 'site', id: source },
        members: hosts.map(hostSubject),
        summary: `${source} on ${fold(hosts)}: ${text}`,
        evidence: group
          .slice(0, 5)
          .map((one) =>
            evidenceFrom(
              one.source,
              `${one.mount.mount}: vers=${one.mount.vers ?? '?'},${one.mount.failMode ?? '?'},proto=${one.mount.proto ?? '?'},timeo=${one.mount.timeo ?? '?'}`,
            ),
          ),
      });
    }),
  );

/** So many clients of one source are enough to know what is usual, and so large a share of them must agree. */
const ENOUGH = 5;
const SHARE = 0.8;

const optionsOf = ({ vers, failMode, proto, noac, readOnly }: ClientMount): string =>
  [
    `vers=${vers ?? '?'}`,
    failMode ?? '?',
    `proto=${proto ?? '?'}`,
    ...(noac === true ? ['noac'] : []),
    readOnly ? 'ro' : 'rw',
  ].join(',');

/** The options of one form that the other has not. */
const optionsApart = (form: string, other: string): string => {
  const same = new Set(other.split(','));
  return form
    .split(',')
    .filter((option) => !same.has(option))
    .join(',');
};

const oddFindings = (seen: readonly Seen[]): FindingDraft[] =>
  [...Map.groupBy(seen, ({ mount }) => mount.source)].flatMap(([source, group]) => {
    const forms = [...Map.groupBy(group, ({ mount }) => optionsOf(mount))].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    const [usual, ...others] = forms;
    if (!usual || group.length < ENOUGH || usual[1].length < SHARE * group.length) return [];
    return others.map(([form, odd]) => {
      const hosts = [...new Set(odd.map((one) => one.source.host))];
      return findingOf({
        kind: 'odd-mount',
        key: `${source}:${form}`,
        severity: 'notice',
        subject: { kind: 'site', id: source },
        members: hosts.map(hostSubject),
        summary: `${source} on ${fold(hosts)}: ${optionsApart(form, usual[0])}, elsewhere ${optionsApart(usual[0], form)} (${count(usual[1].length, 'node')})`,
        evidence: odd.slice(0, 5).map((one) => evidenceFrom(one.source, `${one.mount.mount}: ${form}`)),
      });
    });
  });

/** Kept by the kernel and in no table of mounts: unmounted lazily while somebody uses it, or of another namespace. */
const invisibleFindings = (sources: readonly Source<ClientReading>[]): FindingDraft[] =>
  sources.flatMap((source) => {
    const value = freshValue(source);
    const seen = new Set(value?.mounts.map(({ dev }) => dev));
    const hidden = (value?.volumes ?? []).filter(({ dev }) => !seen.has(dev));
    return hidden.length === 0
      ? []
      : [
          findingOf({
            kind: 'invisible-mount',
            key: source.host,
            severity: 'notice',
            subject: hostSubject(source.host),
            summary: `${source.host}: ${count(hidden.length, 'NFS file system')} of ${[...new Set(hidden.map(({ addr }) => addr))].join(', ')} in use and in no mount table`,
            advice:
              'Unmounted lazily (umount -l) while a process uses it, or mounted in a container. Locks of old and new processes do not see each other.',
            evidence: hidden
              .slice(0, 5)
              .map(({ dev, addr, vers }) =>
                evidenceFrom(
                  source,
                  `superblock ${dev} of ${addr}, version ${vers}, is in no row of mountinfo`,
                ),
              ),
          }),
        ];
  });

/** What is mounted there from the servers that the lines name. */
const mountsOf = (source: Source<ClientReading>, lines: readonly NfsLine[]): string[] => {
  const servers = new Set(lines.flatMap(({ server }) => server ?? []));
  const own = (freshValue(source)?.mounts ?? []).filter(({ server }) => servers.has(server));
  return own.slice(0, 5).map(({ mount, server }) => `${source.host} mounts ${mount} from ${server}`);
};

/** Whether every mount of the server of a line was made after it: what was stale then is gone. Unsure where a mount's age was not read. */
const isMountedSince = (source: Source<ClientReading>, { at = 0, server }: NfsLine): boolean => {
  const mounts = (freshValue(source)?.mounts ?? []).filter((mount) => mount.server === server);
  const readAt = source.good?.at ?? 0;
  return mounts.length > 0 && mounts.every(({ ageS }) => ageS !== undefined && readAt - ageS * 1000 > at);
};

const lineFindings = (sources: readonly Source<ClientReading>[], now: number): FindingDraft[] => {
  const findLines = (kind: string): { source: Source<ClientReading>; lines: NfsLine[] }[] =>
    sources.flatMap((source) => {
      const lines = (freshValue(source)?.lines ?? []).filter(
        (line) => line.kind === kind && line.at !== undefined && now - line.at < DAY_MS,
      );
      return lines.length > 0 ? [{ source, lines }] : [];
    });
  const make = (
    kind: string,
    cause: string,
    { source, lines }: { source: Source<ClientReading>; lines: NfsLine[] },
    what: string,
    advice: string,
  ): FindingDraft =>
    findingOf({
      kind,
      key: source.host,
      severity: 'warning',
      subject: hostSubject(source.host),
      summary: `${source.host}: ${what}`,
      advice,
      suspects: [{ subject: hostSubject(source.host), cause, confidence: 'high' }],
      evidence: [
        ...lines.slice(-5).map(({ text }) => evidenceFrom(source, text)),
        ...mountsOf(source, lines).map((text) => evidenceFrom(source, text)),
      ],
      since: lines[0]?.at,
    });
  const serversIn = (lines: readonly NfsLine[]): string =>
    [...new Set(lines.flatMap(({ server }) => server ?? []))].join(', ');
  return [
    ...findLines('lostLocks').map((one) => {
      const locks = one.lines.reduce((sum, { count: lost = 0 }) => sum + lost, 0);
      return make(
        'locks-lost',
        'lease-lost',
        one,
        `${count(locks, 'NFS lock')} of ${serversIn(one.lines)} lost: another client may have written`,
        'It was silent for longer than the lease. Processes that held them get EIO: check what they wrote.',
      );
    }),
    ...findLines('fileidChanged').flatMap(({ source, lines: all }) => {
      const lines = all.filter((line) => !isMountedSince(source, line));
      if (lines.length === 0) return [];
      const one = { source, lines };
      return make(
        'stale',
        'export-replaced',
        one,
        `NFS export of ${serversIn(one.lines)} was replaced below a mount: Stale file handle`,
        'The exported directory was created again, or another file system is mounted there: only unmounting and mounting again helps.',
      );
    }),
  ];
};

/** What is odd of mounts that answer. */
export const mountFindings = ({ readings, now }: Judgement): FindingDraft[] => {
  const sources = readings.sources<ClientReading>('nfs.client');
  const seen = sources.flatMap((source) =>
    (freshValue(source)?.mounts ?? []).map((mount) => ({ source, mount })),
  );
  return [
    ...lineFindings(sources, now),
    ...invisibleFindings(sources),
    ...oddFindings(seen),
    ...optionFindings(seen),
  ];
};
