import * as z from 'zod';
import { isPlain } from '../text/safe.ts';

/** Keys by what they do. */
export type Keys = Readonly<Record<string, readonly string[]>>;

/** How a pane is shown. */
export interface PaneSettings {
  columns?: readonly string[] | undefined;
  sort?: string | undefined;
}

/** What the file of an operator's own settings is checked against. */
export interface UserKnowledge {
  themes: readonly string[];
  /** What keys can be changed for, and what each does. */
  actions: ReadonlyMap<string, string>;
  /** Why a key can't be the key of an action; undefined: it can. */
  keyProblem(key: string): string | undefined;
  /** What of the wanted keys can be had, and why the others can't. */
  checkKeys(wanted: Keys): { bindings: Keys; problems: readonly { action: string; text: string }[] };
  /** Ids of the panes. */
  panes: readonly string[];
}

const text = z
  .string()
  .min(1, 'is empty; give it a text or leave the key out')
  .max(200, 'is longer than 200 characters')
  .refine(isPlain, 'holds control or invisible characters; write it in plain text');

const pane = z.strictObject({
  columns: z
    .array(text)
    .min(1, 'is empty; name the columns to show, or leave the key out')
    .optional()
    .describe('the columns to show, by their titles, in this order'),
  sort: text.optional().describe('the column to sort by at first; "-" before it: the other way round'),
});

export const filterText = text;

export const filterName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/, 'is not a good name; use letters, digits, "-" and "_"');

/** One key, or several, for the same thing. */
const keysSchema = (keyProblem: UserKnowledge['keyProblem']) => {
  const key = z.string().superRefine((name, context) => {
    const message = keyProblem(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
  const list = z.array(key).min(1, 'is empty; name a key or leave this out');
  return z.union([key, list]).transform((value) => (typeof value === 'string' ? [value] : value));
};

/** The whole file: all of it can be left out. */
export const userSchema = ({ themes, actions, keyProblem, panes }: UserKnowledge) => {
  const keys = keysSchema(keyProblem);
  return z.strictObject({
    theme: z.enum(themes).optional().describe('the colours; also --theme'),
    mouse: z.boolean().optional().describe('false: the mouse stays with the terminal; also --no-mouse'),
    keys: z
      .strictObject(
        Object.fromEntries([...actions].map(([name, does]) => [name, keys.optional().describe(does)])),
      )
      .default({})
      .describe('keys of the board, a zoomed pane, menus and texts by what they do; one or a list'),
    panes: z.strictObject(Object.fromEntries(panes.map((id) => [id, pane.optional()]))).default({}),
    filters: z
      .record(filterName, filterText)
      .default({})
      .describe('filters by name: ":filter NAME" sets one'),
  });
};

/** The JSON Schema (draft 7, which editors understand) of the file, as text. */
export const userJsonSchema = (knowledge: UserKnowledge): string => {
  const schema = z.toJSONSchema(userSchema(knowledge), {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return `${JSON.stringify({ title: 'Faultline user settings', ...schema }, null, 2)}\n`;
};
