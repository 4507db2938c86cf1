import { parseLine } from './shell/parse.ts';
import { runNode } from './shell/run.ts';
import { ExitShell, newShell, Stopped, type Outside, type Sink } from './shell/shell.ts';
import { Incomplete, SyntaxFault } from './shell/syntax.ts';

/** A person's login on a simulated host: a prompt, plain line editing, Ctrl-C and Ctrl-D. Resolves to the exit code. */
export const runTerminalShell = async (
  input: AsyncIterable<Uint8Array>,
  outside: Outside,
  out: Sink,
  closed: AbortSignal,
): Promise<number> => {
  const shell = newShell(outside);
  const show = (text: string | Uint8Array): void =>
    out(Buffer.from(text).toString().replace(/\r?\n/g, '\r\n'));
  const prompt = (): void => show(`${outside.user}@${outside.host}:${shell.directory}$ `);
  const utf8 = new TextDecoder();
  let line = '';
  let running: AbortController | undefined;
  let waiting = '';

  /** Gives the exit code when the shell ends. */
  const run = async (text: string): Promise<number | undefined> => {
    waiting += `${text}\n`;
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
      if (error instanceof SyntaxFault) show(`sh: 1: Syntax error: ${error.message}\n`);
      else if (!(error instanceof Stopped)) throw error;
    } finally {
      running = undefined;
    }
    return undefined;
  };

  const lines = new TransformStream<string, string>();
  const typed = lines.writable.getWriter();
  const key = (char: string): void => {
    if (char === '\u0003') {
      show('^C\n');
      line = '';
      waiting = '';
      if (running) running.abort();
      else prompt();
    } else if (char === '\u0004') {
      if (line === '' && !running) void typed.write('exit');
    } else if (char === '\r' || char === '\n') {
      show('\n');
      void typed.write(line);
      line = '';
    } else if (char === '\u007F' || char === '\b') {
      if (line !== '') show('\b \b');
      line = line.slice(0, -1);
    } else if (char >= ' ') {
      line += char;
      show(char);
    }
  };
  const reading = (async () => {
    for await (const chunk of input) for (const char of utf8.decode(chunk, { stream: true })) key(char);
    await typed.close();
  })();
  // A channel that breaks ends the loop below through `closed`.
  reading.catch(() => typed.abort().catch(() => undefined));

  show(`Demo host ${outside.host}: simulated, nothing here is real. "exit" leaves.\n`);
  prompt();
  for await (const text of lines.readable) {
    const code = await run(text);
    if (code !== undefined) return code;
    if (waiting === '') prompt();
    else show('> ');
  }
  return shell.status;
};
