import type { ActionSet } from '../../../src/model/action.ts';
import { batteryResetAction } from './battery-reset.ts';
import { addDiskAction } from './add-disk.ts';
import { setOfflineAction, startRebuildAction } from './controller-disks.ts';
import { failRemoveAction } from './fail-remove.ts';
import { locateAction, locateOffAction } from './locate.ts';
import { poolClearAction } from './pool-clear.ts';
import { poolOfflineAction, poolOnlineAction } from './pool-disks.ts';
import { poolReplaceAction } from './pool-replace.ts';
import { readdAction } from './re-add.ts';
import { rebuildSpeedAction } from './rebuild-speed.ts';
import { writeCacheAction } from './write-cache.ts';
import { replaceInPlaceAction } from './replace-in-place.ts';

/** What can be done about disks and arrays from here, mildest first. */
export const storageActions: ActionSet = {
  system: 'storage',
  actions: [
    locateAction,
    locateOffAction,
    rebuildSpeedAction,
    readdAction,
    replaceInPlaceAction,
    addDiskAction,
    failRemoveAction,
    poolOnlineAction,
    poolClearAction,
    poolReplaceAction,
    poolOfflineAction,
    startRebuildAction,
    setOfflineAction,
    writeCacheAction,
    batteryResetAction,
  ],
  asRoot: {
    storage: [
      'mdadm /dev/* --re-add *',
      'mdadm /dev/* --fail *',
      'mdadm /dev/* --remove *',
      'timeout -s KILL 60 *',
      'zpool online *',
      'zpool offline *',
      'zpool replace *',
      'zpool clear *',
      'systemd-run --collect --unit=faultline-locate-*',
      'systemctl stop faultline-locate-*',
      'ledctl locate*',
      'mdadm /dev/* --replace *',
      'sh *',
    ],
  },
};
