import type { Judgement } from '../../../src/model/system.ts';
import { callsTo, findLatest, type SeenMount } from './servers.ts';

/** Its counters are in no answer: the statistics could not be read, or end before it. */
const isUncounted = ({ transports }: SeenMount): boolean => transports.length === 0;

/** Why nobody knows from the counters of a mount whether it is answered. */
export const untoldWhy = (mount: SeenMount): string =>
  isUncounted(mount) ? 'its statistics were not read' : 'requests stand unanswered';

/**
 * Whether nobody knows if a mount is answered: requests stand unanswered and nobody waits, or its counters were not read, and no call from
 * the host says that its server answers.
 */
export const isUntold = (mount: SeenMount, host: string, judgement: Pick<Judgement, 'readings'>): boolean =>
  (mount.unanswered || isUncounted(mount)) &&
  !mount.stuck &&
  (mount.doubtful ||
    !findLatest(callsTo({ addresses: [mount.addr ?? mount.server] }, judgement), 'nfs').some(
      (call) => call.host === host && call.state === 'ready',
    ));
