import { FileFault } from './files.ts';
import { absolutePath, printLine, takeInput, type Builtin, type Command } from './shell.ts';

const splitLines = (text: string): string[] => {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  return all;
};

const joinLines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** The text of the files named, or of standard input. Failures are written and counted. */
const readInput = (call: Command, operands: readonly string[]): { text: string; failed: boolean } => {
  if (operands.length === 0) return { text: takeInput(call.streams), failed: false };
  let failed = false;
  const texts = operands.map((operand) => {
    try {
      return call.shell.outside.files.read(absolutePath(call.shell, operand));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      call.streams.err(`${call.argv[0]}: ${operand}: ${error.message}\n`);
      failed = true;
      return '';
    }
  });
  return { text: texts.join(''), failed };
};

/** A command that prints something made of its whole input. */
const convert =
  (make: (text: string, argv: readonly string[]) => string): Builtin =>
  (call) => {
    const operands = call.argv.slice(1).filter((word) => !word.startsWith('-'));
    const { text, failed } = readInput(call, operands);
    call.streams.out(make(text, call.argv));
    return failed ? 1 : 0;
  };

/** `head -n N`, `tail -n N`, also `-c N`, `-N` and, for tail, `+N`: from the N-th on. */
const headOrTail =
  (from: 'head' | 'tail'): Builtin =>
  (call) => {
    const words = call.argv.slice(1);
    let count = 10;
    let bytes = false;
    let fromStart = false;
    while (words[0]?.startsWith('-')) {
      const option = words.shift() ?? '';
      bytes ||= option.startsWith('-c');
      const attached = option.replace(/^-[nc]?/, '');
      const number = attached === '' ? (words.shift() ?? '') : attached;
      fromStart = number.startsWith('+');
      count = Number(number);
    }
    const { text, failed } = readInput(call, words);
    const pieces = bytes ? [...text] : splitLines(text).map((line) => `${line}\n`);
    const tail = fromStart ? pieces.slice(Math.max(0, count - 1)) : pieces.slice(-count);
    call.streams.out((from === 'head' ? pieces.slice(0, count) : tail).join(''));
    return failed ? 1 : 0;
  };

const grep: Builtin = (call) => {
  const { options = [], operands: [pattern = '', ...files] = [] } = Object.groupBy(
    call.argv.slice(1),
    (word) => (word.startsWith('-') ? 'options' : 'operands'),
  );
  const flags = options.join('');
  const source = flags.includes('F') ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern;
  const wanted = new RegExp(source, flags.includes('i') ? 'i' : '');
  const found = splitLines(readInput(call, files).text).filter(
    (line) => wanted.test(line) !== flags.includes('v'),
  );
  if (flags.includes('c')) call.streams.out(`${found.length}\n`);
  else if (!flags.includes('q')) call.streams.out(joinLines(found));
  return found.length > 0 ? 0 : 1;
};

/** The tools on text. */
export const textTools: Readonly<Record<string, Builtin>> = {
  head: headOrTail('head'),
  tail: headOrTail('tail'),
  wc: convert((text, [, flag]) => `${flag === '-c' ? Buffer.byteLength(text) : splitLines(text).length}\n`),
  grep,
  sort: convert((text) => joinLines(splitLines(text).sort())),
  basename: printLine(({ argv: [, path = ''] }) => path.replace(/\/+$/, '').split('/').pop() ?? ''),
  dirname: printLine(({ argv: [, path = ''] }) => path.replace(/\/[^/]*\/*$/, '') || '/'),
};
