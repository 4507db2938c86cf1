import type { Command, Option } from 'commander';

/** What may stand in place of the last word; `files`: also the names of files. */
export interface Candidates {
  values: readonly { value: string; text: string }[];
  files: boolean;
}

/** Whose values are asked for: an option's (`--theme`), or an argument's by its command (`act action`); with the arguments and options before it. */
export interface Wanted {
  name: string;
  words: readonly string[];
  options: ReadonlyMap<string, string>;
}

/** Stands among the values where names of files are completed, too. */
export const FILES = ':files';

/** The values of one option or argument. */
export type ValuesOf = (wanted: Wanted) => Promise<readonly string[]>;

const noCandidates: Candidates = { values: [], files: false };

const optionsOf = (command: Command): readonly Option[] => {
  const all = command.parent ? [...command.options, ...command.parent.options] : command.options;
  return all.filter((option) => !option.hidden);
};

const takesValue = (option: Option | undefined): boolean =>
  option?.required === true || option?.optional === true;

/** Where the words lead: the command, its arguments and options so far, and the option that the next word is a value of. */
const followWords = (root: Command, words: readonly string[]) => {
  let command = root;
  let option: Option | undefined;
  const given: string[] = [];
  const options = new Map<string, string>();
  for (const word of words) {
    if (option) {
      options.set(option.long ?? '', word);
      option = undefined;
    } else if (word.startsWith('-')) {
      const found = optionsOf(command).find(({ long, short }) => long === word || short === word);
      if (takesValue(found)) option = found;
    } else {
      const below =
        command === root && given.length === 0 ? root.commands.find((sub) => sub.name() === word) : undefined;
      if (below) command = below;
      else given.push(word);
    }
  }
  return { command, option, given, options };
};

const beginningWith = (values: readonly (readonly [string, string])[], start: string): Candidates['values'] =>
  values.filter(([value]) => value.startsWith(start)).map(([value, text]) => ({ value, text }));

/** What the last of the words, which may be empty, can become. */
export const findCandidates = async (
  root: Command,
  words: readonly string[],
  valuesOf: ValuesOf,
): Promise<Candidates> => {
  const last = words.at(-1) ?? '';
  const { command, option, given, options } = followWords(root, words.slice(0, -1));
  const values = async (name: string, start: string, before = ''): Promise<Candidates> => {
    const found = await valuesOf({ name, words: given, options });
    const texts = found.filter((value) => value !== FILES).map((value) => [`${before}${value}`, ''] as const);
    return { values: beginningWith(texts, `${before}${start}`), files: found.includes(FILES) };
  };
  if (option) return values(option.long ?? '', last);
  const [, long = '', start = ''] = /^(--[a-z-]+)=(.*)$/s.exec(last) ?? [];
  if (long !== '') return values(long, start, `${long}=`);
  if (last.startsWith('-')) {
    const known = optionsOf(command).map(({ long: name = '', description }) => [name, description] as const);
    return { values: beginningWith([...known, ['--help', 'print help']], last), files: false };
  }
  if (command === root && given.length === 0) {
    const shown = root.createHelp().visibleCommands(root);
    return {
      values: beginningWith(
        shown.map((sub) => [sub.name(), sub.description()] as const),
        last,
      ),
      files: false,
    };
  }
  const argument =
    command.registeredArguments[given.length] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  return argument ? values(`${command.name()} ${argument.name()}`, last) : noCandidates;
};
