import { encodeAnswer, GREETING, RequestDecoder, type FrameRequest } from '../transport/frame.ts';
import { parseLine } from './shell/parse.ts';
import { runNode, runScript } from './shell/run.ts';
import { ExitShell, newShell, runLimited, type Outside, type Streams } from './shell/shell.ts';
import { Incomplete, syntaxProblem } from './shell/syntax.ts';

/**
 * `sh` reading its commands from a channel: framed requests when the greeting of the frame comes first, else line by line as a
 * real shell does (commands among them find an empty input). Resolves to the exit code when the input ended, or the script said `exit`.
 */
export const runStdinShell = async (
  input: AsyncIterable<Uint8Array>,
  outside: Outside,
  streams: Pick<Streams, 'out' | 'err'>,
  signal: AbortSignal,
): Promise<number> => {
  const session = { outside, streams, signal };
  const chunks = input[Symbol.asyncIterator]();
  let begin = Buffer.alloc(0);
  while (begin.length < GREETING.length && GREETING.startsWith(begin.toString('latin1'))) {
    const next = await chunks.next();
    if (next.done) break;
    begin = Buffer.concat([begin, next.value]);
  }
  const framed = begin.length > 0 && begin.toString('latin1').startsWith(GREETING);
  return (framed ? runFramed : runLines)(begin, chunks, session);
};

interface ShellSession {
  outside: Outside;
  streams: Pick<Streams, 'out' | 'err'>;
  signal: AbortSignal;
}

const runFramed = async (
  begin: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  { outside, streams, signal }: ShellSession,
): Promise<number> => {
  const decoder = new RequestDecoder();
  for (let chunk: Uint8Array | undefined = begin; chunk;) {
    for (const request of decoder.push(chunk)) {
      const answer = await answerFrame(request, outside, signal);
      streams.out(answer.stdout);
      streams.err(answer.stderr);
    }
    const next = await chunks.next();
    chunk = next.done ? undefined : next.value;
  }
  return 0;
};

const answerFrame = async (
  { nonce, seconds, script, stdin }: FrameRequest,
  outside: Outside,
  signal: AbortSignal,
): Promise<{ stdout: Uint8Array; stderr: Uint8Array }> => {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const streams: Streams = {
    input: { text: stdin ?? '' },
    out: (text) => out.push(typeof text === 'string' ? Buffer.from(text) : text),
    err: (text) => err.push(typeof text === 'string' ? Buffer.from(text) : text),
  };
  const exitCode = await runLimited(seconds, signal, (limited) =>
    runScript(script, newShell(outside), streams, limited),
  );
  return encodeAnswer(nonce, { stdout: Buffer.concat(out), stderr: Buffer.concat(err), exitCode });
};

const runLines = async (
  begin: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  { outside, streams: { out, err }, signal }: ShellSession,
): Promise<number> => {
  const shell = newShell(outside);
  const utf8 = new TextDecoder();
  let text = utf8.decode(begin, { stream: true });
  try {
    for (let ended = false; ;) {
      const line = nextLine(text, ended);
      if (line) {
        text = line.rest;
        await runNode(line.node, shell, { input: { text: '' }, out, err }, signal);
        continue;
      }
      if (ended) return shell.status;
      const next = await chunks.next();
      ended = next.done === true;
      if (!next.done) text += utf8.decode(next.value, { stream: true });
    }
  } catch (error) {
    if (error instanceof ExitShell) return error.code;
    err(syntaxProblem(error));
    return 2;
  }
};

/** The next whole line of commands; undefined when more has to come first, or nothing is left. */
const nextLine = (text: string, ended: boolean): ReturnType<typeof parseLine> => {
  const whole = ended ? text.length : text.lastIndexOf('\n') + 1;
  try {
    const line = parseLine(text.slice(0, whole));
    return line && { node: line.node, rest: line.rest + text.slice(whole) };
  } catch (error) {
    if (error instanceof Incomplete && !ended) return undefined;
    throw error;
  }
};
