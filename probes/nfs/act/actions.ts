import type { ActionSet } from '../../../src/model/action.ts';
import { CLIENT, LOGIN, SERVER } from '../settings.ts';
import { coloursBackAction, coloursOffAction } from './colours.ts';
import { exportAgainAction } from './export-again.ts';
import { listAction } from './list.ts';
import { remountAction } from './remount.ts';
import { restartRpcbindAction } from './restart-rpcbind.ts';
import { restartStatdAction } from './restart-statd.ts';
import { threadsAction } from './threads.ts';
import { umountAction } from './umount.ts';

/** What can be done about NFS from here, mildest first, and about listings on login hosts. */
export const nfsActions: ActionSet = {
  system: 'nfs',
  asRoot: {
    [CLIENT]: ['sh *', 'systemctl restart rpc-statd', 'systemctl restart rpcbind', 'timeout -s KILL *'],
    [SERVER]: [
      'exportfs -ra',
      'rpc.nfsd *',
      'sh *',
      'systemctl restart nfs-mountd',
      'systemctl restart rpc-statd',
      'systemctl restart rpcbind',
    ],
    [LOGIN]: ['sh *'],
  },
  actions: [
    listAction,
    coloursOffAction,
    coloursBackAction,
    threadsAction,
    restartStatdAction,
    exportAgainAction,
    restartRpcbindAction,
    remountAction,
    umountAction,
  ],
};
