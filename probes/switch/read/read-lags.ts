import type { Answer } from '../../../src/model/answer.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import type { Platform } from '../platforms/contracts.ts';
import { platformOf } from '../platforms/index.ts';
import { standingOfState } from './member-states.ts';
import { portOf } from './port-states.ts';
import { rowsOf } from './read-answers.ts';
import type { LagsReading } from '../readings.ts';
import type { LagRow } from './rows.ts';
import { CommandFailed, ParseError } from '../../../src/model/errors.ts';
import type { ChassisReading } from './chassis-reading.ts';
import { sectionsOf } from './read-optics.ts';

/** The tables of an answer: one, or of a device with a second one for LAGs over two chassis that one, too, unless it knows no such thing. */
const tablesOf = (answer: Answer, platform: Platform | undefined): readonly Answer[] => {
  const spanning = platform?.spanningLags;
  const sections = spanning === undefined ? [] : sectionsOf(answer.stdout);
  if (sections.length === 0) return [answer];
  return sections.flatMap(([line, stdout]) => {
    if (spanning?.includes(line) && /^% ?Unrecognized command/im.test(stdout)) return [];
    const stderr = answer.stderr
      .split('\n')
      .filter((one) => one.startsWith(`${line}: `))
      .join('\n');
    return [
      {
        ...answer,
        stdout,
        stderr,
        ...(answer.exitCode !== undefined && { exitCode: stderr === '' ? 0 : 1 }),
      },
    ];
  });
};

/** LAGs and members with canonical names. `98` of FTOS is `po98`. */
export const readLags = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: LagsReading; notUnderstood: number } => {
  const platform = platformOf(host.platform);
  const tables = tablesOf(answer, platform).map((one) => readTable(one, host, site));
  return {
    value: {
      lags: tables.flatMap(({ value }) => value.lags),
      members: tables.flatMap(({ value }) => value.members),
    },
    notUnderstood: tables.reduce((sum, one) => sum + one.notUnderstood, 0),
  };
};

const readTable: typeof readLags = (answer, host, site) => {
  const platform = platformOf(host.platform);
  if (platform?.hasNoLags?.(answer)) return { value: { lags: [], members: [] }, notUnderstood: 0 };
  const { rows, notUnderstood, capture } = rowsOf<LagRow>(
    'lags',
    `LAGs of ${host.name}`,
    answer,
    host.platform,
  );
  const isLacp = platform?.lacpIn?.(capture);
  const standingOf =
    platform?.standingsIn?.(capture) ??
    (({ memberState }: LagRow) => standingOfState(platform?.memberWords ?? {}, memberState));
  const lags = new Map<string, LagsReading['lags'][number]>();
  const members: LagsReading['members'] = [];
  let odd = 0;
  for (const row of rows) {
    const printed = row.lag !== undefined && /^\d+$/.test(row.lag) ? `po${row.lag}` : row.lag;
    const lag = portOf(site, host.name, printed?.replace(/\(.*\)$/, ''));
    if (lag === undefined) {
      odd += 1;
      continue;
    }
    const protocol = row.protocol ?? (isLacp?.(lag) ? 'lacp' : undefined);
    lags.set(lag, {
      lag,
      ...(row.lagState !== undefined && { state: row.lagState }),
      ...(protocol !== undefined && { protocol }),
    });
    const full = row.member === undefined ? undefined : (platform?.memberName?.(row.member) ?? row.member);
    const member = portOf(site, host.name, full);
    if (member === undefined) {
      // A member that can't be named is one that would not be counted.
      if (row.member !== undefined && row.member !== '') odd += 1;
      continue;
    }
    const does = standingOf(row);
    if (does === undefined && row.memberState !== undefined) odd += 1;
    members.push({
      lag,
      member,
      ...(row.memberState !== undefined && { state: row.memberState }),
      ...(does !== undefined && { standing: does, active: does === 'working' }),
    });
  }
  return { value: { lags: [...lags.values()], members }, notUnderstood: notUnderstood + odd };
};

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
