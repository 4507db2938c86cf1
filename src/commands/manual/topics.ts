import { helpSections } from '../../../components/help.ts';
import { keysShown } from '../../../components/keys.ts';
import type { System } from '../../model/system.ts';
import { systems as allSystems } from '../../registries/systems.ts';
import { platforms, platformWords } from '../../site/platforms.ts';
import { exitCodes } from '../help.ts';
import { line, type Io } from '../io.ts';
import { requireKnownWord, type HelpOptions } from '../options.ts';
import { pageAsText, type Page, type Part } from './page.ts';
import { siteReference } from './reference.ts';
import { rights } from './rights.ts';

const keys = (): Page => ({
  title: 'Keys',
  summary: 'what each key does, by place; ? in the console shows them for the place that it is in',
  parts: helpSections('board').flatMap((section): Part[] => [
    { heading: section.title },
    { list: section.keys.map((key) => [keysShown(key), key.text] as const) },
  ]),
});

const exitCodePage = (): Page => ({
  title: 'Exit codes',
  summary: 'what a script may count on; JSON goes to standard output, everything else to standard error',
  parts: Object.entries(exitCodes).flatMap(([command, codes]): Part[] => [
    { heading: command },
    { list: codes.map(([code, text]) => [String(code), text] as const) },
  ]),
});

const roles = (systems: readonly System[]): Page => ({
  title: 'Roles',
  summary: 'what a host is for (roles: in the site file), and what has to be there for it',
  parts: systems
    .filter((system) => system.roles.length > 0)
    .flatMap((system): Part[] => [
      { heading: system.title },
      {
        list: system.roles.map((role) => {
          const needs = system.tools?.[role];
          const commands = needs ? `needs ${needs.commands.join(', ')}` : 'no command is looked for there';
          return [role, needs?.root === true ? `${commands}; as root, or with sudo -n` : commands] as const;
        }),
      },
    ]),
});

const platformPage = (): Page => ({
  title: 'Platforms',
  summary:
    'what may answer on a host (platform: in the site file); the table of what is read and done on each is in the README',
  parts: [{ list: platforms.map((name) => [name, platformWords[name]] as const) }],
});

/** What `faultline help TOPIC` prints, by topic. */
export const topics: Readonly<Record<string, (systems: readonly System[]) => Page>> = {
  keys,
  site: siteReference,
  'exit-codes': exitCodePage,
  roles,
  platforms: platformPage,
  rights,
};

/** Wider than this nobody reads a line of text. */
const WIDEST = 100;

/** `faultline help TOPIC`: a page made from the program's own tables. Exit code 0. Throws UsageError on one that there is not. */
export const run = async ({ topic, commands }: HelpOptions, io: Io): Promise<number> => {
  const page = topics[requireKnownWord('topic', topic, [...Object.keys(topics), ...commands])]?.(allSystems);
  const columns = 'columns' in io.stdout && typeof io.stdout.columns === 'number' ? io.stdout.columns : 80;
  for (const text of page ? pageAsText(page, Math.min(columns, WIDEST)) : []) line(io.stdout, text);
  return 0;
};
