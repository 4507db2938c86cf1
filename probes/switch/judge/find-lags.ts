import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { upAndDown } from '../verdict/case-of.ts';
import { isKeptOut, suspendedMembers } from './find-suspended.ts';
import { memberIn } from '../links/lags.ts';
import { farEndOf } from '../links/links.ts';
import { sourceOf, sourcesOf } from '../ask/sources.ts';
import { suspect } from '../verdict/suspects.ts';
import { shutBy } from './shut-by-us.ts';

const finding = findingsOf('switch');

/** Shut by a console at this end or at the other is told by that finding already; and what was read before the link came up is over. */
const isExplained = (portId: string, readAt: number, judgement: Judgement): boolean => {
  const far = farEndOf(portId, judgement);
  return [portId, ...(far ? [far.id] : [])].some(
    (id) => shutBy(id, judgement) !== undefined || (upAndDown(id, judgement).upSince ?? -Infinity) >= readAt,
  );
};

/** Members of a LAG that should carry traffic and do not. */
const membersOut = (judgement: Judgement): FindingDraft[] =>
  sourcesOf(judgement.readings, 'lags').flatMap((source) => {
    const { host, good } = source;
    if (!good) return [];
    return good.value.lags.flatMap(({ lag }): FindingDraft[] => {
      const members = good.value.members.filter((one) => one.lag === lag);
      const working = members.filter(({ active }) => active === true).length;
      const out = members.filter(
        (one) =>
          one.active === false &&
          // Hot-standby is by design as long as another one works; what is kept out with its link is told by itself.
          !(working > 0 && one.standing === 'standby') &&
          !isKeptOut(host, memberIn(one), judgement) &&
          !isExplained(`${host}:${one.member}`, good.at, judgement),
      );
      if (out.length === 0) return [];
      const ports = out.map(({ member }): Subject => ({ kind: 'port', id: `${host}:${member}` }));
      const all = out.length === members.length;
      return [
        finding({
          kind: 'lag-member-out',
          key: `${host}:${lag}`,
          // A LAG that nobody uses is down as a whole on many switches: worth knowing, not more.
          severity: all ? 'notice' : 'warning',
          subject: { kind: 'lag', id: `${host}:${lag}` },
          summary: all
            ? `${host} ${lag} down: none of its ${members.length} members carries traffic`
            : `${host} ${lag} has ${working} of ${members.length} members: ${out.map(({ member }) => member).join(', ')} out`,
          evidence: [
            {
              ...evidenceFrom(
                source,
                out.map(({ member, state }) => `${member} reads ${state ?? 'nothing'}`).join(', '),
              ),
              about: ports,
            },
          ],
          suspects: ports.map(({ id }) => suspect(id, 'down')),
          breaks: [{ what: 'reach', of: ports }],
          remedies: ports.map((port) => ({ action: 'switch.restore', subjects: [port] })),
        }),
      ];
    });
  });

/** LAGs without any member: as they were set up, unless ports say that they belong there. */
const emptyLags = (judgement: Judgement): FindingDraft[] =>
  sourcesOf(judgement.readings, 'lags').flatMap((source): FindingDraft[] => {
    const { host, good } = source;
    const used = new Set(good?.value.members.map(({ lag }) => lag));
    const empty = (good?.value.lags ?? []).map(({ lag }) => lag).filter((lag) => !used.has(lag));
    if (empty.length === 0) return [];
    const ports = sourceOf(judgement.readings, 'counters', host)?.good?.value.ports ?? [];
    const claims = ports.filter(({ memberOf }) => memberOf !== undefined && empty.includes(memberOf));
    return [
      finding({
        kind: 'lag-empty',
        key: host,
        severity: claims.length > 0 ? 'warning' : 'notice',
        subject: { kind: 'host', id: host },
        summary:
          claims.length > 0
            ? `${host} lists no members of ${fold(empty)}, yet ${count(claims.length, 'port')} name a LAG as theirs`
            : `${host} has LAGs without members: ${fold(empty)}`,
        evidence: [
          evidenceFrom(source, `without members: ${fold(empty)}`),
          ...claims
            .slice(0, 8)
            .map(({ port, memberOf }) => ({ text: `${port} says it is part of ${memberOf}` })),
        ],
      }),
    ];
  });

/** What is wrong with LAGs: members that are down, that are kept out with their link, and none at all. */
export const lagFindings = (judgement: Judgement): readonly FindingDraft[] => [
  ...membersOut(judgement),
  ...suspendedMembers(judgement),
  ...emptyLags(judgement),
];
