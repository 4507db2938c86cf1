import * as z from 'zod';
import type { SiteView } from '../../src/model/site.ts';

/** `25%` or `25 %`. */
const share = z.string().regex(/^\d{1,3}(\.\d+)?\s*%$/, { error: 'a share like 25%' });

/** The site file's section `lustre`. */
export const lustreSettings = z.strictObject({
  /** Put `sudo -n` before lctl: where the login is not root. */
  sudo: z.boolean().default(false),
  limits: z
    .strictObject({
      /** Share of the free space that may be on OSTs without new objects. */
      freeOut: share.default('25%'),
      /** Locks granted of the limit. */
      locks: share.default('90%'),
      /** Fill level of an OST from which on it is told. */
      full: share.default('95%'),
    })
    .prefault({}),
});

export interface LustreSettings {
  sudo: boolean;
  /** Shares 0..1. */
  freeOut: number;
  locks: number;
  full: number;
}

const cache = new WeakMap<SiteView, LustreSettings>();

/** The settings of a site, shares ready for use. */
export const settingsOf = (site: SiteView): LustreSettings => {
  const known = cache.get(site);
  if (known) return known;
  const { sudo, limits } = lustreSettings.parse(site.settings['lustre'] ?? {});
  const part = (text: string): number => Number.parseFloat(text) / 100;
  const settings = {
    sudo,
    freeOut: part(limits.freeOut),
    locks: part(limits.locks),
    full: part(limits.full),
  };
  cache.set(site, settings);
  return settings;
};
