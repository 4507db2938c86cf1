import { printf } from './printf.ts';
import { absolutePath, ExitShell, printLine, ReturnFrom, type Builtin, type Command } from './shell.ts';
import { isTrue } from './test-command.ts';
import { tools } from './tools.ts';

const test: Builtin = ({ argv, shell, streams }) => {
  const words = argv[0] === '[' ? argv.slice(1, -1) : argv.slice(1);
  try {
    return isTrue(words, shell) ? 0 : 1;
  } catch (error) {
    streams.err(`sh: 1: ${argv[0]}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
};

const set: Builtin = ({ argv, shell }) => {
  const names = { e: 'stopOnError', u: 'unsetIsError', C: 'noClobber' } as const;
  for (const [index, word] of argv.entries()) {
    if (index === 0) continue;
    if (!/^[-+][A-Za-z]+$/.test(word)) {
      shell.parameters = argv.slice(word === '--' ? index + 1 : index);
      return 0;
    }
    for (const letter of word.slice(1)) {
      if (letter in names) shell.options[names[letter as keyof typeof names]] = word.startsWith('-');
    }
  }
  return 0;
};

const findProgram = (name: string, { shell }: Command): string | undefined => {
  if (name in builtins || shell.functions.has(name)) return name;
  return name in tools || shell.outside.knows(name) ? `/usr/bin/${name}` : undefined;
};

const command: Builtin = (call) => {
  const [, option, name = ''] = call.argv;
  if (option !== '-v' && option !== '-V') return call.run(call.argv.slice(1));
  const path = findProgram(name, call);
  if (path !== undefined) call.streams.out(`${path}\n`);
  return path === undefined ? 127 : 0;
};

const cd: Builtin = ({ argv, shell, streams }) => {
  const to = absolutePath(shell, argv[1] ?? '/root');
  if (!shell.outside.files.stat(to)?.directory) {
    streams.err(`sh: 1: cd: can't cd to ${argv[1] ?? ''}\n`);
    return 2;
  }
  shell.directory = to;
  shell.variables.set('PWD', to);
  return 0;
};

const assign: Builtin = ({ argv, shell }) => {
  for (const word of argv.slice(1)) {
    const [name = '', ...value] = word.split('=');
    if (word.includes('=')) shell.variables.set(name, value.join('='));
    if (argv[0] === 'export' && !name.startsWith('-')) shell.exported.add(name);
  }
  return 0;
};

const read: Builtin = ({ argv, shell, streams }) => {
  const names = argv.slice(1).filter((word) => !word.startsWith('-'));
  const end = streams.input.text.indexOf('\n');
  const line = end < 0 ? streams.input.text : streams.input.text.slice(0, end);
  streams.input.text = end < 0 ? '' : streams.input.text.slice(end + 1);
  const words = line.trim().split(/[ \t]+/);
  for (const [index, name] of names.entries()) {
    shell.variables.set(
      name,
      index === names.length - 1 ? words.slice(index).join(' ') : (words[index] ?? ''),
    );
  }
  return end < 0 ? 1 : 0;
};

const exit: Builtin = ({ argv, shell }) => {
  throw new ExitShell(argv[1] === undefined ? shell.status : Number(argv[1]) & 0xff);
};

const exec: Builtin = async (call) => {
  if (call.argv.length === 1) return 0;
  throw new ExitShell(await call.run(call.argv.slice(1)));
};

/** Commands that the shell itself carries out. */
export const builtins: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  echo: ({ argv, streams }) => {
    const plain = argv[1] === '-n';
    streams.out(printf('%b', [argv.slice(plain ? 2 : 1).join(' ')]) + (plain ? '' : '\n'));
    return 0;
  },
  printf: ({ argv, streams }) => {
    // `--` ends the options, of which there are none: a format may begin with a dash.
    const [format = '', ...args] = argv[1] === '--' ? argv.slice(2) : argv.slice(1);
    streams.out(printf(format, args));
    return 0;
  },
  test,
  '[': test,
  set,
  command,
  cd,
  pwd: printLine(({ shell }) => shell.directory),
  export: assign,
  local: assign,
  readonly: assign,
  unset: ({ argv, shell }) => {
    for (const name of argv.slice(1)) shell.variables.delete(name);
    return 0;
  },
  read,
  shift: ({ shell }) => {
    shell.parameters = shell.parameters.slice(1);
    return 0;
  },
  exit,
  return: ({ argv, shell }) => {
    throw new ReturnFrom(argv[1] === undefined ? shell.status : Number(argv[1]) & 0xff);
  },
  exec,
  umask: () => 0,
  trap: () => 0,
  wait: () => 0,
  ulimit: () => 0,
};
