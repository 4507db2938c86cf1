import { errorText, type Context } from './context.ts';
import { subjectsOf, type Focused } from './state.ts';
import type { ShellBox } from './ui.ts';

/** `!` on a row: shows to which host a shell would go; Enter opens it. */
export const openShell = (context: Context, at: Focused): void => {
  const row = at.item?.row;
  const names = row
    ? [row.subject, ...subjectsOf(row)].flatMap((subject) => (subject ? hostsIn(subject.id) : []))
    : [];
  offerShell(context, names, 'this row is about no host of the site file');
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
