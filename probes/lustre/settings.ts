import * as z from 'zod';
import { fraction, settingsReader, share, shareOf } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';

const freeOut = 'share of the free space that may be on OSTs without new objects';
const full = 'fill level of an OST or MDT from which on there is a finding';

/** The site file's section `lustre`. */
export const lustreSettings = z.strictObject({
  sudo: z.boolean().default(false).describe('`sudo -n` in front of lctl: where the login is not root'),
  limits: z
    .strictObject({
      freeOut: share('25%').describe(freeOut),
      locks: share('90%').describe('locks granted of the limit'),
      full: share('95%').describe(full),
    })
    .prefault({})
    .describe('from when on there is a finding'),
  fileSystems: z
    .record(
      z.string().regex(/^[A-Za-z0-9_]{1,8}$/, 'is no name of a file system of Lustre'),
      z.strictObject({
        limits: z
          .strictObject({
            freeOut: shareOf('25%')
              .optional()
              .meta({ description: freeOut, examples: ['10%'] }),
            full: shareOf('95%')
              .optional()
              .meta({ description: full, examples: ['90%'] }),
          })
          .describe('its limits; locks are counted by server, for all that it serves'),
      }),
    )
    .default({})
    .meta({
      description: 'by name, what one of several file systems has otherwise',
      examples: [{ home: { limits: { full: '90%' } } }],
    }),
});

/** The settings of a site, shares ready for use (0..1). */
export const settingsOf = settingsReader('lustre', lustreSettings, ({ sudo, limits, fileSystems }) => ({
  sudo,
  freeOut: fraction(limits.freeOut),
  locks: fraction(limits.locks),
  full: fraction(limits.full),
  fileSystems,
}));

/** The limits of one file system (0..1): its own, key by key, before those of all. */
export const limitsOf = (site: SiteView, fs: string): { freeOut: number; full: number } => {
  const { fileSystems, ...all } = settingsOf(site);
  const own = Object.hasOwn(fileSystems, fs) ? fileSystems[fs]?.limits : undefined;
  return {
    freeOut: own?.freeOut === undefined ? all.freeOut : fraction(own.freeOut),
    full: own?.full === undefined ? all.full : fraction(own.full),
  };
};
