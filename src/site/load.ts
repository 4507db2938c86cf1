import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { SiteView } from '../model/site.ts';
import { isReadable, readSiteFile } from './file.ts';
import { parseSite } from './parse.ts';
import { SiteError } from './problem.ts';
import type { Knowledge } from './schema.ts';
import { viewOf } from './view.ts';

export interface LoadedSite {
  site: SiteView;
  /** One line each: `FILE:LINE:COL: what; what would be right`. */
  warnings: readonly string[];
}

/** Reads and checks a site file. Throws SiteError with one line for each thing that is wrong. */
export const loadSite = async (file: string, knowledge: Knowledge): Promise<LoadedSite> => {
  const path = resolve(file);
  const { site, warnings, lineAt } = parseSite(await readSiteFile(path), path, knowledge);
  if (site.sshConfig === undefined) return { site: viewOf(site), warnings };
  const sshConfig = pathBeside(path, site.sshConfig);
  if (!(await isReadable(sshConfig))) {
    throw new SiteError([
      lineAt(['sshConfig'], `sshConfig: ${sshConfig} can't be read; name a file, relative to this one`),
    ]);
  }
  return { site: viewOf({ ...site, sshConfig }), warnings };
};

const pathBeside = (file: string, named: string): string => {
  if (named.startsWith('~/')) return join(homedir(), named.slice(2));
  return isAbsolute(named) ? named : join(dirname(file), named);
};
