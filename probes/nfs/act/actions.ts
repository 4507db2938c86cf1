import type { ActionSet } from '../../../src/model/action.ts';
import { exportAgainAction } from './export-again.ts';
import { restartStatdAction } from './restart-statd.ts';
import { threadsAction } from './threads.ts';
import { umountAction } from './umount.ts';

/** What can be done about NFS from here, mildest first. */
export const nfsActions: ActionSet = {
  system: 'nfs',
  actions: [threadsAction, restartStatdAction, exportAgainAction, umountAction],
};
