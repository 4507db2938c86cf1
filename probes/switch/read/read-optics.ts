import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { complaintIn, type ComplaintKind } from './parse-complaints.ts';
import { captureOf } from './parse-capture.ts';
import { platformOf } from '../platforms/index.ts';
import { placeLanes } from './lane-ports.ts';
import { portOf } from './port-states.ts';
import { lanesOf, rowsOf } from './read-answers.ts';
import type { CountersReading, Lane, OpticsReading } from '../readings.ts';
import type { OpticRow } from './rows.ts';

/** In front of each module's answer when one script asks several; devices put the same line there. */
export const headedCommand = (command: string): string => `printf -- '--- %s\\n' '${command}'`;

/**
 * Modules of a host. Where every port is asked alone, the answer names only a socket (`SFP+ 46`, FTOS) or nothing: the line
 * `--- COMMAND` in front of it says whose it is. A port without a module is passed over. `counters`: of the same host, by which lanes are told
 * from ports. `trial`: that none of the modules may be asked for is an error then, and no gap beside other readings.
 */
export const readOptics = (
  answer: Answer,
  host: HostView,
  site: SiteView,
  asked: readonly string[] | undefined,
  { counters, trial }: { counters?: CountersReading | undefined; trial?: true | undefined } = {},
): { value: OpticsReading; notUnderstood: number } => {
  const what = `optics of ${host.name}`;
  if (!asked) {
    const { rows, notUnderstood } = rowsOf<OpticRow>('optics', what, answer, host.platform);
    const platform = platformOf(host.platform);
    const lanes = lanesOf(rows, (text) =>
      portOf(site, host.name, text === undefined ? undefined : (platform?.socketName?.(text) ?? text)),
    );
    const form = platform?.lanesLikePorts;
    return { value: { lanes: placeLanes(lanes, { form, counters }) }, notUnderstood };
  }
  const commands = new Map(asked.map((port) => [commandFor(host, port), port] as const));
  const lanes: Lane[] = [];
  let odd = 0;
  for (const [command, stdout] of sectionsOf(answer.stdout)) {
    const port = commands.get(command);
    if (port === undefined) continue;
    try {
      const { rows, notUnderstood } = rowsOf<OpticRow>('optics', what, { ...answer, stdout }, host.platform);
      odd += notUnderstood;
      lanes.push(...lanesOf(rows, () => port));
    } catch (error) {
      // A cage without a module, or with one that measures nothing: said in words of its own.
      if (error instanceof CommandFailed && error.code === 'noCommand') throw error;
    }
  }
  const said = trial && lanes.length === 0 ? complaintIn(captureOf(answer.stdout, answer.stderr)) : undefined;
  if (said && refusals.has(said.kind)) throw new CommandFailed('refused', `${what}: ${said.message}`);
  return { value: { lanes }, notUnderstood: odd };
};

/** A command line that does not let an account type something calls it invalid input. That a port has no module is none. */
const refusals: ReadonlySet<ComplaintKind> = new Set(['notPermitted', 'usage']);

/** How one port's module is asked for. */
export const commandFor = (host: HostView, port: string): string | undefined => {
  const platform = platformOf(host.platform);
  const name = platform?.nameOf(port);
  const how = platform?.ask.optics;
  return name === undefined || !how || !('port' in how) ? undefined : how.port(name);
};

/** Each command that was asked for, and what it brought. */
export const sectionsOf = (stdout: string): [string, string][] =>
  `\n${stdout}`
    .split('\n--- ')
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return end < 0 ? [section, ''] : [section.slice(0, end).trim(), section.slice(end + 1)];
    });
