import * as z from 'zod';
import { fraction, settingsReader, share } from '../../src/kit/settings.ts';

/** The site file's section `lustre`. */
export const lustreSettings = z.strictObject({
  sudo: z.boolean().default(false).describe('`sudo -n` in front of lctl: where the login is not root'),
  limits: z
    .strictObject({
      freeOut: share('25%').describe('share of the free space that may be on OSTs without new objects'),
      locks: share('90%').describe('locks granted of the limit'),
      full: share('95%').describe('fill level of an OST or MDT from which on there is a finding'),
    })
    .prefault({})
    .describe('from when on there is a finding'),
});

/** The settings of a site, shares ready for use (0..1). */
export const settingsOf = settingsReader('lustre', lustreSettings, ({ sudo, limits }) => ({
  sudo,
  freeOut: fraction(limits.freeOut),
  locks: fraction(limits.locks),
  full: fraction(limits.full),
}));
