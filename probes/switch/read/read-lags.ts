import type { Answer } from '../../../src/model/answer.ts';
import type { HostView, SiteView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';
import { standingBy } from './member-states.ts';
import { portOf } from './port-states.ts';
import { rowsOf } from './read-answers.ts';
import type { LagsReading } from '../readings.ts';
import type { LagRow } from './rows.ts';

/** LAGs and members with canonical names. `98` of FTOS is `po98`. */
export const readLags = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: LagsReading; notUnderstood: number } => {
  const platform = platformOf(host.platform);
  if (platform?.hasNoLags?.(answer)) return { value: { lags: [], members: [] }, notUnderstood: 0 };
  const { rows, notUnderstood, capture } = rowsOf<LagRow>(
    'lags',
    `LAGs of ${host.name}`,
    answer,
    host.platform,
  );
  const isLacp = platform?.lacpIn?.(capture);
  const standing =
    platform?.standingsIn?.(capture) ??
    (({ memberState }: LagRow) => standingBy(platform?.memberWords ?? {}, memberState));
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
    const does = standing(row);
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
