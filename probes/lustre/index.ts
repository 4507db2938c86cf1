import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './view/detail.ts';
import { facts, tracks } from './judge/facts.ts';
import { findings } from './judge/findings.ts';
import { lustreProbes } from './ask/probes.ts';
import { lustreSettings } from './settings.ts';
import { view } from './view/view.ts';

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
  formerly: { rules: { 'server-unreachable': 'dependency', 'client-unreachable': 'dependency' } },
  publishes: ['depends', 'data.place'],
  needs: [],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
};
