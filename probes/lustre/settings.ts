import * as z from 'zod';
import { fraction, settingsReader, share } from '../../src/kit/settings.ts';

/** The site file's section `lustre`. */
export const lustreSettings = z.strictObject({
  /** Put `sudo -n` before lctl: where the login is not root. */
  sudo: z.boolean().default(false),
  limits: z
    .strictObject({
      /** Share of the free space that may be on OSTs without new objects. */
      freeOut: share('25%'),
      /** Locks granted of the limit. */
      locks: share('90%'),
      /** Fill level of an OST from which on it is told. */
      full: share('95%'),
    })
    .prefault({}),
});

/** The settings of a site, shares ready for use (0..1). */
export const settingsOf = settingsReader('lustre', lustreSettings, ({ sudo, limits }) => ({
  sudo,
  freeOut: fraction(limits.freeOut),
  locks: fraction(limits.locks),
  full: fraction(limits.full),
}));
