import { bindableActions, checkBindings, keyProblem } from '../../components/bindings.ts';
import { FINDINGS } from '../../components/findings.ts';
import { plainSettings, type Settings } from '../../components/settings.ts';
import { themeNames, type ThemeName } from '../../components/theme.ts';
import { probePath } from '../site/file.ts';
import { userFile } from '../site/find.ts';
import type { UserFile } from '../site/user-file.ts';
import type { UserKnowledge } from '../site/user-schema.ts';
import { makeSafe } from '../text/safe.ts';
import type { Io } from './io.ts';
import type { ScreenOptions } from './options.ts';

export interface ScreenSettings {
  theme: ThemeName;
  settings: Settings;
  /** What is wrong with the operator's own file, a line for each. */
  problems: readonly string[];
}

/** A home that hangs is one of the faults that are looked into here: without settings, then. */
const DEADLINE_MS = 1000;

/** How the screen is wanted: by the command line, else by the operator's own file. Never throws. */
export const screenSettings = async (
  env: Io['env'],
  { theme, mouse }: ScreenOptions,
): Promise<ScreenSettings> => {
  const { settings, problems } = await readOwn(env);
  const { keys, panes, filters } = settings;
  return {
    theme: theme ?? themeNames.find((name) => name === settings.theme) ?? 'dark',
    settings: { keys, panes, filters, mouse: mouse && settings.mouse !== false },
    problems,
  };
};

const readOwn = async (env: Io['env']): Promise<UserFile> => {
  const path = userFile(env, 'config.yaml');
  const there = path === undefined ? 'absent' : await probePath(path, DEADLINE_MS);
  if (path === undefined || there === 'absent') return { settings: plainSettings, problems: [] };
  if (there === 'hung') {
    const problem = makeSafe(`${path}: its file system does not answer; the whole file is ignored`);
    return { settings: plainSettings, problems: [problem] };
  }
  // Who has no such file does not wait for what reads it.
  const { loadUserFile } = await import('../site/user-file.ts');
  return loadUserFile(path, await userKnowledge());
};

/** What an operator's own file of settings is checked against. */
export const userKnowledge = async (): Promise<UserKnowledge> => {
  const { systems } = await import('../registries/systems.ts');
  return {
    themes: themeNames,
    actions: bindableActions(),
    keyProblem,
    checkKeys: checkBindings,
    panes: [
      FINDINGS,
      ...systems.flatMap(({ id, probes, onSite }) => (probes.length > 0 || onSite ? [id] : [])),
    ],
  };
};
