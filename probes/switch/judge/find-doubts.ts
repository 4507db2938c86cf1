import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf, sourcesOf } from '../ask/sources.ts';
import type { Link, LinkEnd } from '../links/link.ts';
import { knownLinks } from '../links/links.ts';
import { platformOf } from '../platforms/index.ts';
import { isPhysical, portOf } from '../read/port-states.ts';
import { nameOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';

const finding = findingsOf('switch');

/** The end that LLDP was read at, and what is at the other. */
const readAt = ({ a, b }: Link): readonly [LinkEnd, LinkEnd] => (a.port === undefined ? [b, a] : [a, b]);

const says: Readonly<Record<NonNullable<Link['doubt']>, string>> = {
  name: 'the neighbour has the system name or the chassis id of another device',
  port: "the neighbour's own table says that its port leads elsewhere",
};

/** Its first answer is still to come; one that failed is waited for no longer. */
const isAwaited = (source: { state: string } | undefined): boolean => source?.state === 'never';

/** Neighbours that contradict themselves: said, and no end is guessed. By the device that was asked. */
const contradictions = (judgement: Judgement): readonly FindingDraft[] => {
  // Whose a name or a chassis is may stand in a table that is still to come.
  if (sourcesOf(judgement.readings, 'neighbors').some(isAwaited)) return [];
  const doubtful = knownLinks(judgement).filter(({ doubt }) => doubt !== undefined);
  return [...Map.groupBy(doubtful, (link) => readAt(link)[0].host ?? '')].map(
    ([host, links]): FindingDraft => {
      const source = sourceOf(judgement.readings, 'neighbors', host);
      const ends = links.map((link) => readAt(link));
      return finding({
        kind: 'identity',
        key: host,
        severity: 'notice',
        subject: { kind: 'host', id: host },
        members: ends.map(([{ id }]): Subject => ({ kind: 'port', id })),
        summary: `${host}: LLDP of ${ends.map(([{ port }]) => port ?? '?').join(', ')} contradicts other tables`,
        advice:
          'Compare the system names of both devices with the names of the site file, and the cable with its label.',
        suspects: ends.map(([{ id }]) => suspect(id, 'identity')),
        evidence: links.map(({ doubt = 'name' }, index) => {
          const [[near, far] = []] = [ends[index]];
          return evidenceFrom(
            source,
            `${near ? nameOf(near) : '?'} to ${far ? nameOf(far) : '?'}: ${says[doubt]}`,
          );
        }),
      });
    },
  );
};

/** The neighbour announced its port for management, which is none of those that are counted: SONiC's `eth0`, NX-OS' `mgmt0`. */
const isManagementEnd = (near: LinkEnd, { id, host }: LinkEnd, { readings, site }: Judgement): boolean => {
  if (near.host === undefined || host === undefined) return false;
  const platform = platformOf(site.host(host)?.platform);
  const rows = sourceOf(readings, 'neighbors', near.host)?.good?.value.neighbors ?? [];
  return rows.some(({ port, portText }) => {
    if (port !== near.port || portText === undefined || id !== `${host} ${portText}`) return false;
    const meant = portOf(site, host, portText);
    return platform?.isManagement?.(portText.trim()) === true || (meant !== undefined && !isPhysical(meant));
  });
};

/** Neighbours that are devices of this site, at a port that no spelling and no index of theirs means. */
const findUnmatched = (judgement: Judgement): readonly FindingDraft[] => {
  const open = knownLinks(judgement).flatMap((link) => {
    const [near, far] = readAt(link);
    const read =
      far.host !== undefined && sourceOf(judgement.readings, 'counters', far.host)?.good !== undefined;
    // An address names no port: the far device's own table may.
    const awaited = far.host !== undefined && isAwaited(sourceOf(judgement.readings, 'neighbors', far.host));
    const open = link.doubt === undefined && far.port === undefined && read && !awaited;
    return open && !isManagementEnd(near, far, judgement) ? [{ near, far }] : [];
  });
  return [...Map.groupBy(open, ({ near }) => near.host ?? '')].map(([host, ends]): FindingDraft =>
    finding({
      kind: 'far-port-unknown',
      key: host,
      severity: 'notice',
      subject: { kind: 'host', id: host },
      members: ends.map(({ near }): Subject => ({ kind: 'port', id: near.id })),
      summary: `${host}: ${count(ends.length, 'neighbour')} named by a port id that no port there has`,
      advice: 'These links are judged by one end. Name them under `links` in the site file.',
      evidence: ends
        .slice(0, 20)
        .map(({ near, far }) =>
          evidenceFrom(sourceOf(judgement.readings, 'neighbors', host), `${nameOf(near)} leads to ${far.id}`),
        ),
    }),
  );
};

/** What LLDP says and nobody can join without guessing. */
export const doubtFindings = (judgement: Judgement): readonly FindingDraft[] => [
  ...contradictions(judgement),
  ...findUnmatched(judgement),
];
