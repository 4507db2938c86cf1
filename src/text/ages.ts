/** `4 s`, `6 min`, `2 h 29 m`, `3 d`: short, one unit, hours with their minutes. Takes ms; never negative; `?` for no number. */
export const age = (ms: number): string => {
  if (!Number.isFinite(ms)) return '?';
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d`;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `02:41:07` in local time. Takes UTC ms. */
export const clock = (at: number): string => {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
};

/** `02:41` today, `2026-11-19 02:41` on another day; local time. */
export const clockTime = (at: number, now: number): string => {
  const date = new Date(at);
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  return date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`;
};

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30s`, `5 min`, `1.5h`, `3d`, `500 ms` to ms; undefined when it is not a duration. A bare number is none: of what unit? */
export const durationMs = (text: string): number | undefined => {
  const match = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|min|m|h|d)$/.exec(text.trim());
  const unit = units[match?.[2] ?? ''];
  return match && unit !== undefined ? Math.round(Number(match[1]) * unit) : undefined;
};
