import { known } from '../../../src/kit/known.ts';
import { type Clients, parseRecovery, type Recovery } from './parse-recovery.ts';
import type { RecoveryState } from '../readings.ts';

/** A `recovery_status` value as a state; undefined when the parameter was not printed. */
export const readRecovery = (text: string | undefined): RecoveryState | undefined => {
  if (text === undefined || !/^[ \t]*status:[ \t]*\S/m.test(text)) return undefined;
  const read = parseRecovery({ stdout: text });
  const start = figure(read, 'recoveryStart');
  return {
    status: String(read['status']),
    ...known({
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
