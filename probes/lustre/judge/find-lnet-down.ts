import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { hurtMounts } from './hurt-clients.ts';
import { isOutForAll, lnetServers } from './find-nids.ts';
import { lineOf, lnetSources, wordOf } from './find-rails.ts';
import { lustreOf } from './join.ts';
import { finding, foldTargets, fsOf, hostSubject, summary, suspectsOf, targetSubject } from './names.ts';

/**
 * Servers of which every way into LNet is down while their targets are out of everybody's reach: the link is why. While somebody reaches
 * them, or one interface says something else, it is no verdict.
 */
export const lnetDownFindings = (judgement: Judgement): FindingDraft[] =>
  lnetServers(judgement).flatMap(({ host, targets }) => {
    const source = lnetSources(judgement).find((one) => one.host === host && one.state === 'fresh');
    const rails = source?.good?.value.rails ?? [];
    const lost = targets.filter((target) => isOutForAll([target], judgement)).sort();
    const [first] = lost;
    if (!source || first === undefined || rails.length === 0) return [];
    if (!rails.every(({ status }) => status === 'down')) return [];
    const system = lustreOf(judgement).systems.find(({ name }) => name === fsOf(first));
    return [
      finding({
        key: host,
        kind: 'lnet-down',
        severity: 'critical',
        subject: hostSubject(host),
        members: [hostSubject(host), ...lost.map(targetSubject)],
        ...(system && hurtMounts(system)),
        summary: summary(
          foldTargets(lost),
          ` unreachable: LNet of ${host} is down (${rails.map(wordOf).join(', ')})`,
        ),
        advice: `${host} answers and has them mounted, but none of its LNet interfaces has a link: look at the interface (ip link, ibstat), its cable and its port at the switch. I/O on these targets waits; clients go on by themselves when the link is back and recovery is over.`,
        evidence: rails.map((rail) => lineOf({ source, rail })),
        // Reach, not data: what is out of reach lacks data by it.
        breaks: [{ what: 'reach', of: lost.map(targetSubject) }],
        ...suspectsOf('link-down', [hostSubject(host)]),
      }),
    ];
  });
