import { nearestWord } from '../../src/text/nearest.ts';
import { count } from '../../src/text/units.ts';
import { cut, cutStart } from '../../src/text/width.ts';
import { patch, type Commands, type Completion, type Context, type PaletteCommand } from '../context.ts';
import { defineKeys, runKey } from '../keys.ts';
import { cell, paintWrapped } from '../paint.ts';
import { editText } from '../tokens.ts';
import type { Palette } from '../overlays.ts';
import type { Dialog, Scene } from './dialog.ts';

const keys = defineKeys([
  { keys: ['Enter'], does: 'open', text: 'do it', hint: 'do it' },
  { keys: ['Tab'], does: 'complete', text: 'complete', hint: 'complete' },
  { keys: ['Esc'], does: 'cancel', text: 'close', hint: 'close' },
]);

/** Lines of suggestions. */
const MOST = 12;
/** So much of a name is typed before all that begins so is looked for. */
const LEAST = 2;
/** So much of what was typed is said again in a complaint. */
const QUOTED = 40;

const splitWords = (text: string): { name: string; word: string } => {
  const [name = '', ...rest] = text.trim().replace(/^:/, '').split(/\s+/);
  return { name, word: rest.join(' ') };
};

const findCommand = (name: string, commands: Commands): PaletteCommand | undefined => {
  const exact = commands.find((command) => command.name === name);
  const starting = commands.filter((command) => command.name.startsWith(name));
  return exact ?? (starting.length === 1 ? starting[0] : undefined);
};

/** What could follow a command, as far as it is known here. */
const completionsOf = (
  scene: Scene,
  { words, hints }: PaletteCommand,
  { known }: Palette,
  word: string,
): readonly Completion[] => words?.(scene).map((one) => ({ word: one })) ?? hints?.(scene, known, word) ?? [];

/** What anything is called whose name begins so, whatever it is: `node12` is `host node12`. */
const findNamed = (scene: Scene, palette: Palette, start: string): readonly Completion[] =>
  start.length < LEAST
    ? []
    : scene.commands.flatMap((command) =>
        completionsOf(scene, command, palette, start)
          .filter(({ word }) => word.toLowerCase().startsWith(start.toLowerCase()))
          .map(({ word, note }) => ({
            word: `${command.name} ${word}`,
            ...(note !== undefined && { note }),
          })),
      );

/** The line that is meant by one that names no command: the only thing with that name, or the only one that begins so. */
const meantBy = (scene: Scene, palette: Palette): string => {
  const { text } = palette;
  const { name, word } = splitWords(text);
  if (word !== '' || name === '' || findCommand(name, scene.commands)) return text;
  const named = findNamed(scene, palette, name);
  const exact = named.filter((one) => splitWords(one.word).word === name);
  const only = exact.length > 0 ? exact : named;
  return only.length === 1 ? (only[0]?.word ?? text) : text;
};

/** What is wrong with a line, with the nearest thing that would be right. */
const complaintOf = (context: Context, palette: Palette, text: string): string | undefined => {
  const { name, word } = splitWords(text);
  const names = context.commands.map((command) => command.name);
  const command = findCommand(name, context.commands);
  if (!command) {
    const named = findNamed(context, palette, name);
    if (named.length > 1)
      return `${count(named.length, 'name')} begin with "${cut(name, QUOTED)}": Tab completes`;
    const near = nearestWord(name, names);
    return `no command "${cut(name, QUOTED)}"; ${near === undefined ? `known: ${names.join(', ')}` : `did you mean "${near}"?`}`;
  }
  const words = command.words?.(context);
  if (!words || words.includes(word)) return command.check?.(context, word, palette.known);
  if (word === '') return `:${command.name} needs a name`;
  const near = nearestWord(word, words);
  return `no ${command.name} "${cut(word, QUOTED)}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
};

const execute = (context: Context, palette: Palette): void => {
  const text = meantBy(context, palette);
  const isEmpty = text.trim() === '';
  const complaint = isEmpty ? undefined : complaintOf(context, palette, text);
  if (complaint !== undefined) {
    patch(context, palette, { complaint });
    return;
  }
  context.replace(palette, undefined);
  const { name, word } = splitWords(text);
  if (!isEmpty) findCommand(name, context.commands)?.run(context, word, palette.known);
};

const commonStart = (words: readonly string[]): string => {
  const [first = '', ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
};

const isName = (text: string): boolean => !/\s/.test(text.trimStart());

/** What could stand in the line, of which each begins as it does. */
const suggest = (scene: Scene, palette: Palette): readonly Completion[] => {
  const { name, word } = splitWords(palette.text);
  if (!isName(palette.text)) {
    const command = findCommand(name, scene.commands);
    const all = command ? completionsOf(scene, command, palette, word) : [];
    return all.filter((one) => one.word.startsWith(word));
  }
  const commands = scene.commands.filter((command) => command.name.startsWith(name));
  return commands.length > 0
    ? commands.map((command) => ({ word: command.name, note: command.text }))
    : findNamed(scene, palette, name);
};

const complete = (scene: Scene, palette: Palette): string => {
  const { text } = palette;
  const { name, word } = splitWords(text);
  const words = suggest(scene, palette).map((one) => one.word);
  if (!isName(text)) return `${name} ${commonStart(words) || word}`;
  const [only, other] = words;
  if (only !== undefined && other === undefined) return isName(only) ? `${only} ` : only;
  return commonStart(words) || text;
};

const edit = (context: Context, palette: Palette, text: string): void => {
  const { complaint: _, ...rest } = palette;
  context.replace(palette, { ...rest, text });
};

/** The palette stands above the bottom line, its suggestions over it. */
export const paletteDialog: Dialog<Palette> = {
  keys,
  press: (context, palette, token) => {
    const cancel = (): void => context.replace(palette, undefined);
    const handlers = {
      cancel,
      open: () => execute(context, palette),
      complete: () => edit(context, palette, complete(context, palette)),
    };
    if (runKey(keys, handlers, token.name)) return;
    const text = editText(palette.text, token);
    if (token.name === 'Backspace' && palette.text === '') cancel();
    else if (text !== undefined) edit(context, palette, text);
  },
  paste: (context, palette, text) => edit(context, palette, `${palette.text}${text.replace(/\s+/g, ' ')}`),
  draw: (scene, palette) => {
    const { text, complaint } = palette;
    const { theme } = scene.ports;
    const { columns, rows } = scene.state().size;
    const lines = [
      cell(theme, '─'.repeat(columns), columns, 'dim'),
      ...suggest(scene, palette)
        .slice(0, Math.max(0, Math.min(MOST, rows - 4)))
        .map(({ word, note = '' }) => cell(theme, `  ${word}  ${note}`, columns, 'dim')),
      ...(complaint === undefined
        ? [cell(theme, `:${cutStart(`${text}_`, columns - 1)}`, columns, 'accent')]
        : paintWrapped(theme, `:${cut(text, QUOTED)}   ${complaint}`, columns, 'warning')),
    ];
    const height = lines.length;
    return { left: 0, top: Math.max(0, rows - 1 - height), width: columns, height, lines };
  },
};
