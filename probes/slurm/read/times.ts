const stamp = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})/;

const formatters = new Map<string, Intl.DateTimeFormat>();

const formatter = (tz: string): Intl.DateTimeFormat => {
  const known = formatters.get(tz);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(tz, made);
  return made;
};

/** How far the zone's clock is ahead of UTC at that instant, ms. */
const offset = (at: number, tz: string): number => {
  const part: Record<string, number> = {};
  for (const { type, value } of formatter(tz).formatToParts(at)) part[type] = Number(value);
  const local = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'],
    part['hour'],
    part['minute'],
    part['second'],
  );
  return local - Math.floor(at / 1000) * 1000;
};

/**
 * `2026-11-20T21:54:23`, printed without a zone, to UTC ms, read in an IANA zone (default UTC). Undefined for
 * `Unknown`, `None` and whatever else is no stamp. Throws RangeError for a zone that does not exist.
 */
export const stampToMs = (text: string, tz = 'UTC'): number | undefined => {
  const match = stamp.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const naive = Date.UTC(year, month - 1, day, hour, minute, second);
  if (tz === 'UTC') return naive;
  const guess = naive - offset(naive, tz);
  return naive - offset(guess, tz);
};

/**
 * A time in JSON: seconds as a number (21.08 to 23.02) or `{set, infinite, number}` (23.11 on). 0, not set and infinite
 * are no time. Gives UTC ms.
 */
export const jsonTime = (value: unknown): number | undefined => {
  const seconds = jsonNumber(value);
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined;
};

/** A number in JSON, plain or `{set, infinite, number}`; undefined when not set or infinite. */
export const jsonNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || !('number' in value)) return undefined;
  if ('set' in value && value.set === false) return undefined;
  if ('infinite' in value && value.infinite === true) return undefined;
  return typeof value.number === 'number' && Number.isFinite(value.number) ? value.number : undefined;
};

/** UTC ms as ISO 8601 without needless zeros: `2026-11-20T21:54:23Z`; undefined for what no calendar holds. */
export const iso = (at: number | undefined): string | undefined => {
  if (at === undefined || Math.abs(at) > 8.64e15) return undefined;
  return new Date(at).toISOString().replace('.000Z', 'Z');
};
