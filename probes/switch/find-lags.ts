import type { Finding } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import { fold } from '../../src/text/nodeset.ts';
import { count } from '../../src/text/units.ts';
import { upAndDown } from './case-of.ts';
import { isKeptOut, suspendedMembers } from './find-suspended.ts';
import { memberIn } from './lags.ts';
import { farEnd, linkAt, linksKnown } from './links.ts';
import { sourceOf, sourcesOf } from './sources.ts';
import { shutBy } from './shut-by-us.ts';
import { short } from './words.ts';

/** Shut by a console at this end or at the other is told by that finding already; and what was read before the link came up is over. */
const isExplained = (portId: string, readAt: number, judgement: Judgement): boolean => {
  const link = linkAt(linksKnown(judgement), portId);
  const ends = [portId, ...(link ? [farEnd(link, portId).id] : [])];
  return ends.some(
    (id) => shutBy(id, judgement) !== undefined || (upAndDown(id, judgement).upSince ?? -Infinity) >= readAt,
  );
};

/** Members of a LAG that should carry traffic and do not. */
const membersOut = (judgement: Judgement): Finding[] =>
  sourcesOf(judgement.readings, 'lags').flatMap(({ host, good, probe }) =>
    (good?.value.lags ?? []).flatMap(({ lag }): Finding[] => {
      const members = good?.value.members.filter((one) => one.lag === lag) ?? [];
      const works = members.some(({ active }) => active === true);
      const out = members.filter(
        (one) =>
          one.active === false &&
          // Hot-standby is by design as long as another one works; what is kept out with its link is told by itself.
          !(works && one.standing === 'standby') &&
          !isKeptOut(host, memberIn(one), judgement) &&
          !isExplained(`${host}:${one.member}`, good?.at ?? 0, judgement),
      );
      const all = out.length === members.length;
      if (!good || out.length === 0) return [];
      // A LAG that nobody uses is down as a whole on many switches: worth knowing, not more.
      const severity = all ? 'notice' : 'warning';
      return [
        {
          id: `switch:lag-member-out:${host}:${lag}`,
          system: 'switch',
          kind: 'lag-member-out',
          severity,
          subject: { kind: 'lag', id: `${host}:${lag}` },
          summary: short(
            all
              ? `${lag} of ${host} is down: none of its ${members.length} members carries traffic`
              : `${lag} of ${host} has ${members.filter((one) => one.active === true).length} of ${members.length} members: ${out.map((one) => one.member).join(', ')} out`,
          ),
          evidence: [
            {
              text: out.map((one) => `${one.member} reads ${one.state ?? 'nothing'}`).join(', '),
              probe,
              host,
              at: good.at,
              about: out.map((one) => ({ kind: 'port', id: `${host}:${one.member}` })),
            },
          ],
          breaks: [{ what: 'reach', of: out.map((one) => ({ kind: 'port', id: `${host}:${one.member}` })) }],
          hurt: {},
          remedies: out.map((one) => ({
            action: 'switch.restore',
            subjects: [{ kind: 'port', id: `${host}:${one.member}` }],
          })),
        },
      ];
    }),
  );

/** LAGs without any member: as they were set up, unless ports say that they belong there. */
const emptyLags = (judgement: Judgement): Finding[] =>
  sourcesOf(judgement.readings, 'lags').flatMap(({ host, good, probe }): Finding[] => {
    if (!good) return [];
    const used = new Set(good.value.members.map(({ lag }) => lag));
    const empty = good.value.lags.map(({ lag }) => lag).filter((lag) => !used.has(lag));
    const ports = sourceOf(judgement.readings, 'counters', host)?.good?.value.ports ?? [];
    const claims = ports.filter(({ memberOf }) => memberOf !== undefined && empty.includes(memberOf));
    const told = { probe, host, at: good.at };
    if (empty.length === 0) return [];
    return [
      {
        id: `switch:lag-empty:${host}`,
        system: 'switch',
        kind: 'lag-empty',
        severity: claims.length > 0 ? 'warning' : 'notice',
        subject: { kind: 'host', id: host },
        summary: short(
          claims.length > 0
            ? `${host} lists no members of ${fold(empty)}, yet ${count(claims.length, 'port')} belong to it by their own words`
            : `${host} has LAGs without members: ${fold(empty)}`,
        ),
        evidence: [
          { text: `without members: ${fold(empty)}`, ...told },
          ...claims
            .slice(0, 8)
            .map(({ port, memberOf }) => ({ text: `${port} says it is part of ${memberOf}` })),
        ],
        hurt: {},
        remedies: [],
      },
    ];
  });

/** What is wrong with LAGs: members that are down, that are kept out with their link, and none at all. */
export const lagFindings = (judgement: Judgement): readonly Finding[] => [
  ...membersOut(judgement),
  ...suspendedMembers(judgement),
  ...emptyLags(judgement),
];
