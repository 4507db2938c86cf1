import type { ActionSet } from '../../src/model/action.ts';
import { activateAction, deactivateAction, resumeCreatesAction } from './action-active.ts';
import { cancelNamingAction, cancelTaskAction } from './action-cancel.ts';
import { degradeAction, undegradeAction } from './action-degrade.ts';
import { nameFidAction } from './action-fid.ts';
import { qosAction } from './action-qos.ts';
import { stopCreatesAction } from './action-stop.ts';
import { drainAction, filesOnOstAction } from './action-tasks.ts';

/** What can be done to a Lustre file system. All of it is read back on every MDT: set_param lies on 2.5. */
export const lustreActions: ActionSet = {
  system: 'lustre',
  actions: [
    stopCreatesAction,
    resumeCreatesAction,
    degradeAction,
    undegradeAction,
    deactivateAction,
    activateAction,
    drainAction,
    filesOnOstAction,
    cancelTaskAction,
    qosAction,
    nameFidAction,
    cancelNamingAction,
  ],
};
