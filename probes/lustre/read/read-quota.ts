import { type Params } from './parse-params.ts';
import type { QuotaSlave } from '../readings.ts';

const letters: Readonly<Record<string, string>> = { u: 'user', g: 'group', p: 'project' };

/**
 * `osd-*.*.quota_slave.info` (lustre/quota/qsd_lib.c): `quota enabled: ug`, `conn to master: setup`, and per type
 * `glb[n],slv[n],reint[n]`: copies of the global and slave index up to date, reintegration running. A type that is not
 * enforced is never up to date and no fault.
 */
export const readQuota = ({ params }: Params): QuotaSlave[] =>
  Object.entries(params).flatMap(([name, text]) => {
    const target = /^osd-[^.]+\.([^.]+)\.quota_slave\.info$/.exec(name)?.[1];
    if (target === undefined) return [];
    const field = (key: string): string => new RegExp(`^${key}:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
    const enabled = field('quota enabled');
    const late = Object.entries(letters).flatMap(([letter, type]) => {
      const state = field(`${type} uptodate`);
      const match = /glb\[(\d+)\],\s*slv\[(\d+)\],\s*reint\[(\d+)\]/.exec(state);
      if (enabled === 'none' || !enabled.includes(letter) || !match) return [];
      const fine = match[1] !== '0' && match[2] !== '0' && match[3] === '0';
      return fine ? [] : [{ type, text: state }];
    });
    return [{ target, enabled, master: field('conn to master'), late }];
  });
