import { checks } from '../../probes/checks/index.ts';
import type { FindingDraft } from '../../src/model/finding.ts';
import type { Point } from '../../src/model/reading.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { historyOf, judgementOf, Sources } from '../helpers/judging.ts';
import { knowledge } from '../../src/commands/open-site.ts';

/** A site with these checks in its file: two hosts with jobs, and the console's own. */
export const siteWith = (...lines: readonly string[]): SiteView =>
  viewOf(
    parseSite(
      [
        'site: test',
        'hosts:',
        '  - {names: ctl1, roles: [slurm-controller]}',
        '  - {names: "node[1-8]", roles: [compute]}',
        '  - {names: console, roles: [here], transport: local}',
        'checks:',
        ...lines.map((line) => `  ${line}`),
      ].join('\n'),
      'site.yaml',
      knowledge,
    ).site,
  );

/** What a check said, as its probe reads it. */
export const said = (
  state: 'ok' | 'warning' | 'critical' | 'unknown',
  text = 'as it is',
  more: Readonly<Record<string, unknown>> = {},
) => ({ state, text, more: [], values: [], ...more });

/** A site in which these checks were asked. */
export const asked = (site: SiteView, series: Readonly<Record<string, readonly Point[]>> = {}) => {
  const readings = new Sources();
  return {
    readings,
    judgement: (): Judgement => judgementOf({ readings, site, history: historyOf(series) }),
    findings: (): readonly FindingDraft[] =>
      checks.findings(judgementOf({ readings, site, history: historyOf(series) })),
  };
};
