import type { ActionSet } from '../../src/model/action.ts';
import { cancelAction } from './action-cancel.ts';
import { coalescingAction } from './action-coalescing.ts';
import { affinityAction } from './action-host.ts';
import { runAction, runToAction } from './action-run.ts';
import { sweepAction } from './action-sweep.ts';

/** Tests, and what cures the hosts that they find. */
export const iperfActions: ActionSet = {
  system: 'iperf',
  actions: [runAction, runToAction, sweepAction, cancelAction, affinityAction, coalescingAction],
};
