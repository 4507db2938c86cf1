import type { SimulatedSession } from '../model/simulator.ts';
import type { Sink } from './shell/shell.ts';

/** A login on a simulated device: it echoes what is typed, answers line by line and shows its prompt. Resolves to 0. */
export const runDeviceShell = async (
  input: AsyncIterable<Uint8Array>,
  session: SimulatedSession,
  out: Sink,
  closed: AbortSignal,
): Promise<number> => {
  try {
    return await converse(input, session, out, closed);
  } finally {
    session.end?.();
  }
};

const converse = async (
  input: AsyncIterable<Uint8Array>,
  session: SimulatedSession,
  out: Sink,
  closed: AbortSignal,
): Promise<number> => {
  const utf8 = new TextDecoder();
  const show = (text: string): void => out(text.replace(/\r?\n/g, '\r\n'));
  let line = '';
  show(`\n${session.prompt()}`);
  for await (const chunk of input) {
    for (const char of utf8.decode(chunk, { stream: true })) {
      if (closed.aborted) return 0;
      if (char === '\r' || char === '\n') {
        show('\n');
        const typed = line.trim();
        line = '';
        const answer = typed === '' ? { stdout: '' } : session.type(typed);
        if (!answer) return 0;
        show(`${answer.stdout}${session.prompt()}`);
      } else if (char === '\u0004' && line === '') return 0;
      else if (char === '\u007F' || char === '\b') {
        if (line !== '') show('\b \b');
        line = line.slice(0, -1);
      } else if (char >= ' ') {
        line += char;
        show(char);
      }
    }
  }
  return 0;
};
