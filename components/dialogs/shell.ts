import { toastError, type Context } from '../context.ts';
import { defineKeys, runKey } from '../keys.ts';
import { blank, cell } from '../paint.ts';
import { subjectsOf, type Focused } from '../state.ts';
import type { ShellBox } from '../overlays.ts';
import { type Dialog, drawBox, innerWidth, keysLine } from './dialog.ts';

const keys = defineKeys([
  { keys: ['Enter'], does: 'open', text: 'open it', hint: 'open it' },
  { keys: ['Esc', 'q'], does: 'cancel', text: 'close', hint: 'close', shown: 'Esc' },
]);

/** `!` on a row: shows to which host a shell would go; Enter opens it. */
export const openShell = (context: Context, at: Focused): void => {
  const row = at.item?.row;
  const names = row
    ? [row.subject, ...subjectsOf(row)].flatMap((subject) => (subject ? hostsIn(subject.id) : []))
    : [];
  offerShell(context, names, 'no host of the site file belongs to this row');
};

/** The same for the first of these names that is a host's; `none` is said when there is no such. */
export const offerShell = (context: Context, names: readonly string[], none: string): void => {
  const { ports } = context;
  if (ports.readOnly || !ports.shell) {
    context.toast('this console opens no shells: it is read-only', 'warning');
    return;
  }
  const known = new Set(ports.hosts());
  const hosts = [...new Set(names)].filter((name) => known.has(name));
  const [host] = hosts;
  if (host === undefined) context.toast(none, 'warning');
  else context.push({ kind: 'shell', host, others: hosts.length - 1 });
};

/** A port, brick or pair names its hosts before and after the colon. */
const hostsIn = (id: string): readonly string[] => [id, ...id.split(':')];

/** First into the audit log, then the shell; what is known of the host is read again on return. */
const runShell = async (context: Context, host: string): Promise<void> => {
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
    toastError(context, `shell on ${host}`, 'critical')(error);
  }
};

/** To which host the shell goes, before it is opened. */
export const shellDialog: Dialog<ShellBox> = {
  keys,
  press: (context, box, { name }) => {
    const cancel = (): void => context.replace(box, undefined);
    const open = (): void => {
      cancel();
      void runShell(context, box.host);
    };
    runKey(keys, { cancel, open }, name);
  },
  draw: ({ ports: { theme }, state }, { host, others }) => {
    const { size } = state();
    const width = innerWidth(size, 80);
    const lines = [
      cell(theme, `ssh ${host}`, width, 'bold'),
      blank(width),
      cell(
        theme,
        'What you type there is neither guarded nor recorded; only the opening is recorded.',
        width,
      ),
      cell(theme, 'The console waits, and reads this host again when the shell ends.', width),
      ...(others > 0
        ? [cell(theme, `The row is about ${others} more hosts; the shell goes to this one.`, width, 'dim')]
        : []),
      blank(width),
      keysLine(theme, keys, width),
    ];
    return drawBox(theme, `Shell on ${host}`, lines, width, size);
  },
};
