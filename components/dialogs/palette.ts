import { nearestWord } from '../../src/text/nearest.ts';
import { patch, type Commands, type Context, type PaletteCommand } from '../context.ts';
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

const splitWords = (text: string): { name: string; word: string } => {
  const [name = '', ...rest] = text.trim().replace(/^:/, '').split(/\s+/);
  return { name, word: rest.join(' ') };
};

const findCommand = (name: string, commands: Commands): PaletteCommand | undefined => {
  const exact = commands.find((command) => command.name === name);
  const starting = commands.filter((command) => command.name.startsWith(name));
  return exact ?? (starting.length === 1 ? starting[0] : undefined);
};

/** What is wrong with a line, with the nearest thing that would be right. */
const complaintOf = (scene: Scene, text: string): string | undefined => {
  const { name, word } = splitWords(text);
  const names = scene.commands.map((command) => command.name);
  const command = findCommand(name, scene.commands);
  if (!command) {
    const near = nearestWord(name, names);
    return `no command "${name}"; ${near === undefined ? `there are ${names.join(', ')}` : `did you mean "${near}"?`}`;
  }
  const words = command.words?.(scene);
  if (!words || words.includes(word)) return undefined;
  if (word === '') return `:${command.name} needs a name`;
  const near = nearestWord(word, words);
  return `no ${command.name} "${word}"${near === undefined ? '' : `; did you mean "${near}"?`}`;
};

const execute = (context: Context, palette: Palette): void => {
  const isEmpty = palette.text.trim() === '';
  const complaint = isEmpty ? undefined : complaintOf(context, palette.text);
  if (complaint !== undefined) {
    patch(context, palette, { complaint });
    return;
  }
  context.replace(palette, undefined);
  const { name, word } = splitWords(palette.text);
  if (!isEmpty) findCommand(name, context.commands)?.run(context, word);
};

/** What could follow a command, as far as it is known here. */
const wordsAfter = (scene: Scene, name: string): readonly string[] => {
  const command = findCommand(name, scene.commands);
  return command?.words?.(scene) ?? command?.hints?.(scene) ?? [];
};

const commonStart = (words: readonly string[]): string => {
  const [first = '', ...rest] = words;
  let length = first.length;
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
};

const complete = (scene: Scene, text: string): string => {
  const { name, word } = splitWords(text);
  if (!/\s/.test(text.trim()) && !text.endsWith(' ')) {
    const names = scene.commands.map((command) => command.name).filter((known) => known.startsWith(name));
    return names.length === 1 ? `${names[0]} ` : commonStart(names) || text;
  }
  const words = wordsAfter(scene, name);
  return `${name} ${commonStart(words.filter((known) => known.startsWith(word))) || word}`;
};

/** What could follow, for the lines above the prompt. */
const suggest = (scene: Scene, text: string): readonly string[] => {
  const { name, word } = splitWords(text);
  if (!/\s/.test(text.trimStart()))
    return scene.commands
      .filter((command) => command.name.startsWith(name))
      .map((command) => `${command.name}  ${command.text}`);
  const words = wordsAfter(scene, name);
  return words.filter((known) => known.startsWith(word)).slice(0, 12);
};

/** The palette stands above the bottom line, its suggestions over it. */
export const paletteDialog: Dialog<Palette> = {
  keys,
  press: (context, palette, token) => {
    const cancel = (): void => context.replace(palette, undefined);
    const handlers = {
      cancel,
      open: () => execute(context, palette),
      complete: () => patch(context, palette, { text: complete(context, palette.text) }),
    };
    if (runKey(keys, handlers, token.name)) return;
    const text = editText(palette.text, token);
    if (token.name === 'Backspace' && palette.text === '') cancel();
    else if (text !== undefined) context.replace(palette, { kind: 'palette', text });
  },
  paste: (context, palette, text) =>
    context.replace(palette, { kind: 'palette', text: `${palette.text}${text.replace(/\s+/g, ' ')}` }),
  draw: (scene, { text, complaint }) => {
    const { theme } = scene.ports;
    const { columns, rows } = scene.state().size;
    const lines = [
      cell(theme, '─'.repeat(columns), columns, 'dim'),
      ...suggest(scene, text)
        .slice(0, Math.max(0, Math.min(8, rows - 4)))
        .map((suggestion) => cell(theme, `  ${suggestion}`, columns, 'dim')),
      ...(complaint === undefined
        ? [cell(theme, `:${text}_`, columns, 'accent')]
        : paintWrapped(theme, `:${text}   ${complaint}`, columns, 'warning')),
    ];
    const height = lines.length;
    return { left: 0, top: Math.max(0, rows - 1 - height), width: columns, height, lines };
  },
};
