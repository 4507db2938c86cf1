/** Whether this is a time zone that the program knows: an IANA name or UTC. */
export const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** `02:00-05:00` to minutes of the day; undefined when it is no part of a day. `to` may lie before `from`: over midnight. */
export const dayTimes = (text: string): { from: number; to: number } | undefined => {
  const match = /^([01]\d|2[0-3]):([0-5]\d) ?- ?([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  if (!match) return undefined;
  const [from, to] = [Number(match[1]) * 60 + Number(match[2]), Number(match[3]) * 60 + Number(match[4])];
  return from === to ? undefined : { from, to };
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** 125 to `02:05`. */
export const dayTime = (minute: number): string =>
  `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The minute of the day there, 0 to 1439. Takes UTC ms. */
export const minuteOfDay = (at: number, zone: string): number => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0);
};
