import { absolutePath, type Shell } from './shell.ts';
import type { Node, Part, Word } from './syntax.ts';

/** Runs what stands in `$( )` and gives its output. */
export type Evaluate = (body: Node) => Promise<string>;

const specialParameter = (shell: Shell, name: string): string | undefined => {
  if (name === '?') return String(shell.status);
  if (name === '#') return String(shell.parameters.length);
  if (name === '$') return '4242';
  if (name === '!') return '';
  if (name === '0') return 'sh';
  if (name === '@' || name === '*') return shell.parameters.join(' ');
  return /^[1-9]$/.test(name) ? shell.parameters[Number(name) - 1] : shell.variables.get(name);
};

const partText = async (part: Part, shell: Shell, evaluate: Evaluate): Promise<string> => {
  if (part.type === 'text') return part.text;
  if (part.type === 'output') return (await evaluate(part.body)).replace(/\n+$/, '');
  const value = specialParameter(shell, part.name);
  if (part.fallback && (value === undefined || (part.fallback.when === 'empty' && value === ''))) {
    return expandText(part.fallback.word, shell, evaluate);
  }
  if (value === undefined && shell.options.unsetIsError) throw new Error(`${part.name}: parameter not set`);
  return value ?? '';
};

/** A word as one text, without splitting: for settings and redirections. */
export const expandText = async (word: Word, shell: Shell, evaluate: Evaluate): Promise<string> => {
  let text = '';
  for (const part of word) text += await partText(part, shell, evaluate);
  return text;
};

/** A word as the arguments it becomes: `"$@"`, splitting of unquoted values, `*` in the last part of a path. */
export const expandWord = async (word: Word, shell: Shell, evaluate: Evaluate): Promise<string[]> => {
  const fields: { text: string; pattern: boolean; solid: boolean }[] = [];
  let open: { text: string; pattern: boolean; solid: boolean } | undefined;
  const glue = (text: string, quoted: boolean): void => {
    open ??= { text: '', pattern: false, solid: false };
    open.text += text;
    if (quoted) open.solid = true;
    else if (/[*?]/.test(text)) open.pattern = true;
  };
  const close = (): void => {
    if (open) fields.push(open);
    open = undefined;
  };
  for (const part of word) {
    if (part.type === 'variable' && part.name === '@' && part.quoted) {
      for (const [index, parameter] of shell.parameters.entries()) {
        if (index > 0) close();
        glue(parameter, true);
      }
      continue;
    }
    const text = await partText(part, shell, evaluate);
    if (part.quoted || part.type === 'text') {
      glue(text, part.quoted);
      continue;
    }
    for (const [index, piece] of text.split(/[ \t\n]+/).entries()) {
      if (index > 0) close();
      if (piece !== '') glue(piece, false);
    }
  }
  close();
  return fields.flatMap((field) =>
    field.pattern && !field.solid ? matches(field.text, shell) : [field.text],
  );
};

const matches = (pattern: string, shell: Shell): string[] => {
  const slash = pattern.lastIndexOf('/');
  const head = pattern.slice(0, slash + 1);
  const source = pattern
    .slice(slash + 1)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const directory = absolutePath(shell, head);
  if (!shell.outside.files.stat(directory)?.directory) return [pattern];
  const found = shell.outside.files
    .list(directory)
    .filter((name) => new RegExp(`^${source}$`).test(name) && !name.startsWith('.'));
  return found.length > 0 ? found.map((name) => head + name) : [pattern];
};
