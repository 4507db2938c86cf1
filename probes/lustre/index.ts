import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './detail.ts';
import { facts } from './facts.ts';
import { findings } from './findings.ts';
import { lustreProbes } from './probes.ts';
import { lustreSettings } from './settings.ts';
import { tracks } from './track.ts';
import { view } from './view.ts';

/** Lustre: every OST as MDSs, OSSs and clients see it, whether it will receive new objects and why, locks, recovery. */
export const lustre: System = {
  id: 'lustre',
  title: 'Lustre',
  roles: ['lustre-mds', 'lustre-oss', 'lustre-client'],
  settings: lustreSettings,
  tools: {
    'lustre-mds': { commands: ['lctl'], version: ['lctl', 'get_param', '-n', 'version'] },
    'lustre-oss': { commands: ['lctl'], version: ['lctl', 'get_param', '-n', 'version'] },
    'lustre-client': { commands: ['lctl', 'lfs'], version: ['lctl', 'get_param', '-n', 'version'] },
  },
  probes: lustreProbes,
  publishes: ['depends'],
  needs: [],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
};
