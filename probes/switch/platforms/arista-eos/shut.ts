import type { ShutPort } from '../contracts.ts';
import { insideInterface } from '../shared/command-lines.ts';

/** `00:02:00`. */
const clock = (seconds: number): string =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/**
 * A session committed with a timer goes back by itself unless `configure session NAME commit` comes in time; `abort` in place of
 * `commit` takes it back at once (EOS manual, Configure Session).
 */
export const shutEos: ShutPort = (name) => ({
  shut: ['enable', ...insideInterface('shutdown', 'configure')(name)],
  confirmed: {
    unitSeconds: 1,
    shut: (seconds, session) => [
      'enable',
      `configure session ${session}`,
      `interface ${name}`,
      'shutdown',
      `commit timer ${clock(seconds)}`,
    ],
    keep: (session) => ['enable', `configure session ${session} commit`],
    restore: (session) => ['enable', `configure session ${session} abort`],
  },
});
