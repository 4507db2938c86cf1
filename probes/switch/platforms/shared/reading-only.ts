import type { PlatformAsk } from '../contracts.ts';
import { ciscoDialect } from './command-lines.ts';

/** A command line that is only read: its captures are known, no shutdown was ever tried on it. */
export const readingOnly = (
  { id, title, pagerOff, prompt }: { id: string; title: string; pagerOff: string; prompt?: string },
  ask: PlatformAsk['ask'],
): PlatformAsk => ({
  id,
  title,
  via: 'cli',
  dialect: ciscoDialect(
    prompt ?? '[A-Za-z0-9][A-Za-z0-9._:@-]*(?:\\([A-Za-z0-9/:. -]+\\))?[>#]\\s*$',
    pagerOff,
  ),
  machineReadable: false,
  ask,
  nameOf: () => undefined,
  readingOnly: 'this platform is read only here: its shutdown was never tried on a real device',
});
