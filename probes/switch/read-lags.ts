import type { Answer } from '../../src/model/answer.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import { lacpMarks } from './lacp-marks.ts';
import { withoutBonds } from './platforms/linux-bonding.ts';
import { portOf, rowsOf } from './read-answers.ts';
import type { LagsReading } from './readings.ts';
import type { LagRow } from './rows.ts';
import { memberStandings } from './standings-told.ts';

/** OS10 prints its members without their kind: `1/1/10(P)`. */
const fullName = (platform: string, member: string): string =>
  platform === 'dell_os10' && /^\d/.test(member) ? `ethernet ${member}` : member;

/** LAGs and members with canonical names. `98` of FTOS is `po98`. */
export const readLags = (
  answer: Answer,
  host: HostView,
  site: SiteView,
): { value: LagsReading; notUnderstood: number } => {
  if (host.platform === 'cumulus' && withoutBonds(answer))
    return { value: { lags: [], members: [] }, notUnderstood: 0 };
  const { rows, notUnderstood } = rowsOf<LagRow>('lags', `LAGs of ${host.name}`, answer, host.platform);
  const isLacp = lacpMarks(host.platform, answer.stdout);
  const standing = memberStandings(host.platform, answer.stdout);
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
    const protocol = row.protocol ?? (isLacp(lag) ? 'lacp' : undefined);
    lags.set(lag, {
      lag,
      ...(row.lagState !== undefined && { state: row.lagState }),
      ...(protocol !== undefined && { protocol }),
    });
    const member = portOf(
      site,
      host.name,
      row.member === undefined ? undefined : fullName(host.platform, row.member),
    );
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
