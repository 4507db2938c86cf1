import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { processState, rebalanceState } from '../read/words.ts';
import { isYoung } from './bricks.ts';
import { finding, type Peer, peersOf, volumesOf } from './pool.ts';

/** glusterd starts a rebalance that was under way again when it starts itself, s. */
const startsWithinS = 60;

/** What became of the rebalance of a volume on one host, where it did not end well. */
const faultOn = (volume: string, peer: Peer, judgement: Judgement): string | undefined => {
  const { host, state, reading } = peer;
  const last = reading?.rebalances?.find((one) => one.volume === volume);
  if (!last || !reading || state === 'unknown') return undefined;
  const runs = reading.processes.some(
    (one) => one.kind === 'rebalance' && one.volume === volume && processState(one.state) !== 'gone',
  );
  switch (rebalanceState(last.status)) {
    case 'failed':
      return runs ? undefined : 'failed';
    case 'done':
      return (last.failures ?? 0) > 0 ? `ended with ${count(last.failures ?? 0, 'failure')}` : undefined;
    case 'runs':
      return state === 'up' && !runs && !isYoung(host, startsWithinS, judgement)
        ? 'has no process any more'
        : undefined;
    case 'other':
      return undefined;
  }
};

/** Rebalances that left files where they do not belong: clients reach them by a detour, and bricks fill unevenly. */
export const rebalanceFindings = (judgement: Judgement): FindingDraft[] =>
  (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap(({ name }) => {
      const faults = peersOf(judgement).flatMap((peer) => {
        const text = faultOn(name, peer, judgement);
        return text === undefined ? [] : [{ host: peer.host, text }];
      });
      const [first] = faults;
      if (!first) return [];
      const hosts = faults.map(({ host }) => host);
      return [
        finding({
          kind: 'rebalance-failed',
          key: name,
          severity: 'notice',
          subject: { kind: 'volume', id: name },
          members: hosts.map((id) => ({ kind: 'host' as const, id })),
          summary: `${name}: rebalance ${first.text} on ${hosts.join(', ')}: files are not where they belong`,
          advice: `See why in /var/log/glusterfs/${name}-rebalance.log there, then run it again. Where bricks were to be removed, do not commit: what was not moved would be lost with them.`,
          evidence: faults.map(({ host, text }) => ({
            text: `${host}: rebalance of ${name} ${text} (node_state.info)`,
            probe: 'gluster.peer',
            host,
          })),
        }),
      ];
    });
