import { kernelCells } from '../../src/kit/kernel-log.ts';
import type { System } from '../../src/model/system.ts';
import { findings, saidOf } from './judge/findings.ts';

/** What a host's kernel said of NFS. */
const detail: System['detail'] = ({ kind, id }, judgement) => {
  const lines = kind === 'host' ? (saidOf(id, judgement)?.lines ?? []) : [];
  if (lines.length === 0) return [];
  const cells = kernelCells(lines, judgement.now);
  return [{ type: 'text', id: 'kernel', title: 'Kernel lines of NFS', lines: cells }];
};

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
