import type { Transport } from '../../model/answer.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import { decode } from '../../text/bytes.ts';
import { makeSafe } from '../../text/safe.ts';
import { quoteHost, type Check } from './report.ts';
import { sshLine } from './mend.ts';
import type { Needs } from './needs.ts';
import { connectionChecks, hostKeyKnown, reached, shellChecks } from './reach.ts';

/** A screen of text from a busy switch takes its time. */
const DEVICE_MS = 15_000;

/** A device without a shell: whether its command line is understood. */
export const examineDevice = async (
  host: HostView,
  { line, dialect }: NonNullable<Needs['device']>,
  transport: Transport,
  site: SiteView,
): Promise<Check[]> => {
  const mend = [
    `${sshLine(site, host.name)}     log in as it does: which prompt comes, and does it ask for more first?`,
    `platform: ${host.platform}     for ${host.name} in ${site.file}: is that right?`,
  ];
  const fault = (text: string): Check => ({
    name: 'shell',
    state: 'fail',
    ...quoteHost(host.name, text, 300),
    mend,
  });
  if (transport.type === undefined) {
    const text = "it is reached through OpenSSH or locally: a device's command line needs our own client";
    return [
      { name: 'reach', state: 'fail', text, mend: [`transport: ssh2     for ${host.name} in ${site.file}`] },
    ];
  }
  const raw = await transport.type({ lines: [line], dialect, deadlineMs: DEVICE_MS, maxBytes: 100_000 });
  // What is no failure to connect or log in is one of its command line: the prompt that never came.
  if (raw.notConnected?.kind === 'other') return [reached, fault(raw.notConnected.message)];
  if (raw.stoppedAt !== undefined)
    return [reached, hostKeyKnown, fault(`it stopped at "${raw.stoppedAt}" and waits for a key`)];
  const failed = connectionChecks(raw, host.name, site);
  if (failed) return failed;
  const refused = decode(raw.stderr).trim();
  return [
    reached,
    hostKeyKnown,
    raw.exitCode === 0
      ? { name: 'shell', state: 'ok', text: `understood: ${makeSafe(line, 60)}` }
      : // What its readings are refused is said one by one.
        {
          name: 'shell',
          state: 'note',
          ...quoteHost(host.name, `the device refuses ${refused === '' ? line : refused}`, 300),
        },
    ...shellChecks(transport, host.name, site),
  ];
};
