import { join } from 'node:path';
import { vi } from 'vitest';
import { run } from '../../src/commands/audit.ts';
import type { AuditOptions } from '../../src/commands/options.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { fakeIo } from './fake-io.ts';

/** An empty home, with where the log of the demo site goes in it. */
export const emptyHome = (): { state: string; file: string } => {
  const state = emptyFolder('audit');
  // Of nobody who can have left logs in /var/tmp, where they go when a home hangs.
  vi.spyOn(process, 'getuid').mockReturnValue(4_000_000_000);
  return { state, file: join(state, 'faultline', 'demo', 'audit.jsonl') };
};

/** `faultline audit` with that home. */
export const auditIn = async (
  state: string,
  over: Partial<AuditOptions> = {},
): Promise<{ exit: number; out: string; err: string }> => {
  const fake = fakeIo('', { XDG_STATE_HOME: state, HOME: state });
  const exit = await run({ verb: 'show', json: false, ...over }, fake.io);
  return { exit, out: fake.out(), err: fake.err() };
};
