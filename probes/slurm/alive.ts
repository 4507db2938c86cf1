import type { Judgement } from '../../src/model/system.ts';
import type { AliveReading } from './readings.ts';

const gone = new Set(['connect', 'lost', 'timeout']);

/**
 * UTC ms since when a host that we did reach does not answer us any more: the first failure in a row, or the moment our
 * connection dropped when that was earlier. Undefined while it answers, and for hosts never reached, which prove nothing.
 */
export const silentSince = (host: string, { readings, connections }: Judgement): number | undefined => {
  const source = readings.source<AliveReading>('slurm.alive', host);
  if (!source?.good) return undefined;
  const failing =
    source.failure !== undefined && gone.has(source.failure.kind) ? source.failingSince : undefined;
  const connection = connections.get(host);
  const down =
    connection?.state === 'down' && connection.since > source.good.at ? connection.since : undefined;
  if (failing === undefined) return down;
  return down === undefined ? failing : Math.min(failing, down);
};
