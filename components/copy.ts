import type { RankedFinding } from '../src/model/finding.ts';
import { groupThousands } from '../src/text/units.ts';
import { cutStart, width } from '../src/text/width.ts';
import { errorText, type Context } from './context.ts';
import { findingAt } from './dialogs/annotation.ts';
import { evidenceSources } from './findings.ts';
import type { Focused } from './state.ts';
import { ticketText } from './ticket.ts';

/** Terminals drop more than this (the limit of xterm and tmux is about 75,000 bytes of text). */
export const COPY_LIMIT = 70_000;

/** So many columns of a path are shown at least, even where they are cut. */
const LEAST_PATH = 20;

const base64 = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

/** The sequence that puts text on the clipboard of the operator's own terminal, also through ssh; tmux needs it wrapped. */
export const clipboardSequence = (text: string, insideTmux: boolean): string => {
  const sequence = `\u001B]52;c;${base64(text.slice(0, COPY_LIMIT))}\u0007`;
  return insideTmux ? `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\` : sequence;
};

/** Copies text and says how much of it. */
export const copyText = (context: Context, what: string, text: string): void => {
  context.ports.writeRaw(clipboardSequence(text, context.ports.insideTmux));
  const cut = text.length > COPY_LIMIT ? `, cut to ${groupThousands(COPY_LIMIT)}` : '';
  context.toast(`copied ${what} (${groupThousands(text.length)} characters${cut}) by OSC 52`);
};

/** Raw answers that a ticket gets: the newest of each source. */
const MOST_SOURCES = 4;

/** `Y`: the finding with its evidence as Markdown, to the clipboard and into a file. */
export const copyTicket = (context: Context, at: Focused): void => {
  const finding = findingAt(context, at);
  if (finding) copyFinding(context, finding);
  else context.toast('there is no finding on this row to copy', 'warning');
};

export const copyFinding = (context: Context, finding: RankedFinding): void => {
  const { ports } = context;
  const { data } = context.state();
  const make = (answers: Parameters<typeof ticketText>[0]['answers']): string => {
    return ticketText({
      site: data.strip?.site ?? '',
      finding,
      all: data.findings ?? [],
      answers,
      now: ports.clock.now(),
    });
  };
  const put = async (text: string, note: string): Promise<void> => {
    copyText(context, 'the finding for the ticket', text);
    if (!ports.saveTicket) return;
    try {
      const file = await ports.saveTicket(finding.id, text);
      const done = `copied for the ticket (OSC 52)${note}, and written to `;
      // Which file it is stands at the end of its path.
      const room = context.state().size.columns - width(done) - 2;
      context.toast(`${done}${cutStart(file, Math.max(LEAST_PATH, room))}`);
    } catch (error) {
      context.toast(`copied by OSC 52${note}; not written to a file: ${errorText(error)}`, 'warning');
    }
  };
  ports.mirror.request('evidence', { sources: evidenceSources(finding).slice(0, MOST_SOURCES) }).then(
    (answers) => put(make(answers), ''),
    (error: unknown) => put(make([]), ` without raw answers (${errorText(error)})`),
  );
};
