import { kernelCells } from '../../../src/kit/kernel-log.ts';
import type { System } from '../../../src/model/system.ts';
import { saidOf } from '../judge/findings.ts';

/** What a host's kernel said of NFS. */
export const detail: System['detail'] = ({ kind, id }, judgement) => {
  const lines = kind === 'host' ? (saidOf(id, judgement)?.lines ?? []) : [];
  if (lines.length === 0) return [];
  const cells = kernelCells(lines, judgement.now);
  return [{ type: 'text', id: 'kernel', title: 'Kernel lines of NFS', lines: cells }];
};
