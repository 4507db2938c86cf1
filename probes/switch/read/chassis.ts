import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../../src/model/errors.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import type { ChassisReading } from './chassis-reading.ts';
import { portOf } from './port-states.ts';
import { sectionsOf } from './read-optics.ts';

/** Throws when the answer says neither yes nor no: then nobody knows. */
export const readChassis = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
  site: SiteView,
): { value: ChassisReading } => {
  const what = `second chassis of ${host.name}`;
  const said = stderr.trim().split('\n')[0] ?? '';
  if (exitCode === undefined) throw new CommandFailed('other', `${what}: no end of the answer`);
  const sections = new Map(sectionsOf(stdout));
  const body = sections.size > 0 ? [...sections.values()].join('\n') : stdout;
  const value = platformOf(host.platform)?.chassisIn?.({
    ok: exitCode === 0,
    stdout: exitCode === 0 ? body : `${body}\n${stderr}`,
    section: (line) => sections.get(line) ?? '',
    lag: (text) => portOf(site, host.name, text),
  });
  if (value) return { value };
  if (exitCode !== 0)
    throw new CommandFailed('refused', `${what}: exit ${exitCode}${said === '' ? '' : `, ${said}`}`);
  throw new ParseError(`${what}: not what was asked for`, 'line 1', stdout);
};
