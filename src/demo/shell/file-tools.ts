import { FileFault } from './files.ts';
import { absolutePath, takeInput, type Builtin, type Command } from './shell.ts';

const split = (argv: readonly string[]): { flags: string; operands: string[] } => {
  const flags: string[] = [];
  const operands: string[] = [];
  let open = true;
  for (const word of argv.slice(1)) {
    if (open && word === '--') open = false;
    else if (open && word.startsWith('-') && word !== '-') flags.push(word.slice(1));
    else operands.push(word);
  }
  return { flags: flags.join(''), operands };
};

/** Runs an operation on each operand; failures are written as the real tool words them, and make the exit code 1. */
const runForEach =
  (
    prefix: (operand: string) => string,
    operation: (path: string, call: Command, flags: string) => void,
    mutates: boolean,
  ): Builtin =>
  (call) => {
    const { flags, operands } = split(call.argv);
    let code = 0;
    let done = 0;
    for (const operand of operands) {
      try {
        operation(absolutePath(call.shell, operand), call, flags);
        done += 1;
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        call.streams.err(`${call.argv[0]}: ${prefix(operand)}: ${error.message}\n`);
        code = 1;
      }
    }
    if (mutates && done > 0) call.shell.outside.onChanged(call.argv);
    return code;
  };

const nameOperand = (what: string) => (operand: string) => `${what}'${operand}'`;

const cat: Builtin = (call) => {
  const { operands } = split(call.argv);
  if (operands.length === 0 || operands[0] === '-') {
    call.streams.out(takeInput(call.streams));
    return 0;
  }
  return runForEach(
    (operand) => operand,
    (path) => call.streams.out(call.shell.outside.files.read(path)),
    false,
  )(call);
};

const ls: Builtin = (call) => {
  const { flags, operands } = split(call.argv);
  const { files } = call.shell.outside;
  let code = 0;
  for (const operand of operands.length > 0 ? operands : ['.']) {
    const path = absolutePath(call.shell, operand);
    const found = files.stat(path);
    if (!found) {
      call.streams.err(`ls: cannot access '${operand}': No such file or directory\n`);
      code = 2;
      continue;
    }
    const names = found.directory && !flags.includes('d') ? files.list(path) : [operand];
    const shown = names.filter((name) => /[aA]/.test(flags) || !name.startsWith('.'));
    call.streams.out(shown.map((name) => `${name}\n`).join(''));
  }
  return code;
};

/** `mv [-f|-n|-T] A B`, `ln A B`. */
const twoNames =
  (verb: string, operation: (from: string, to: string, call: Command) => void): Builtin =>
  (call) => {
    const { operands } = split(call.argv);
    const [from = '', to = ''] = operands;
    try {
      operation(absolutePath(call.shell, from), absolutePath(call.shell, to), call);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      call.streams.err(`${call.argv[0]}: ${verb} '${from}' to '${to}': ${error.message}\n`);
      return 1;
    }
    call.shell.outside.onChanged(call.argv);
    return 0;
  };

const touch = runForEach(
  nameOperand('cannot touch '),
  (path, { shell }) => shell.outside.files.write(path, '', { append: true }),
  true,
);

const chmod: Builtin = (call) => {
  const { operands } = split(call.argv);
  const mode = Number.parseInt(operands[0] ?? '', 8);
  const change = runForEach(
    nameOperand('cannot access '),
    (path, { shell }) => shell.outside.files.setMode(path, Number.isNaN(mode) ? 0o644 : mode),
    true,
  );
  return change({ ...call, argv: ['chmod', ...operands.slice(1)] });
};

/** `stat -c FORMAT FILE...`: %Y %s %a %n %u %U %F %h, and %A of what is neither set nor sticky. */
const stat: Builtin = (call) => {
  const format = call.argv[call.argv.indexOf('-c') + 1] ?? '%n';
  const paths = call.argv.slice(call.argv.indexOf('-c') + 2);
  const show = (operand: string) => {
    const found = call.shell.outside.files.stat(absolutePath(call.shell, operand));
    if (!found) throw new FileFault('No such file or directory');
    const fields: Readonly<Record<string, string>> = {
      Y: String(Math.floor(found.changed / 1000)),
      s: String(found.size),
      a: found.mode.toString(8),
      n: operand,
      u: '0',
      U: 'root',
      h: '1',
      A: [found.directory ? 'd' : '-']
        .concat([...'rwxrwxrwx'].map((letter, at) => ((found.mode >> (8 - at)) & 1 ? letter : '-')))
        .join(''),
      F: found.directory ? 'directory' : 'regular file',
    };
    call.streams.out(`${format.replace(/%([a-zA-Z])/g, (word, letter: string) => fields[letter] ?? word)}\n`);
  };
  const operate = runForEach(nameOperand('cannot statx '), (path) => show(path), false);
  return operate({ ...call, argv: ['stat', ...paths] });
};

/** The tools on files, on the simulated host's own file tree. */
export const fileTools: Readonly<Record<string, Builtin>> = {
  cat,
  ls,
  stat,
  touch,
  chmod,
  chown: () => 0,
  mkdir: (call) => {
    const mode = call.argv.indexOf('-m');
    const argv = mode < 0 ? call.argv : call.argv.toSpliced(mode, 2);
    return runForEach(
      nameOperand('cannot create directory '),
      (path, { shell }, flags) => shell.outside.files.makeDirectory(path, flags.includes('p')),
      true,
    )({ ...call, argv });
  },
  rmdir: runForEach(
    nameOperand('failed to remove '),
    (path, { shell }) => shell.outside.files.removeDirectory(path),
    true,
  ),
  rm: runForEach(
    nameOperand('cannot remove '),
    (path, { shell }, flags) => {
      if (flags.includes('f') && !shell.outside.files.stat(path)) return;
      shell.outside.files.remove(path, /[rR]/.test(flags));
    },
    true,
  ),
  mv: twoNames('cannot move', (from, to, { shell }) => shell.outside.files.move(from, to)),
  ln: twoNames('failed to create hard link', (from, to, { shell }) => shell.outside.files.link(from, to)),
  cp: twoNames('cannot copy', (from, to, { shell }) =>
    shell.outside.files.write(to, shell.outside.files.read(from)),
  ),
};
