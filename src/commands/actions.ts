import { actionSetsOn } from '../collect/on-site.ts';
import * as z from 'zod';
import { dropUndefined } from '../kit/known.ts';
import type { Action, ActionSet } from '../model/action.ts';
import { actionSets } from '../registries/actions.ts';
import { findSiteFile } from '../site/find.ts';
import { SiteError } from '../site/problem.ts';
import { fitText, width } from '../text/width.ts';
import { jsonText, line, type Io } from './io.ts';
import type { ActionsOptions } from './options.ts';

/** A parameter as `--set NAME=VALUE` takes it. */
interface Parameter {
  name: string;
  required: boolean;
  /** What it is, in words. */
  text: string;
  /** What may be given, where that is a list. */
  values?: readonly string[];
  default?: string | number;
}

/** What `z.toJSONSchema` tells of an action's parameters, as far as it is shown. */
const schemaOfParameters = z.object({
  properties: z
    .record(
      z.string(),
      z.object({
        enum: z.array(z.string()).optional(),
        default: z.union([z.string(), z.number()]).optional(),
        description: z.string().optional(),
      }),
    )
    .default({}),
  required: z.array(z.string()).default([]),
});

/** `faultline actions`: what `act` takes, one line an action and below it one a parameter. Exit code 0. */
export const run = async ({ system, site, json }: ActionsOptions, io: Io): Promise<number> => {
  const actions = (await setsHere(io, site))
    .filter((set) => system === undefined || set.system === system)
    .flatMap((set) => set.actions.map((action) => describe(set.system, action)));
  if (json) line(io.stdout, jsonText({ schema: 1, actions }, 1));
  else if (actions.length === 0) line(io.stdout, `${system ?? 'this program'} has no actions`);
  else for (const text of tableOf(actions)) line(io.stdout, text);
  return 0;
};

/** With the actions of the site file, where there is one. One that is found and can't be read is told, and the rest listed all the same. */
const setsHere = async (io: Io, site: string | undefined): Promise<readonly ActionSet[]> => {
  const { file } = await findSiteFile(io.env, site);
  if (file === undefined) return actionSets;
  const { openSite } = await import('./open-site.ts');
  try {
    const opened = await openSite({ site: file }, io);
    await opened.close();
    return actionSetsOn(actionSets, opened.site);
  } catch (error) {
    if (!(error instanceof SiteError) || site !== undefined) throw error;
    for (const text of error.lines) line(io.stderr, text);
    return actionSets;
  }
};

const describe = (system: string, action: Action) => {
  const { id, danger, subject, title, prompts } = action;
  const { properties, required } = schemaOfParameters.parse(
    z.toJSONSchema(action.parameters, { io: 'input' }),
  );
  const parameters = Object.entries(properties).map(
    ([name, { enum: values, default: initial, description }]): Parameter => {
      const label = prompts.find((prompt) => prompt.name === name)?.label;
      return {
        name,
        required: required.includes(name),
        text: label ?? description ?? '',
        ...dropUndefined({ values, default: initial }),
      };
    },
  );
  return { id, system, subject, danger, title, parameters };
};

type Described = ReturnType<typeof describe>;

const tableOf = (actions: readonly Described[]): string[] => {
  const columns = Math.max(...actions.map(({ id }) => width(id)));
  return actions.flatMap(({ id, subject, danger, title, parameters }) => [
    `${fitText(id, columns)}  ${fitText(subject, 10)} ${fitText(danger, 10)}  ${title}`,
    ...parameters.map((parameter) => `${' '.repeat(columns + 2)}${parameterText(parameter)}`),
  ]);
};

/** `--set by=latest-mtime|bigger-file  which copy wins (required)`; a reason has an option of its own. */
const parameterText = ({ name, required, text, values, default: initial }: Parameter): string => {
  const given = values?.filter((value) => value !== '').join('|') ?? (name === 'reason' ? 'TEXT' : 'VALUE');
  const option = name === 'reason' ? `--reason ${given}` : `--set ${name}=${given}`;
  const notes = [
    ...(required ? ['required'] : []),
    ...(initial === undefined || initial === '' ? [] : [`default ${initial}`]),
  ].join(', ');
  return [option, ...(text && text !== name ? [` ${text}`] : []), ...(notes ? [`(${notes})`] : [])].join(' ');
};
