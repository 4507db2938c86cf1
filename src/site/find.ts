import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { nearestWord } from '../text/nearest.ts';
import { makeSafe } from '../text/safe.ts';
import { probePath } from './file.ts';
import { SiteError } from './problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Found {
  /** The site file to use; undefined when there is none. */
  file?: string;
  /** Where it was looked for, in order. */
  looked: readonly string[];
  /** Places whose file system did not answer. */
  hung: readonly string[];
}

/**
 * The site file: `--site`, `$FAULTLINE_SITE` (a path, or the name of a site in `sites`), `$XDG_CONFIG_HOME/faultline/site.yaml`, then
 * the machine's own. A home that hangs is passed over after 2 s.
 */
export const findSiteFile = async (
  env: Environment,
  given?: string,
  machine = '/etc/faultline/site.yaml',
): Promise<Found> => {
  const named = given ?? (env['FAULTLINE_SITE'] || undefined);
  if (named !== undefined) {
    const file = await namedSite(env, named);
    return { file, looked: [file], hung: [] };
  }
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
  env: Environment,
  name: 'site.yaml' | 'config.yaml' | 'sites',
): string | undefined => {
  const config = env['XDG_CONFIG_HOME'] || (env['HOME'] ? join(env['HOME'], '.config') : undefined);
  return config === undefined ? undefined : join(config, 'faultline', name);
};

/** What is no path: `north` is `sites/north.yaml` of the configuration folder. */
const NAME = /^(?!.*\.ya?ml$)[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** The file that is meant. Throws SiteError for a name that is neither a site nor a file here. */
const namedSite = async (env: Environment, named: string): Promise<string> => {
  const folder = userFile(env, 'sites');
  if (folder === undefined || !NAME.test(named)) return named;
  const file = join(folder, `${named}.yaml`);
  if ((await probePath(file)) !== 'absent') return file;
  if ((await probePath(resolve(named))) !== 'absent') return named;
  const names = await listSites(env);
  const near = nearestWord(named, names);
  const known = names.length === 0 ? 'there is none' : `there are: ${names.join(', ')}`;
  const right = near === undefined ? known : `did you mean "${near}"?`;
  throw new SiteError([
    makeSafe(`there is no site "${named}" in ${folder}, and no such file here; ${right}`, 1000),
  ]);
};

/** Names of the sites in the configuration folder; none where it does not answer. */
export const listSites = async (env: Environment): Promise<readonly string[]> => {
  const folder = userFile(env, 'sites');
  if (folder === undefined || (await probePath(folder)) !== 'there') return [];
  const files = await readdir(folder).catch((): string[] => []);
  return files
    .filter((name) => name.endsWith('.yaml') && NAME.test(name.slice(0, -5)))
    .map((name) => name.slice(0, -5))
    .toSorted();
};
