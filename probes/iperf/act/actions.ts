import type { ActionSet } from '../../../src/model/action.ts';
import { cancelAction } from './cancel.ts';
import { coalescingAction } from './coalescing.ts';
import { affinityAction } from './host.ts';
import { runAction, runToAction } from './run.ts';
import { sweepAction } from './sweep.ts';

/** Tests, and what cures the hosts that they find. */
export const iperfActions: ActionSet = {
  system: 'iperf',
  asRoot: { iperf: ['ethtool -C *', 'sh *'] },
  actions: [runAction, runToAction, sweepAction, cancelAction, affinityAction, coalescingAction],
};
