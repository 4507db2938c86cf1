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

const two = (value: number): string => String(value).padStart(2, '0');

/** `02:41:07` in local time. Takes UTC ms. */
export const clock = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** `02:41` today, `2026-11-19 02:41` on another day; local time. */
export const moment = (at: number, now: number): string => {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
};
