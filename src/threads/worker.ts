import { actionSetsOn } from '../collect/on-site.ts';
import { actionSets } from '../registries/actions.ts';
import { assembleRemedy, remedyExtras } from '../assemble/remedy.ts';
import { startWorker } from './worker-start.ts';

/** The collecting thread with remedies: the console's, never the wall's. */
await startWorker({
  readOnly: false,
  extend: async (assembled, { env, history }, log) => {
    const ephemeral = history === 'memory';
    const here = actionSetsOn(actionSets, assembled.collector.site);
    const remedy = await assembleRemedy({ assembled, actionSets: here, log, env, ephemeral });
    return remedyExtras(remedy, assembled, log);
  },
});
