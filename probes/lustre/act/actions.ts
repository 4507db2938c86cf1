import type { ActionSet } from '../../../src/model/action.ts';
import { activateAction, deactivateAction, resumeCreatesAction } from './active.ts';
import { cancelNamingAction, cancelTaskAction } from './cancel.ts';
import { degradeAction, undegradeAction } from './degrade.ts';
import { nameFidAction } from './fid.ts';
import { qosAction } from './qos.ts';
import { stopCreatesAction } from './stop.ts';
import { drainAction, filesOnOstAction } from './tasks.ts';

/** What can be done to a Lustre file system. All of it is read back on every MDT: set_param lies on 2.5. */
export const lustreActions: ActionSet = {
  system: 'lustre',
  asRoot: {
    'lustre-mds': ['lctl set_param *'],
    'lustre-oss': ['lctl set_param *'],
    'lustre-client': ['sh *'],
  },
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
