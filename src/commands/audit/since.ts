import { durationMs } from '../../text/duration.ts';
import { visible } from '../../text/safe.ts';
import { UsageError } from '../io.ts';

/**
 * `--since` to UTC ms: `20:00` (the last time it was that, local), `2026-11-20`, `2026-11-20T20:00` (local unless a zone is given),
 * `3h` (so long ago). Throws UsageError.
 */
export const sinceOf = (text: string, now: number): number => {
  const duration = durationMs(text);
  if (duration !== undefined) return now - duration;
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (time) {
    const date = new Date(now);
    date.setHours(Number(time[1]), Number(time[2]), 0, 0);
    if (date.getTime() > now) date.setDate(date.getDate() - 1);
    return date.getTime();
  }
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(day) ? Date.parse(day.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError(`--since "${visible(text, 60)}" is not a time; write 20:00, 2026-11-20T20:00 or 3h`);
  return at;
};
