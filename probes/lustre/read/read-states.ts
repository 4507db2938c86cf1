import { dropUndefined } from '../../../src/kit/known.ts';
import { type Clients, parseRecovery, type Recovery } from './parse-recovery.ts';
import type { Params } from './parse-params.ts';
import type { QuotaSlave, RecoveryState } from '../readings.ts';

/** A `recovery_status` value as a state; undefined when the parameter was not printed. */
export const readRecovery = (text: string | undefined): RecoveryState | undefined => {
  if (text === undefined || !/^[ \t]*status:[ \t]*\S/m.test(text)) return undefined;
  const read = parseRecovery({ stdout: text });
  const start = figure(read, 'recoveryStart');
  return {
    status: String(read['status']),
    ...dropUndefined({
      startedAt: start === undefined ? undefined : start * 1000,
      durationS: figure(read, 'recoveryDuration'),
      remainingS: figure(read, 'timeRemaining'),
      waitedS: figure(read, 'timeWaited'),
      connected: ofClients(read['connectedClients']),
      completed: ofClients(read['completedClients']),
      evicted: figure(read, 'evictedClients'),
      nonReadyMdts: read['nonReadyMdts'] === undefined ? undefined : String(read['nonReadyMdts']),
    }),
  };
};

const figure = (read: Recovery, key: string): number | undefined => {
  const value = read[key];
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
};

/** `connected_clients: 1384/1412` comes as text from the parser, `completed_clients` already split. */
const ofClients = (value: Recovery[string] | undefined): Clients | undefined => {
  if (value === undefined) return undefined;
  if (typeof value === 'object') return value;
  const match = /^(\d+)(?:\/(\d+))?$/.exec(String(value));
  if (!match) return undefined;
  return { done: Number(match[1]), ...(match[2] !== undefined && { of: Number(match[2]) }) };
};

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
