import type { ActionSet } from '../../../src/model/action.ts';
import { matrixAction } from '../matrix/act.ts';
import { baselineAction, noteAction } from './note.ts';
import { restoreAction } from './restore.ts';
import { shutAction } from './shut.ts';

/** What can be done to ports, links and paths. */
export const switchActions: ActionSet = {
  system: 'switch',
  asRoot: {
    switch: [
      'config interface shutdown *',
      'config interface startup *',
      'ibportstate -G *',
      'ip link set dev *',
    ],
    'switch-helper': ['sh *', 'systemd-run *'],
  },
  actions: [shutAction, restoreAction, noteAction, baselineAction, matrixAction],
};
