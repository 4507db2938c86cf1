import bash from './completion/faultline.bash';
import fish from './completion/faultline.fish';
import zsh from './completion/faultline.zsh';
import { themeNames } from '../../components/theme.ts';
import { dropUndefined } from '../kit/known.ts';
import { systems } from '../registries/systems.ts';
import { listSites } from '../site/find.ts';
import { platforms } from '../site/platforms.ts';
import { isPlain } from '../text/safe.ts';
import { FILES, findCandidates, type Wanted } from './completion/candidates.ts';
import { openSite } from './open-site.ts';
import { line, type Io } from './io.ts';
import { inventoryKinds, type CompleteOptions, type CompletionOptions } from './options.ts';

export const completionScripts = { bash, zsh, fish } as const;

/** `faultline completion SHELL`: what that shell is to read. Exit code 0. */
export const run = async ({ shell }: CompletionOptions, io: Io): Promise<number> => {
  io.stdout.write(completionScripts[shell]);
  return 0;
};

/** More than anybody reads, and what a shell asks about before it shows them. */
const MOST = 200;

/**
 * `faultline complete -- WORD...`: what the last word can become, for the scripts of `faultline completion`: a line each, its text
 * behind a tab; `:files` where it is a file. A shell in the middle of a line can show no error: then there is nothing to offer. Exit code 0.
 */
export const complete = async ({ root, words, names }: CompleteOptions, io: Io): Promise<number> => {
  const { values, files } = await findCandidates(root, words, (wanted) => valuesOf(wanted, names, io));
  if (files) line(io.stdout, FILES);
  for (const { value, text } of values.slice(0, MOST))
    if (isPlain(value)) line(io.stdout, text === '' ? value : `${value}\t${text}`);
  return 0;
};

const valuesOf = async (
  { name, words, options }: Wanted,
  names: CompleteOptions['names'],
  io: Io,
): Promise<readonly string[]> => {
  const [first = ''] = words;
  switch (name) {
    case '--incident':
      return names.incidents();
    case '--system':
    case 'actions system':
      return names.systems();
    case '--theme':
      return themeNames;
    case '--platform':
      return platforms;
    case '--set':
      return (await parametersOf(first)).map((parameter) => `${parameter}=`);
    case 'act action':
      return names.actions();
    case 'act target':
      return targetsOf(first, options.get('--site'), io);
    case 'parse format':
      return Object.keys(await (await import('../registries/formats.ts')).loadFormats());
    case '--from':
      return inventoryKinds;
    case 'audit verb':
      return ['show', 'verify', 'report', 'seal'];
    case 'completion shell':
      return ['bash', 'zsh', 'fish'];
    case 'help topic':
      return [...Object.keys((await import('./manual/topics.ts')).topics), ...names.commands()];
    case '--site':
      return [...(await listSites(io.env)), FILES];
    case '--file':
    case '--output':
    case '--ssh-config':
    case '--stderr':
    case 'parse file':
      return [FILES];
    default:
      return [];
  }
};

const parametersOf = async (id: string): Promise<readonly string[]> => {
  const { actionSets } = await import('../registries/actions.ts');
  const action = actionSets.flatMap((set) => set.actions).find((each) => each.id === id);
  return action?.prompts.map((prompt) => prompt.name) ?? [];
};

/** Hosts of the site file that the action's system looks after; a port is typed behind its host. */
const targetsOf = async (action: string, file: string | undefined, io: Io): Promise<readonly string[]> => {
  const system = systems.find(({ id }) => action.startsWith(`${id}.`));
  if (!system) return [];
  const { site } = await openSite(dropUndefined({ site: file }), io).catch(() => ({ site: undefined }));
  const hosts = site?.hosts.filter(({ roles }) => roles.some((role) => system.roles.includes(role))) ?? [];
  return hosts.map(({ name }) => name);
};
