import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { PaneView } from '../../../src/model/view.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { findings } from '../judge/findings.ts';
import { reachOf } from '../judge/reach.ts';
import { lustreOf } from '../judge/join.ts';
import { ostsTable } from './osts.ts';
import { tasksTables } from './tasks.ts';
import { targetsTable } from './targets.ts';
import { groupsTable } from './groups.ts';

const probes = ['lustre.mds', 'lustre.oss', 'lustre.client'];

/** The pane: OSTs folded where alike, the MDTs and recovery, every OST. What was never read is "not known". */
export const view = (judgement: Judgement): PaneView => {
  const { systems, byOst } = lustreOf(judgement);
  const sources = probes.flatMap((probe) => judgement.readings.sources(probe));
  const failing = sources.filter(({ state }) => state === 'failed' || state === 'stale');
  if (byOst.size === 0) {
    const why = failing.find(({ failure }) => failure)?.failure?.message ?? 'not read yet';
    const empty = `not known: ${why}`;
    return {
      summary: 'OSTs not known',
      sign: 'unknown',
      wall: 'not known',
      blocks: [groupsTable(judgement, empty), targetsTable(judgement, empty), ostsTable(judgement, empty)],
    };
  }
  const mdts = systems.flatMap((fs) => fs.mdts);
  const osts = [...byOst.values()];
  const reached = Map.groupBy(osts, reachOf);
  const unknown = reached.get('unknown')?.length ?? 0;
  const away = osts.length - unknown - (reached.get('fine')?.length ?? 0);
  const closed = osts.filter(({ mdts: on }) =>
    on.some(({ allocation }) => allocation.verdict === 'blocked'),
  ).length;
  const said = [
    `${systems.map(({ name, version }) => `${name}${version === undefined ? '' : ` ${version}`}`).join(', ')}`,
    count(osts.length, 'OST'),
    mdts.length === 0 ? 'MDTs not known' : count(mdts.length, 'MDT'),
    ...(away > 0 ? [`${groupThousands(away)} out of reach`] : []),
    ...(unknown > 0 ? [`${groupThousands(unknown)} not known to be reached`] : []),
    ...(closed > away ? [`${groupThousands(closed - away)} closed to new files`] : []),
  ];
  return {
    summary: said.join(' · '),
    sign: signOf(judgement, failing.length),
    wall: `${groupThousands(reached.get('fine')?.length ?? 0)}/${groupThousands(osts.length)} OST`,
    blocks: [
      groupsTable(judgement, 'no OSTs'),
      ...tasksTables(judgement),
      targetsTable(judgement, 'MDTs not known'),
      ostsTable(judgement, 'no OSTs'),
    ],
  };
};

const signOf = (judgement: Judgement, failing: number): Sign => {
  const worst = new Set(findings(judgement).map(({ severity }) => severity));
  if (worst.has('critical')) return 'critical';
  if (failing > 0) return 'stale';
  return worst.has('warning') ? 'warning' : worst.has('notice') ? 'notice' : 'fine';
};
