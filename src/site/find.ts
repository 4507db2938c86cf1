import { join } from 'node:path';
import { probePath } from './file.ts';

export interface Found {
  /** The site file to use; undefined when there is none. */
  file?: string;
  /** Where it was looked for, in order. */
  looked: readonly string[];
  /** Places whose file system did not answer. */
  hung: readonly string[];
}

/**
 * The site file: `--site`, `$FAULTLINE_SITE` (both are taken as they are), `$XDG_CONFIG_HOME/faultline/site.yaml`, then
 * the machine's own. A home that hangs is passed over after 2 s.
 */
export const findSiteFile = async (
  env: Readonly<Record<string, string | undefined>>,
  given?: string,
  machine = '/etc/faultline/site.yaml',
): Promise<Found> => {
  const named = given ?? (env['FAULTLINE_SITE'] || undefined);
  if (named !== undefined) return { file: named, looked: [named], hung: [] };
  const own = userFile(env, 'site.yaml');
  const places = [...(own === undefined ? [] : [own]), machine];
  const hung: string[] = [];
  for (const [at, place] of places.entries()) {
    const answer = await probePath(place);
    if (answer === 'hung') hung.push(place);
    if (answer === 'there') return { file: place, looked: places.slice(0, at + 1), hung };
  }
  return { looked: places, hung };
};

/** A file in `$XDG_CONFIG_HOME/faultline`; undefined without a home. */
export const userFile = (
  env: Readonly<Record<string, string | undefined>>,
  name: 'site.yaml' | 'config.yaml',
): string | undefined => {
  const config = env['XDG_CONFIG_HOME'] || (env['HOME'] ? join(env['HOME'], '.config') : undefined);
  return config === undefined ? undefined : join(config, 'faultline', name);
};
