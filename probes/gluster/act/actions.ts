import type { ActionSet } from '../../../src/model/action.ts';
import { startBrickAction } from './bricks.ts';
import { clearAction } from './clear.ts';
import { continueAction } from './continue.ts';
import { dumpAction } from './dump.ts';
import { dumpGlusterdAction } from './dump-glusterd.ts';
import { freeAction, waitAction } from './free.ts';
import { healSplitAction } from './heal-split.ts';
import { limitToPool } from './in-pool.ts';
import { restartAction } from './restart.ts';

/** What can be done to volumes and bricks: the ladder that frees a lock, each rung a plan of its own, mildest first. */
export const glusterActions: ActionSet = {
  system: 'gluster',
  asRoot: { gluster: ['gluster *', 'kill *', 'sh *', 'systemctl restart glusterd'] },
  actions: [
    limitToPool(freeAction),
    limitToPool(waitAction),
    limitToPool(restartAction),
    limitToPool(continueAction),
    limitToPool(dumpAction),
    limitToPool(dumpGlusterdAction),
    limitToPool(clearAction),
    limitToPool(startBrickAction),
    limitToPool(healSplitAction),
  ],
};
