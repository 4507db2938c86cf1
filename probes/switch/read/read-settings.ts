import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import type { SettingsReading } from '../readings.ts';
import { captureOf, type Capture } from './parse-capture.ts';
import { portOf } from './port-states.ts';
import type { PortSettings } from './port-settings.ts';
import { sectionsOf } from './read-optics.ts';

/** Of the ports that were asked one by one: what stands below each of a port's commands is of that port. */
const bySections = (
  { stdout }: Answer,
  host: HostView,
  asked: readonly string[],
): ReadonlyMap<string, PortSettings> => {
  const platform = platformOf(host.platform);
  const how = platform?.ask.settings;
  const sections = new Map(sectionsOf(stdout));
  if (how === undefined || !('port' in how)) return new Map();
  return new Map(
    asked.flatMap((port): [string, PortSettings][] => {
      const name = platform?.nameOf(port);
      if (name === undefined) return [];
      const ownSections = how.port(name).map((command) => sections.get(command) ?? '');
      const found = platform?.portSettingsTold?.(captureOf(ownSections.join('\n')).lines, name);
      return found ? [[port, found]] : [];
    }),
  );
};

/** In which words nothing was told. */
const whyUntold = ({ stderr, exitCode }: Answer, { spoken }: Capture): string => {
  const said = [...stderr.split('\n'), ...spoken].map((line) => line.trim());
  const first = said.find((line) => line !== '' && !line.startsWith('--- '));
  return `exit ${exitCode ?? 'unknown'}${first === undefined ? '' : `, ${first}`}`;
};

/**
 * How ports are set. A device that does not tell says so in its reading: nothing rests on it alone, so it is a notice and no failure.
 * `asked`: the ports that were asked one by one. `trial`: then it is an error.
 */
export const readSettings = (
  answer: Answer,
  host: HostView,
  site: SiteView,
  { asked, trial }: { asked?: readonly string[] | undefined; trial?: true | undefined } = {},
): { value: SettingsReading } => {
  const capture = captureOf(answer.stdout, answer.stderr);
  const found = asked
    ? bySections(answer, host, asked)
    : (platformOf(host.platform)?.settingsTold?.(capture) ?? new Map<string, PortSettings>());
  const ports = [...found].flatMap(([name, settings]) => {
    const port = asked ? name : portOf(site, host.name, name);
    return port === undefined ? [] : [{ port, ...settings }];
  });
  if (ports.length > 0) return { value: { ports } };
  const untold = whyUntold(answer, capture);
  if (trial) throw new CommandFailed('refused', `settings of ${host.name}: ${untold}`);
  return { value: { ports, untold } };
};
