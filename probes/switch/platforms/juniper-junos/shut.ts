import type { ShutPort } from '../contracts.ts';
import { configured } from './read.ts';

/** `commit confirmed N` goes back after N minutes unless another `commit` comes first (Junos CLI guide). */
export const shutJunos: ShutPort = (name) => ({
  shut: configured(`set interfaces ${name} disable`, 'commit comment faultline'),
  confirmed: {
    unitSeconds: 60,
    shut: (seconds) =>
      configured(
        `set interfaces ${name} disable`,
        `commit confirmed ${Math.ceil(seconds / 60)} comment faultline`,
      ),
    keep: () => configured('commit comment faultline'),
    // This commit confirms what waits and takes it back in one: no other person's commit is ever rolled back.
    restore: () => configured(`delete interfaces ${name} disable`, 'commit comment faultline'),
  },
});
