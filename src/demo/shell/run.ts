import { builtins } from './builtins.ts';
import { expandText, expandWord } from './expand.ts';
import { FileFault } from './files.ts';
import { parseScript } from './parse.ts';
import { applyRedirects } from './redirect.ts';
import {
  ExitShell,
  newShell,
  pause,
  ReturnFrom,
  Stopped,
  subshell,
  type Command,
  type Shell,
  type Streams,
} from './shell.ts';
import { syntaxProblem, type Node } from './syntax.ts';
import { tools } from './tools.ts';

/** Functions within functions: one that calls itself would fill the memory. */
const DEEPEST = 200;

/** Turns of a loop in one go. */
const TURNS = 1000;

/** The longest value of a variable: a loop may double one for ever. */
const MOST_TEXT = 1_000_000;

/** Where a command runs: in which shell, with what for its streams, and until when. */
interface Place {
  shell: Shell;
  streams: Streams;
  signal: AbortSignal;
  /** How many functions it stands in. */
  depth?: number;
}

/** Runs parsed sh. Resolves to the exit code. */
export const runNode = (node: Node, shell: Shell, streams: Streams, signal: AbortSignal): Promise<number> =>
  runIn(node, { shell, streams, signal });

/** `tested`: a condition, whose failure `set -e` forgives. */
const runIn = async (node: Node, at: Place, tested = false): Promise<number> => {
  const { shell, signal } = at;
  if (signal.aborted) throw new Stopped();
  shell.status = await runKind(node, at, tested);
  const single = node.type === 'simple' || node.type === 'pipe' || (node.type === 'group' && node.subshell);
  if (single && shell.options.stopOnError && !tested && shell.status !== 0) throw new ExitShell(shell.status);
  return shell.status;
};

const runKind = async (node: Node, at: Place, tested: boolean): Promise<number> => {
  const { shell } = at;
  const run = (one: Node, condition = tested): Promise<number> => runIn(one, at, condition);
  let status = 0;
  switch (node.type) {
    case 'simple':
      return runSimple(node, at);
    case 'list':
      for (const item of node.items) status = await run(item);
      return status;
    case 'and':
      return (await run(node.left, true)) === 0 ? run(node.right) : shell.status;
    case 'or':
      return (await run(node.left, true)) === 0 ? 0 : run(node.right);
    case 'pipe':
      return runPipe(node, at);
    case 'function':
      shell.functions.set(node.name, node.body);
      return 0;
    case 'if':
      for (const branch of node.branches)
        if ((await run(branch.condition, true)) === 0) return run(branch.body);
      return node.otherwise ? run(node.otherwise) : 0;
    case 'loop':
      for (let turn = 1; ((await run(node.condition, true)) === 0) !== node.until; turn += 1) {
        status = await run(node.body);
        // A loop without end leaves room for the other hosts, and for what ends it.
        if (turn % TURNS === 0) await pause(0, at.signal);
      }
      return status;
    case 'for':
      for (const word of node.words) {
        for (const value of await expandWord(word, shell, evaluator(at))) {
          shell.variables.set(node.name, value);
          status = await run(node.body);
        }
      }
      return status;
    case 'group':
      return runGroup(node, at, tested);
  }
};

const runGroup = async (
  node: Extract<Node, { type: 'group' }>,
  at: Place,
  tested: boolean,
): Promise<number> => {
  const streams = await tryRedirects(node, at);
  if (!streams) return 2;
  const inner = { ...at, streams };
  return node.subshell ? runSubshell(node.body, inner) : runIn(node.body, inner, tested);
};

/** In a copy of the shell, which alone an `exit` ends. */
const runSubshell = (body: Node, at: Place): Promise<number> =>
  runWhole(body, { ...at, shell: subshell(at.shell) });

/** Up to its end, or to an `exit` (of a function: a `return`). */
const runWhole = async (body: Node, at: Place, Ends = ExitShell): Promise<number> => {
  try {
    return await runIn(body, at);
  } catch (error) {
    if (error instanceof Ends) return error.code;
    throw error;
  }
};

/** Runs in a subshell, and keeps what it prints. */
const captureOutput = async (body: Node, at: Place): Promise<{ text: string; status: number }> => {
  const chunks: Uint8Array[] = [];
  const writeOut = (text: string | Uint8Array): number => chunks.push(Buffer.from(text));
  const status = await runSubshell(body, { ...at, streams: { ...at.streams, out: writeOut } });
  return { text: Buffer.concat(chunks).toString(), status };
};

const runPipe = async (node: Extract<Node, { type: 'pipe' }>, at: Place): Promise<number> => {
  let { input } = at.streams;
  let status = 0;
  for (const [index, command] of node.commands.entries()) {
    const inner = { ...at, streams: { ...at.streams, input } };
    if (index === node.commands.length - 1) status = await runSubshell(command, inner);
    else input = { text: (await captureOutput(command, inner)).text };
  }
  return node.negate ? Number(status === 0) : status;
};

/** `last.status` becomes the exit code of the last `$( )`: that of a command which is nothing but settings. */
const evaluator =
  (at: Place, last = { status: 0 }) =>
  async (body: Node): Promise<string> => {
    const { text, status } = await captureOutput(body, at);
    last.status = status;
    return text;
  };

/** The redirected streams, or undefined after the reason was written: the command is not run then. */
const tryRedirects = async (
  node: Extract<Node, { type: 'simple' | 'group' }>,
  at: Place,
): Promise<Streams | undefined> => {
  const { shell, streams } = at;
  try {
    return await applyRedirects(node.redirects, shell, streams, (redirect) =>
      expandText(redirect.target, shell, evaluator(at)),
    );
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    streams.err(`sh: 1: ${error.message}\n`);
    return undefined;
  }
};

const runSimple = async (node: Extract<Node, { type: 'simple' }>, at: Place): Promise<number> => {
  const { shell } = at;
  const last = { status: 0 };
  const evaluate = evaluator(at, last);
  const argv: string[] = [];
  const settings: Record<string, string> = {};
  for (const word of node.words) argv.push(...(await expandWord(word, shell, evaluate)));
  for (const { name, value } of node.settings) settings[name] = await expandText(value, shell, evaluate);
  if (Object.values(settings).some(({ length }) => length > MOST_TEXT)) {
    at.streams.err('sh: 1: Out of space\n');
    throw new ExitShell(2);
  }
  const streams = await tryRedirects(node, at);
  if (!streams) return 2;
  if (argv.length === 0) {
    for (const [name, value] of Object.entries(settings)) shell.variables.set(name, value);
    return last.status;
  }
  const exported = [...shell.exported].map((name) => [name, shell.variables.get(name) ?? ''] as const);
  return runCommand(argv, { ...Object.fromEntries(exported), ...settings }, { ...at, streams });
};

/** Runs one command: function, builtin, simulated command, then the few file tools every host has. */
const runCommand = async (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  at: Place,
): Promise<number> => {
  const { shell, streams, signal } = at;
  if (signal.aborted) throw new Stopped();
  const name = argv[0] ?? '';
  const command: Command = {
    argv,
    env,
    ...at,
    run: (next, changes = {}) =>
      runCommand(next, changes.env ?? env, { ...at, signal: changes.signal ?? signal }),
  };
  const body = shell.functions.get(name);
  const depth = (at.depth ?? 0) + 1;
  if (body && depth > DEEPEST) {
    streams.err('sh: 1: Maximum function recursion depth reached\n');
    throw new Stopped();
  }
  if (body)
    return runWhole(body, { ...at, depth, shell: { ...shell, parameters: argv.slice(1) } }, ReturnFrom);
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

/** A whole script as `sh -c` runs it. Resolves to the exit code; rejects with `Stopped` when the signal fires. */
export const runScript = async (
  script: string,
  shell: Shell,
  streams: Streams,
  signal: AbortSignal,
): Promise<number> => {
  try {
    return await runWhole(parseScript(script), { shell, streams, signal });
  } catch (error) {
    streams.err(syntaxProblem(error));
    return 2;
  }
};
