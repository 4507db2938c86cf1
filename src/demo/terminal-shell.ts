import { createLineEditor } from './line-editor.ts';
import { parseLine } from './shell/parse.ts';
import { runNode } from './shell/run.ts';
import { ExitShell, newShell, Stopped, type Outside, type Sink } from './shell/shell.ts';
import { Incomplete, syntaxProblem } from './shell/syntax.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** A person's login on a simulated host: a prompt, plain line editing, Ctrl-C and Ctrl-D. Resolves to the exit code. */
export const runTerminalShell = async (
  input: AsyncIterable<Uint8Array>,
  outside: Outside,
  out: Sink,
  closed: AbortSignal,
): Promise<number> => {
  const show = (text: string | Uint8Array): void =>
    out(Buffer.from(text).toString().replace(/\r?\n/g, '\r\n'));
  const commands = newCommands(outside, show, closed);
  const editor = createLineEditor(show);
  const lines = new TransformStream<string, string>();
  const typed = lines.writable.getWriter();
  const press = (char: string): void => {
    if (char === CTRL_C) {
      show('^C\n');
      editor.clear();
      if (!commands.interrupt()) commands.prompt();
    } else if (char === CTRL_D) {
      if (editor.isEmpty() && !commands.isRunning()) void typed.write('exit');
    } else {
      const line = editor.type(char);
      if (line !== undefined) void typed.write(line);
    }
  };
  const utf8 = new TextDecoder();
  const reading = (async () => {
    for await (const chunk of input) for (const char of utf8.decode(chunk, { stream: true })) press(char);
    await typed.close();
  })();
  // A channel that breaks ends the loop below through `closed`.
  reading.catch(() => typed.abort().catch(() => undefined));

  show(`Demo host ${outside.host}: simulated, nothing here is real. "exit" leaves.\n`);
  commands.prompt();
  for await (const line of lines.readable) {
    const code = await commands.run(line);
    if (code !== undefined) return code;
    commands.prompt();
  }
  return commands.status();
};

/** The shell behind the lines: a command may need several of them. */
const newCommands = (outside: Outside, show: Sink, closed: AbortSignal) => {
  const shell = newShell(outside);
  let waiting = '';
  let running: AbortController | undefined;
  return {
    status: () => shell.status,
    isRunning: () => running !== undefined,
    prompt: () => show(waiting === '' ? `${outside.user}@${outside.host}:${shell.directory}$ ` : '> '),
    /** Drops an incomplete command; gives whether a running one was stopped. */
    interrupt: (): boolean => {
      waiting = '';
      running?.abort();
      return running !== undefined;
    },
    /** Gives the exit code when the shell ends. */
    run: async (line: string): Promise<number | undefined> => {
      waiting += `${line}\n`;
      const stop = new AbortController();
      running = stop;
      try {
        const parsed = parseLine(waiting);
        waiting = '';
        const streams = { input: { text: '' }, out: show, err: show };
        if (parsed) await runNode(parsed.node, shell, streams, AbortSignal.any([closed, stop.signal]));
      } catch (error) {
        if (error instanceof ExitShell) return error.code;
        if (error instanceof Incomplete) return undefined;
        waiting = '';
        if (!(error instanceof Stopped)) show(syntaxProblem(error));
      } finally {
        running = undefined;
      }
      return undefined;
    },
  };
};
