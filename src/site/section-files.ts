import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Site, SiteView } from '../model/site.ts';
import { makeSafe } from '../text/safe.ts';
import { probePath, readTrusted } from './file.ts';
import { isRecord } from './inventory.ts';
import { SiteError, type Path, type Problem } from './problem.ts';
import type { Knowledge } from './schema.ts';
import { distrust } from './trusted.ts';
import { parseYaml, type ParsedYaml, type Place } from './yaml.ts';

/** A file beside the site file that holds entries of a system's section. */
export interface SectionFile {
  system: string;
  file: string;
  text: string;
}

/** More than a site has checks, and few enough to be read at every start. */
const MOST_FILES = 200;

const kind = {
  name: 'such a file',
  example: 'site.yaml',
  limit: 1_000_000,
  elsewhere: 'take the folder away, or put the site file elsewhere',
  // Its commands run with the rights of whoever reads it.
  rootsGroup: false,
};

/**
 * The YAML files in the folders that systems have beside the site file, by name. Throws SiteError for a folder or file that hangs, can't be
 * read, or that somebody else may write to; a folder that is not there is none.
 */
export const readSectionFiles = async (
  siteFile: string,
  { systems }: Pick<Knowledge, 'systems'>,
): Promise<readonly SectionFile[]> => {
  const found: SectionFile[] = [];
  for (const { id, commandsIn } of systems) {
    if (commandsIn === undefined) continue;
    const folder = join(dirname(siteFile), commandsIn);
    const refuse = (what: string): SiteError => new SiteError([makeSafe(`${folder}: ${what}`, 1000)]);
    const there = await probePath(folder);
    if (there === 'hung') throw refuse(`its file system did not answer; ${kind.elsewhere}`);
    if (there === 'absent') continue;
    const all = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      throw refuse(`can't be read (${error.code ?? error.message}); make it a folder that you may read`);
    });
    const names = all.filter((name) => /^[^.].*\.ya?ml$/.test(name)).toSorted();
    if (names.length > MOST_FILES)
      throw refuse(`holds ${names.length} files; put the checks into at most ${MOST_FILES}`);
    for (const name of names) {
      const file = join(folder, name);
      found.push({ system: id, file, text: await readTrusted(file, kind) });
    }
  }
  return found;
};

/**
 * The site file's YAML with the entries of further files in their sections. A place in one of these names its file; an entry that is there
 * twice is an error.
 */
export const joinSections = (yaml: ParsedYaml, files: readonly SectionFile[]): ParsedYaml => {
  if (!isRecord(yaml.value)) return yaml;
  const root: Record<string, unknown> = { ...yaml.value };
  const errors = [...yaml.errors];
  const warnings = [...yaml.warnings];
  const owners = new Map<string, { yaml: ParsedYaml; file: string }>();
  for (const { system, file, text } of files) {
    const own = parseYaml(text);
    const inFile = (one: { place: Place; text: string }) => ({ ...one, place: { ...one.place, file } });
    errors.push(...own.errors.map(inFile));
    warnings.push(...own.warnings.map(inFile));
    if (own.errors.length > 0 || own.value === null) continue;
    const section = root[system] ?? {};
    if (!isRecord(own.value)) {
      const right = `write it as below "${system}:" in the site file`;
      errors.push(inFile({ place: { line: 1, col: 1 }, text: `is no map of names; ${right}` }));
    } else if (isRecord(section)) {
      const twice = Object.keys(own.value).filter((name) => Object.hasOwn(section, name));
      for (const name of twice) {
        const text = `"${name}" is there already in ${owners.get(`${system} ${name}`)?.file ?? 'the site file'}; keep one of them`;
        errors.push(inFile({ place: own.locate([name], true), text }));
      }
      for (const name of Object.keys(own.value)) owners.set(`${system} ${name}`, { yaml: own, file });
      root[system] = { ...section, ...own.value };
    }
  }
  const locate = (path: Path, atKey?: boolean): Place => {
    const [system, name, ...rest] = path;
    const owner = owners.get(`${system} ${name}`);
    return owner && name !== undefined
      ? { ...owner.yaml.locate([name, ...rest], atKey), file: owner.file }
      : yaml.locate(path, atKey);
  };
  return { value: root, errors, warnings, locate };
};

/** What systems find wrong with their sections beside the hosts of the site, where the sections are in shape. */
export const sectionProblems = (
  raw: Readonly<Record<string, unknown>>,
  { systems }: Pick<Knowledge, 'systems'>,
  site: Pick<SiteView, 'hosts' | 'expand' | 'prometheus'>,
): Problem[] =>
  systems.flatMap(({ id, settings, problems }) => {
    const section = raw[id] === undefined ? undefined : settings?.safeParse(raw[id]);
    return section?.success && problems
      ? problems(section.data, site).map(({ path, text }) => ({ path: [id, ...path], text }))
      : [];
  });

/** Why a site file may not bring commands, by the section that does: somebody else may write to it. */
export const distrustCommands = async (
  file: string,
  { settings, prometheus }: Pick<Site, 'settings' | 'prometheus'>,
  { systems }: Pick<Knowledge, 'systems'>,
): Promise<{ section: string; what: string; problem: string } | undefined> => {
  const section = systems.find(({ id, commandsIn }) => {
    const own = settings[id];
    return commandsIn !== undefined && isRecord(own) && Object.keys(own).length > 0;
  })?.id;
  // What is read for a token goes to where the same file says.
  const hasToken = (prometheus?.tokenFile ?? prometheus?.tokenCommand) !== undefined;
  if (section === undefined && !hasToken) return undefined;
  const named =
    section === undefined
      ? { section: 'prometheus', what: 'the place of a token' }
      : { section, what: 'commands' };
  const problem = await distrust(file, { uid: process.getuid?.() ?? 0, rootsGroup: false });
  return problem === undefined ? undefined : { ...named, problem };
};
