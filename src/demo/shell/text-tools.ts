import { FileFault } from './files.ts';
import { absolute, type Builtin, type Command } from './shell.ts';

const lines = (text: string): string[] => {
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  return all;
};

/** The text of the files named, or of standard input. Failures are written and counted. */
const input = (call: Command, operands: readonly string[]): { text: string; failed: boolean } => {
  if (operands.length === 0) {
    const text = call.streams.input.text;
    call.streams.input.text = '';
    return { text, failed: false };
  }
  let failed = false;
  const texts = operands.map((operand) => {
    try {
      return call.shell.outside.files.read(absolute(call.shell, operand));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      call.streams.err(`${call.argv[0]}: ${operand}: ${error.message}\n`);
      failed = true;
      return '';
    }
  });
  return { text: texts.join(''), failed };
};

/** `head -n N`, `tail -n N`, also `-c N`, `-N` and, for tail, `+N`: from the N-th on. */
const ends =
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
    const { text, failed } = input(call, words);
    const pieces = bytes ? [...text] : lines(text).map((line) => `${line}\n`);
    const tail = fromStart ? pieces.slice(Math.max(0, count - 1)) : pieces.slice(-count);
    call.streams.out((from === 'head' ? pieces.slice(0, count) : tail).join(''));
    return failed ? 1 : 0;
  };

const wc: Builtin = (call) => {
  const { text, failed } = input(
    call,
    call.argv.slice(1).filter((word) => !word.startsWith('-')),
  );
  const flag = call.argv[1];
  const counts = { '-l': lines(text).length, '-c': Buffer.byteLength(text) };
  call.streams.out(`${flag === '-c' ? counts['-c'] : counts['-l']}\n`);
  return failed ? 1 : 0;
};

const grep: Builtin = (call) => {
  const flags = call.argv
    .slice(1)
    .filter((word) => word.startsWith('-'))
    .join('');
  const [pattern = '', ...files] = call.argv.slice(1).filter((word) => !word.startsWith('-'));
  const source = flags.includes('F') ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern;
  const wanted = new RegExp(source, flags.includes('i') ? 'i' : '');
  const found = lines(input(call, files).text).filter((line) => wanted.test(line) !== flags.includes('v'));
  if (flags.includes('c')) call.streams.out(`${found.length}\n`);
  else if (!flags.includes('q')) call.streams.out(found.map((line) => `${line}\n`).join(''));
  return found.length > 0 ? 0 : 1;
};

const sort: Builtin = (call) => {
  const { text, failed } = input(
    call,
    call.argv.slice(1).filter((word) => !word.startsWith('-')),
  );
  call.streams.out(
    lines(text)
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
  );
  return failed ? 1 : 0;
};

const basename: Builtin = ({ argv, streams }) => {
  streams.out(`${(argv[1] ?? '').replace(/\/+$/, '').split('/').pop() ?? ''}\n`);
  return 0;
};

const dirname: Builtin = ({ argv, streams }) => {
  streams.out(`${(argv[1] ?? '').replace(/\/[^/]*\/*$/, '') || '/'}\n`);
  return 0;
};

/** The tools on text. */
export const textTools: Readonly<Record<string, Builtin>> = {
  head: ends('head'),
  tail: ends('tail'),
  wc,
  grep,
  sort,
  basename,
  dirname,
};
