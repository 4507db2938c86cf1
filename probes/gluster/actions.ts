import type { ActionSet } from '../../src/model/action.ts';
import { startBrickAction } from './action-bricks.ts';
import { clearAction } from './action-clear.ts';
import { continueAction } from './action-continue.ts';
import { dumpAction } from './action-dump.ts';
import { dumpGlusterdAction } from './action-dump-glusterd.ts';
import { freeAction, waitAction } from './action-free.ts';
import { restartAction } from './action-restart.ts';

/** What can be done to volumes and bricks: the ladder that frees a lock, each rung a plan of its own, mildest first. */
export const glusterActions: ActionSet = {
  system: 'gluster',
  actions: [
    freeAction,
    waitAction,
    restartAction,
    continueAction,
    dumpAction,
    dumpGlusterdAction,
    clearAction,
    startBrickAction,
  ],
};
