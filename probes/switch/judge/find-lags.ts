import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { membersOut } from './find-members-out.ts';
import { suspendedMembers } from './find-suspended.ts';
import { sourceOf, sourcesOf } from '../ask/sources.ts';

const finding = findingsOf('switch');

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
