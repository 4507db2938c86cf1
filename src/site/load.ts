import { resolve } from 'node:path';
import type { SiteView, Told } from '../model/site.ts';
import { makeSafe } from '../text/safe.ts';
import { askNodeset, type Environment } from './clustershell.ts';
import { isReadable } from './file.ts';
import { resolveOutside } from './groups.ts';
import { pathBeside, readWithIncludes } from './includes.ts';
import { parseSite } from './parse.ts';
import { SiteError } from './problem.ts';
import type { Knowledge } from './schema.ts';
import { distrustCommands, readSectionFiles } from './section-files.ts';
import { distrustSshConfig } from './trusted.ts';
import { viewOf } from './view.ts';

export interface LoadedSite {
  site: SiteView;
  /** One line each: `FILE:LINE:COL: what; what would be right`. */
  warnings: readonly string[];
  /** What was read: the site file, all that it includes, and the systems' own files beside it. */
  files: readonly string[];
}

/** Far more than a file of 10,000 hosts needs; thousands of keys in one map or mistakes in a row take the YAML reader minutes. */
const PARSE_MS = 4000;

/** Does the work and ends it after so many ms; undefined then. */
type InTime = <T>(work: () => T, ms: number) => T | undefined;

/** Reads and checks a site file. Throws SiteError with one line for each thing that is wrong. */
export const loadSite = async (
  file: string,
  knowledge: Knowledge,
  inTime: InTime = (work) => work(),
  env: Environment = process.env,
): Promise<LoadedSite> => {
  const path = resolve(file);
  const bounded = <T>(work: () => T): T | undefined => inTime(work, PARSE_MS);
  const [first, ...included] = await readWithIncludes(path, bounded);
  const sections = await readSectionFiles(path, knowledge);
  const parsed = await resolveOutside(
    (outside) =>
      bounded(() => parseSite(first?.text ?? '', path, knowledge, outside, { sections, included })),
    (names) => askOutside(names, knowledge, env),
  );
  if (!parsed) {
    const what = `could not be read within ${PARSE_MS / 1000} s; it holds far more keys, entries or mistakes than a site has`;
    throw new SiteError([makeSafe(`${path}: ${what}`, 1000)]);
  }
  const { site, warnings, lineAt, fileAt } = parsed;
  const own = [path, ...included.map(({ file: one }) => one)];
  const files = [...own, ...sections.map(({ file: one }) => one)];
  for (const one of own) {
    const foreign = await distrustCommands(one, site, knowledge);
    if (!foreign) continue;
    const what = `${foreign.section} brings ${foreign.what}, but ${one === path ? 'this file' : one} ${foreign.problem}`;
    throw new SiteError([lineAt([foreign.section], what)]);
  }
  if (site.sshConfig === undefined) return { site: viewOf(site), warnings, files };
  const sshConfig = pathBeside(fileAt(['sshConfig']), site.sshConfig);
  if (!(await isReadable(sshConfig))) {
    throw new SiteError([
      lineAt(['sshConfig'], `sshConfig: ${sshConfig} can't be read; name a file, relative to this one`),
    ]);
  }
  const problem = await distrustSshConfig(sshConfig, process.getuid?.() ?? 0).catch(
    (error: NodeJS.ErrnoException) =>
      `can't be checked for who may write to it: ${error.path ?? ''} (${error.code ?? error.message})`,
  );
  if (problem !== undefined)
    throw new SiteError([lineAt(['sshConfig'], makeSafe(`sshConfig: ${sshConfig} ${problem}`, 1000))]);
  return { site: viewOf({ ...site, sshConfig }), warnings, files };
};

/** Groups of ClusterShell are asked for; a system tells of its own once it was asked, which the site file comes before. */
const askOutside = async (
  names: readonly string[],
  { systems }: Knowledge,
  env: Environment,
): Promise<ReadonlyMap<string, Told>> => {
  const tellers = systems.filter(({ groups }) => groups !== undefined);
  const tellerOf = (name: string) => tellers.find(({ id }) => name.startsWith(`${id}:`));
  const told = names.flatMap((name): [string, Told][] => {
    const teller = tellerOf(name);
    return teller ? [[name, { later: teller.title ?? teller.id }]] : [];
  });
  const others = names.filter((name) => tellerOf(name) === undefined);
  return new Map([...(await askNodeset(others, env)), ...told]);
};
