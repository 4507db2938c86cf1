import type { Judgement } from '../../../src/model/system.ts';
import type { OssReading } from '../readings.ts';
import { isAway, witnessesOf } from './reach.ts';
import type { OstRow } from './rows.ts';

/** Clients and MDTs try again every 25 s or so (obd_timeout / 4): where none of all has come by then, none is on its way, ms. */
const comeWithinMs = 50_000;

const isWaiting = (value: OssReading, name: string): boolean =>
  value.osts.find((one) => one.name === name)?.recovery?.status === 'WAITING_FOR_CLIENTS';

/**
 * Since when, UTC ms, an OST that its server has mounted waits for the first of its clients in vain, where that is longer than a restart
 * takes: nobody that was read reaches it. Undefined: somebody does, nobody was read, or it has not waited for so long.
 */
export const waitsInVainSince = (ost: OstRow, { readings }: Judgement): number | undefined => {
  const source = ost.oss === undefined ? undefined : readings.source<OssReading>('lustre.oss', ost.oss);
  const witnesses = witnessesOf(ost);
  if (!source?.good || ost.ownStale || witnesses.length === 0 || !witnesses.every(isAway)) return undefined;
  const row = [source.good, ...source.before];
  const other = row.findIndex(({ value }) => !isWaiting(value, ost.name));
  const waiting = other === -1 ? row : row.slice(0, other);
  const since = waiting.at(-1)?.at;
  return since !== undefined && source.good.at - since >= comeWithinMs ? since : undefined;
};
