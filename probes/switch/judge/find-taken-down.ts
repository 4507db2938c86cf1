import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourcesOf } from '../ask/sources.ts';
import { farSubject, farEnd, linkAt } from '../links/link.ts';
import { knownLinks } from '../links/links.ts';
import type { Port } from '../readings.ts';
import { suspect } from '../verdict/suspects.ts';
import { findShutter } from './shut-by-us.ts';

const finding = findingsOf('switch');

/** What only follows from another port or interface being down, as it was set up. */
const follows = /link-aggregation|monitor-link|irf-link-down|parent/i;

/** A port that nobody is known to use and that was taken down longer ago than this is nobody's trouble now. */
const longAgoS = 7 * 86_400;

/** Ports that their device took down by itself and that stay so until somebody acts; one finding for each reason on a device. */
export const takenDownFindings = (judgement: Judgement): readonly FindingDraft[] =>
  sourcesOf(judgement.readings, 'counters').flatMap((source) => {
    const { host } = source;
    const links = knownLinks(judgement);
    const ports = (source.good?.value.ports ?? []).filter(
      ({ port, takenDown }) =>
        takenDown !== undefined && findShutter(`${host}:${port}`, judgement) === undefined,
    );
    return [...Map.groupBy(ports, ({ takenDown }) => takenDown ?? '')].map(([why, group]) => {
      const ids = group.map(({ port }) => `${host}:${port}`);
      const [id = host] = ids;
      const far = ids.flatMap((one) => {
        const link = linkAt(links, one);
        return link ? [farEnd(link, one)] : [];
      })[0];
      const isOld = ({ changedAgoS }: Port): boolean => changedAgoS !== undefined && changedAgoS > longAgoS;
      const isMinor = follows.test(why) || (far === undefined && group.every(isOld));
      const more = group.length > 1 ? ` and ${count(group.length - 1, 'more port')}` : '';
      return finding({
        kind: 'taken-down',
        key: `${host}:${why}`,
        severity: isMinor ? 'notice' : 'warning',
        subject: { kind: 'port', id },
        ...(ids.length > 1 && { members: ids.map((one): Subject => ({ kind: 'port', id: one })) }),
        ...(far && farSubject(far)),
        summary: `${host} ${group[0]?.port ?? ''}${more}: taken down by the switch itself: ${why}`,
        advice:
          'The log of the switch says when and why. Mend the cause (loop, flapping cable, bad frames), then shut and restore the port.',
        suspects: ids.slice(0, 4).map((one) => suspect(one, 'down', { why })),
        evidence: group
          .slice(0, 20)
          .map(({ port, link }) => evidenceFrom(source, `${host} ${port} reads ${link ?? 'down'}: ${why}`)),
        breaks: [{ what: 'reach', of: ids.map((one): Subject => ({ kind: 'port', id: one })) }],
      });
    });
  });
