import type { ShutPort } from '../contracts.ts';
import { configureLines } from './read.ts';

/** `commit confirmed N` goes back after N minutes unless another `commit` comes first (Junos CLI guide). */
export const shutJunos: ShutPort = (name) => ({
  shut: configureLines(`set interfaces ${name} disable`, 'commit comment faultline'),
  confirmed: {
    unitSeconds: 60,
    shut: (seconds) =>
      configureLines(
        `set interfaces ${name} disable`,
        `commit confirmed ${Math.ceil(seconds / 60)} comment faultline`,
      ),
    keep: () => configureLines('commit comment faultline'),
    // This commit confirms what waits and takes it back in one: no other person's commit is ever rolled back.
    restore: () => configureLines(`delete interfaces ${name} disable`, 'commit comment faultline'),
  },
});
