import type { Judgement } from '../../../src/model/system.ts';
import { whyAllUnread } from '../../../src/kit/unread.ts';
import type { Import } from '../act/targets.ts';
import type { CreatesReading } from '../readings.ts';
import { shortTarget } from './names.ts';

/** next_id must have stood still this long, on every MDT, whatever the version says: vendors port changes back. */
const stillMs = 30_000;

type Seen = { state: 'yes' | 'wait'; text: string };

/**
 * Whether an MDT has made no object on the OST for 30 s: over readings in a row that all hold the same next_id and all read
 * the stop as set, so that an idle OST does not pass for a stopped one. The MDT is looked for by name: after a failover it is on
 * another server, where the stop is not set any more.
 */
export const judgeStandstill = ({ mdt, host, osp }: Import, judgement: Judgement): Seen => {
  const row = (value: CreatesReading) => value.osps.find((one) => one.mdt === mdt && one.ost === osp.ost);
  const name = shortTarget(mdt);
  const source = judgement.readings
    .sources<CreatesReading>('lustre.creates')
    .filter(({ state, good }) => state === 'fresh' && good && row(good.value))
    .toSorted((a, b) => (b.good?.mono ?? 0) - (a.good?.mono ?? 0))[0];
  const last = source?.good;
  const now = last && row(last.value);
  if (!source || !now) {
    const why = whyAllUnread('lustre.creates', judgement.readings, judgement.now) ?? 'no server lists it';
    return { state: 'wait', text: `${name} was not read just now: ${why}` };
  }
  const on = source.host === host ? name : `${name}, now on ${source.host},`;
  if (now.nextId === undefined) return { state: 'wait', text: `${on} shows no prealloc_next_id` };
  if (!isSet(now))
    return {
      state: 'wait',
      text: `${on} reads active=${now.active === undefined ? '?' : Number(now.active)} max_create_count=${now.maxCreateCount ?? '?'}`,
    };
  let since = last.mono;
  for (const before of source.before) {
    const then = row(before.value);
    if (!then || !isSet(then)) break;
    if (then.nextId !== now.nextId) break;
    since = before.mono;
  }
  const seconds = Math.floor((last.mono - since) / 1000);
  return last.mono - since >= stillMs
    ? { state: 'yes', text: `${on} next_id ${now.nextId} for ${seconds} s` }
    : { state: 'wait', text: `${on} next_id ${now.nextId} for ${seconds} of 30 s` };
};

const isSet = ({
  active,
  maxCreateCount,
}: {
  active?: boolean | undefined;
  maxCreateCount?: number | undefined;
}): boolean => active === false || maxCreateCount === 0;
