import { builtins } from './builtins.ts';
import { expandText, expandWord } from './expand.ts';
import { FileFault } from './files.ts';
import { parseScript } from './parse.ts';
import { redirected } from './redirect.ts';
import {
  ExitShell,
  newShell,
  ReturnFrom,
  Stopped,
  subshell,
  type Command,
  type Shell,
  type Streams,
} from './shell.ts';
import { Incomplete, SyntaxFault, type Node } from './syntax.ts';
import { tools } from './tools.ts';

/** Runs parsed sh. `tested`: a condition, whose failure `set -e` forgives. Resolves to the exit code. */
export const runNode = async (
  node: Node,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
  tested = false,
): Promise<number> => {
  if (signal.aborted) throw new Stopped();
  shell.status = await runKind(node, shell, streams, signal, tested);
  const single = node.type === 'simple' || node.type === 'pipe' || (node.type === 'group' && node.subshell);
  if (single && shell.options.stopOnError && !tested && shell.status !== 0) throw new ExitShell(shell.status);
  return shell.status;
};

const runKind = async (
  node: Node,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
  tested: boolean,
): Promise<number> => {
  const run = (one: Node, condition = tested): Promise<number> =>
    runNode(one, shell, streams, signal, condition);
  switch (node.type) {
    case 'simple':
      return runSimple(node, shell, streams, signal);
    case 'list': {
      let status = 0;
      for (const item of node.items) status = await run(item);
      return status;
    }
    case 'and':
      return (await run(node.left, true)) === 0 ? run(node.right) : shell.status;
    case 'or':
      return (await run(node.left, true)) === 0 ? 0 : run(node.right);
    case 'pipe':
      return runPipe(node, shell, streams, signal);
    case 'function':
      shell.functions.set(node.name, node.body);
      return 0;
    case 'if': {
      for (const branch of node.branches)
        if ((await run(branch.condition, true)) === 0) return run(branch.body);
      return node.otherwise ? run(node.otherwise) : 0;
    }
    case 'loop': {
      let status = 0;
      while (((await run(node.condition, true)) === 0) !== node.until) status = await run(node.body);
      return status;
    }
    case 'for': {
      let status = 0;
      for (const word of node.words) {
        for (const value of await expandWord(word, shell, evaluator(shell, streams, signal))) {
          shell.variables.set(node.name, value);
          status = await run(node.body);
        }
      }
      return status;
    }
    case 'group':
      return runGroup(node, shell, streams, signal, tested);
  }
};

const runGroup = async (
  node: Extract<Node, { type: 'group' }>,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
  tested: boolean,
): Promise<number> => {
  const inner = await redirectedOr(node, shell, streams, signal);
  if (!inner) return 2;
  if (!node.subshell) return runNode(node.body, shell, inner, signal, tested);
  return runSubshell(node.body, subshell(shell), inner, signal);
};

const runSubshell = async (
  body: Node,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  try {
    return await runNode(body, shell, streams, signal);
  } catch (error) {
    if (error instanceof ExitShell) return error.code;
    throw error;
  }
};

const runPipe = async (
  node: Extract<Node, { type: 'pipe' }>,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  let input = streams.input;
  let status = 0;
  for (const [index, command] of node.commands.entries()) {
    const chunks: Uint8Array[] = [];
    const last = index === node.commands.length - 1;
    const out = last ? streams.out : (text: string | Uint8Array): number => chunks.push(Buffer.from(text));
    status = await runSubshell(command, subshell(shell), { ...streams, input, out }, signal);
    input = { text: Buffer.concat(chunks).toString() };
  }
  return node.negate ? Number(status === 0) : status;
};

/** `last.status` becomes the exit code of the last `$( )`: that of a command which is nothing but settings. */
const evaluator =
  (shell: Shell, streams: Streams, signal: AbortSignal, last = { status: 0 }) =>
  async (body: Node): Promise<string> => {
    const chunks: Uint8Array[] = [];
    const out = (text: string | Uint8Array): number => chunks.push(Buffer.from(text));
    last.status = await runSubshell(body, subshell(shell), { ...streams, out }, signal);
    return Buffer.concat(chunks).toString();
  };

/** The redirected streams, or undefined after the reason was written: the command is not run then. */
const redirectedOr = async (
  node: Extract<Node, { type: 'simple' | 'group' }>,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<Streams | undefined> => {
  try {
    return await redirected(node.redirects, shell, streams, (redirect) =>
      expandText(redirect.target, shell, evaluator(shell, streams, signal)),
    );
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    streams.err(`sh: 1: ${error.message}\n`);
    return undefined;
  }
};

const runSimple = async (
  node: Extract<Node, { type: 'simple' }>,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  const last = { status: 0 };
  const evaluate = evaluator(shell, streams, signal, last);
  const argv: string[] = [];
  const settings: Record<string, string> = {};
  for (const word of node.words) argv.push(...(await expandWord(word, shell, evaluate)));
  for (const { name, value } of node.settings) settings[name] = await expandText(value, shell, evaluate);
  const inner = await redirectedOr(node, shell, streams, signal);
  if (!inner) return 2;
  if (argv.length === 0) {
    for (const [name, value] of Object.entries(settings)) shell.variables.set(name, value);
    return last.status;
  }
  const exported = [...shell.exported].map((name) => [name, shell.variables.get(name) ?? ''] as const);
  return runCommand(argv, { ...Object.fromEntries(exported), ...settings }, shell, inner, signal);
};

/** Runs one command: function, builtin, simulated command, then the few file tools every host has. */
const runCommand = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  if (signal.aborted) throw new Stopped();
  const name = argv[0] ?? '';
  const command: Command = {
    argv,
    env,
    streams,
    shell,
    signal,
    run: (next, changes = {}) =>
      runCommand(next, changes.env ?? env, shell, streams, changes.signal ?? signal),
  };
  const body = shell.functions.get(name);
  if (body) return runFunction(body, { ...shell, parameters: argv.slice(1) }, streams, signal);
  const builtin = builtins[name];
  if (builtin) return builtin(command);
  const outside = shell.outside.call(command);
  if (outside) return outside;
  if (/^(?:\/bin\/)?sh$/.test(name) && argv[1] === '-c') {
    const inner = { ...newShell(shell.outside), parameters: argv.slice(4) };
    return runScript(argv[2] ?? '', inner, streams, signal);
  }
  const tool = tools[name.split('/').pop() ?? ''];
  if (tool) return tool(command);
  streams.err(`sh: 1: ${name}: not found\n`);
  return 127;
};

const runFunction = async (
  body: Node,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  try {
    return await runNode(body, shell, streams, signal);
  } catch (error) {
    if (error instanceof ReturnFrom) return error.code;
    throw error;
  }
};

/** A whole script as `sh -c` runs it. Resolves to the exit code; rejects with `Stopped` when the signal fires. */
export const runScript = async (
  script: string,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  try {
    return await runSubshell(parseScript(script), shell, streams, signal);
  } catch (error) {
    if (!(error instanceof SyntaxFault || error instanceof Incomplete)) throw error;
    const what = error instanceof Incomplete ? 'end of file unexpected' : error.message;
    streams.err(`sh: 1: Syntax error: ${what}\n`);
    return 2;
  }
};
