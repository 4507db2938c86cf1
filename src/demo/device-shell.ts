import type { SimulatedSession } from '../model/simulator.ts';
import { createLineEditor } from './line-editor.ts';
import type { Sink } from './shell/shell.ts';

/** A device's output ends the session where it holds this character. */
const HANGS_UP = '\u0004';

const MORE = ' --More-- ';

/** A login on a simulated device: it echoes what is typed, answers line by line and shows its prompt. Resolves to 0. */
export const runDeviceShell = async (
  input: AsyncIterable<Uint8Array>,
  session: SimulatedSession,
  out: Sink,
  closed: AbortSignal,
): Promise<number> => {
  try {
    await converse(input, session, out, closed);
    return 0;
  } finally {
    session.end?.();
  }
};

const converse = async (
  input: AsyncIterable<Uint8Array>,
  session: SimulatedSession,
  out: Sink,
  closed: AbortSignal,
): Promise<void> => {
  const utf8 = new TextDecoder();
  const show = (text: string): void => out(text.replace(/\r?\n/g, '\r\n'));
  const editor = createLineEditor(show);
  /** Pages that wait for a key. */
  let pages: readonly string[] = [];
  const turn = (): void => {
    const [page = '', ...rest] = pages;
    pages = rest;
    show(`${page}${rest.length > 0 ? MORE : session.prompt()}`);
  };
  show(`\n${session.prompt()}`);
  for await (const chunk of input) {
    for (const char of utf8.decode(chunk, { stream: true })) {
      if (closed.aborted) return;
      if (pages.length > 0) {
        show(`\r${' '.repeat(MORE.length)}\r`);
        turn();
        continue;
      }
      if (char === HANGS_UP && editor.isEmpty()) return;
      const line = editor.type(char)?.trim();
      if (line === undefined) continue;
      const answer = line === '' ? { stdout: '' } : session.type(line);
      if (!answer) return;
      const end = answer.stdout.indexOf(HANGS_UP);
      if (end >= 0) return show(answer.stdout.slice(0, end));
      pages = pagesOf(answer.stdout, session.pageLines?.());
      turn();
    }
  }
};

const pagesOf = (text: string, lines: number | undefined): readonly string[] => {
  if (lines === undefined) return [text];
  const all = text.split(/(?<=\n)/);
  return Array.from({ length: Math.ceil(all.length / lines) }, (_, page) =>
    all.slice(page * lines, (page + 1) * lines).join(''),
  );
};
