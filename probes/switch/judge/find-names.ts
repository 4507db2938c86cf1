import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { sourceOf } from '../ask/sources.ts';
import { ownNamesIn } from '../links/links.ts';
import { findMisnamed, type OwnNames } from '../links/own-names.ts';

const finding = findingsOf('switch');

/** Whether the other host is known to have its name to itself: then two devices are called alike, or two names lead to one device. */
const hasItToo = (other: string, { site }: Judgement, names: OwnNames): boolean => {
  const own = names.get(other);
  return own !== undefined && findMisnamed(other, site, names) === undefined;
};

/**
 * Hosts that call themselves by the name of another host of the site: whoever is sent to one of them goes to the other one, and what is
 * typed on one may be meant for the other. Names of nobody here (`Force10`, an address as host name) are no sign of it.
 */
export const nameFindings = (judgement: Judgement): readonly FindingDraft[] => {
  const { readings, site } = judgement;
  const names = ownNamesIn(readings);
  return [...names].flatMap(([host, own]): FindingDraft[] => {
    const other = findMisnamed(host, site, names);
    if (other === undefined) return [];
    const shared = hasItToo(other, judgement, names);
    const swapped = findMisnamed(other, site, names) === host;
    const more = swapped ? `, and ${other} calls itself ${host}` : shared ? `, and so does ${other}` : '';
    const nameText = (name: string): string => `${name} calls itself ${names.get(name) ?? 'nothing'}`;
    return [
      finding({
        kind: 'identity',
        key: `${host}:name`,
        severity: shared ? 'notice' : 'warning',
        subject: { kind: 'host', id: host },
        summary: `${host} calls itself ${own}${more}: which device is behind the name?`,
        advice: shared
          ? `Check whether both names lead to one device (ssh -G ${host}, ssh -G ${other}). If not, give each a name of its own.`
          : `Compare the address of ${host} (ssh -G ${host}) with the label of the device. Nothing is shut there until the names agree.`,
        suspects: [
          {
            subject: { kind: 'host', id: host },
            cause: 'identity',
            confidence: 'high',
            values: { ownName: own },
          },
        ],
        evidence: [host, ...(names.has(other) ? [other] : [])].map((name) =>
          evidenceFrom(sourceOf(readings, 'neighbors', name), nameText(name)),
        ),
      }),
    ];
  });
};
