import { errorText, type Context } from './context.ts';
import { findingAt } from './dialogs/jot.ts';
import { copyText } from './dialogs/pager.ts';
import { subjectsOf, type Focused } from './state.ts';
import { ticketText } from './ticket.ts';
import type { ShellBox } from './ui.ts';

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

/** `!`: shows to which host a shell would go; Enter opens it. */
export const openShell = (context: Context, at: Focused): void => {
  const { ports } = context;
  if (ports.readOnly || !ports.shell) {
    context.toast('this console opens no shells: it is read-only', 'warning');
    return;
  }
  const known = new Set(ports.hosts());
  const row = at.item?.row;
  const names = row
    ? [row.subject, ...subjectsOf(row)].flatMap((subject) => (subject ? hostsIn(subject.id) : []))
    : [];
  const hosts = [...new Set(names)].filter((name) => known.has(name));
  const [host] = hosts;
  if (host === undefined) {
    context.toast('this row is about no host of the site file', 'warning');
    return;
  }
  context.push({ kind: 'shell', host, others: hosts.length - 1 });
};

/** A port, brick or pair names its hosts before and after the colon. */
const hostsIn = (id: string): readonly string[] => [id, ...id.split(':')];

/** First into the audit log, then the shell; what is known of the host is read again on return. */
export const pressShell = (context: Context, box: ShellBox, does: string | undefined): void => {
  if (does === 'cancel') context.replace(box, undefined);
  if (does !== 'open') return;
  context.replace(box, undefined);
  void shellOn(context, box.host);
};

const shellOn = async (context: Context, host: string): Promise<void> => {
  const { mirror, shell } = context.ports;
  try {
    const written = await mirror.request('shell', { host });
    if ('refused' in written) {
      context.toast(`no shell: ${written.refused}`, 'critical');
      return;
    }
    await shell?.(host);
    const { asked } = await mirror.request('read', { host });
    context.toast(`back from ${host}: asked ${asked} of its sources again`);
  } catch (error) {
    context.toast(`shell on ${host}: ${errorText(error)}`, 'critical');
  }
};
