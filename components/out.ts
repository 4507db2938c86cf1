import { errorText, type Context } from './context.ts';
import { findingAt } from './dialogs/jot.ts';
import { copyText } from './dialogs/pager.ts';
import type { Focused } from './state.ts';
import { ticketText } from './ticket.ts';

/** Raw answers that a ticket gets: the newest of each source. */
const MOST_SOURCES = 4;

/** `Y`: the finding with its evidence as Markdown, to the clipboard and into a file. */
export const copyTicket = (context: Context, at: Focused): void => {
  const finding = findingAt(context, at);
  if (!finding) {
    context.toast('there is no finding on this row to copy', 'warning');
    return;
  }
  const { ports } = context;
  const { data } = context.state();
  const named = finding.evidence.flatMap(({ probe, host }) =>
    probe === undefined || host === undefined ? [] : [{ probe, host }],
  );
  const sources = [...new Map(named.map((one) => [`${one.probe} ${one.host}`, one])).values()];
  const make = (answers: Parameters<typeof ticketText>[0]['answers']): string => {
    const newest = new Map(answers.toReversed().map((one) => [`${one.probe} ${one.host}`, one]));
    return ticketText({
      site: data.strip?.site ?? '',
      finding,
      all: data.findings ?? [],
      answers: [...newest.values()].reverse(),
      now: ports.clock.now(),
    });
  };
  const put = async (text: string, note: string): Promise<void> => {
    copyText(context, 'the finding for the ticket', text);
    if (!ports.saveTicket) return;
    try {
      const file = await ports.saveTicket(finding.id, text);
      context.toast(`copied for the ticket (OSC 52)${note}, and written to ${file}`);
    } catch (error) {
      context.toast(`copied by OSC 52${note}; not written to a file: ${errorText(error)}`, 'warning');
    }
  };
  ports.mirror.request('evidence', { sources: sources.slice(0, MOST_SOURCES) }).then(
    (answers) => put(make(answers), ''),
    (error: unknown) => put(make([]), ` without raw answers (${errorText(error)})`),
  );
};
