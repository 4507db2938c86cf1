import { nearest } from '../../src/text/nearest.ts';
import { patch, type Context } from '../context.ts';
import type { Token } from '../tokens.ts';
import type { Palette } from '../ui.ts';
import { FINDINGS } from '../findings.ts';
import { edited } from './text-field.ts';

/** What can be typed after `:`. Actions on machines are not among them: they have their menu. */
export interface PaletteCommand {
  name: string;
  text: string;
  /** What may follow. */
  words?(context: Context): readonly string[];
  /** `word` is empty or was checked against `words`. */
  run(context: Context, word: string): void;
}

/** Commands are handed in: they open pagers and move the focus, which this file need not know. */
export type Commands = readonly PaletteCommand[];

export const paneWords = (context: Context): readonly string[] => [
  FINDINGS,
  ...context.state().data.heads.flatMap((head, index) => [head.id, String(index + 1)]),
];

export const pressPalette = (context: Context, palette: Palette, token: Token, commands: Commands): void => {
  if (token.name === 'Esc') context.replace(palette, undefined);
  else if (token.name === 'Enter') execute(context, palette, commands);
  else if (token.name === 'Tab')
    patch(context, palette, { text: completed(context, palette.text, commands) });
  else if (token.name === 'Backspace' && palette.text === '') context.replace(palette, undefined);
  else {
    const text = edited(palette.text, token);
    if (text !== undefined) context.replace(palette, { kind: 'palette', text });
  }
};

const split = (text: string): { name: string; word: string } => {
  const [name = '', ...rest] = text.trim().replace(/^:/, '').split(/\s+/);
  return { name, word: rest.join(' ') };
};

const commandOf = (name: string, commands: Commands): PaletteCommand | undefined => {
  const exact = commands.find((command) => command.name === name);
  const starting = commands.filter((command) => command.name.startsWith(name));
  return exact ?? (starting.length === 1 ? starting[0] : undefined);
};

/** What is wrong with a line, with the nearest thing that would be right. */
const complaintOf = (context: Context, text: string, commands: Commands): string | undefined => {
  const { name, word } = split(text);
  const command = commandOf(name, commands);
  if (!command) {
    const near = nearest(
      name,
      commands.map((one) => one.name),
    );
    return `no command "${name}"${near === undefined ? `; there are ${commands.map((one) => one.name).join(', ')}` : `; did you mean "${near}"?`}`;
  }
  const words = command.words?.(context);
  if (!words || words.includes(word)) return undefined;
  if (word === '') return `:${command.name} needs a name`;
  const near = nearest(word, words);
  return `no ${command.name} "${word}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
};

const execute = (context: Context, palette: Palette, commands: Commands): void => {
  if (palette.text.trim() === '') {
    context.replace(palette, undefined);
    return;
  }
  const complaint = complaintOf(context, palette.text, commands);
  if (complaint !== undefined) {
    patch(context, palette, { complaint });
    return;
  }
  const { name, word } = split(palette.text);
  context.replace(palette, undefined);
  commandOf(name, commands)?.run(context, word);
};

const commonStart = (words: readonly string[]): string => {
  const [first = '', ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
};

const completed = (context: Context, text: string, commands: Commands): string => {
  const { name, word } = split(text);
  if (!/\s/.test(text.trim()) && !text.endsWith(' ')) {
    const names = commands.map((command) => command.name).filter((one) => one.startsWith(name));
    return names.length === 1 ? `${names[0]} ` : commonStart(names) || text;
  }
  const words = (commandOf(name, commands)?.words?.(context) ?? []).filter((one) => one.startsWith(word));
  return `${name} ${commonStart(words) || word}`;
};

/** What could follow, for the line above the prompt. */
export const suggestions = (
  context: Pick<Context, 'state' | 'ports'>,
  text: string,
  commands: Commands,
): readonly string[] => {
  const { name, word } = split(text);
  if (!/\s/.test(text.trimStart()))
    return commands.filter((one) => one.name.startsWith(name)).map((one) => `${one.name}  ${one.text}`);
  return (commandOf(name, commands)?.words?.(context as Context) ?? [])
    .filter((one) => one.startsWith(word))
    .slice(0, 12);
};
