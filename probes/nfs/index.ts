import type { System } from '../../src/model/system.ts';
import { findings } from './judge/findings.ts';
import { detail } from './view/detail.ts';

/** NFS as the kernels of its clients tell of it. */
export const nfs: System = {
  id: 'nfs',
  title: 'NFS',
  roles: [],
  formerly: { findings: { 'site:lockd': 'nfs:lockd', 'site:nfs': 'nfs:nfs' } },
  probes: [],
  publishes: [],
  needs: ['host.kernel'],
  facts: () => [],
  findings,
  track: () => [],
  view: () => ({ summary: 'what kernels say on demand', sign: 'fine', wall: '-', blocks: [] }),
  detail,
};
