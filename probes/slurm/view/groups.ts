import { blank, figure, ageCell as sinceCell } from '../../../src/kit/rows.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { countChecks } from '../judge/checks.ts';
import { clusterOf } from '../judge/cluster.ts';
import { type Group, groupsOf } from '../judge/groups.ts';
import { ownerWord } from '../judge/ownership.ts';
import { groupSeverity } from '../judge/severity.ts';
import { membersOf, setOf, subjectOf } from '../judge/sentence.ts';
import { stateWord, type Trouble } from '../judge/trouble.ts';

/** What stands where a group has no reason. */
const words: Readonly<Record<Trouble, string>> = {
  drain: 'drained, no reason',
  fail: 'set to fail',
  down: 'down, no reason',
  notResponding: 'not responding',
  reboot: 'being rebooted',
  error: 'error',
  unknown: 'not heard of yet',
  odd: 'unknown state',
};

export const groupSign = (group: Group, judgement: Judgement): 'warning' | 'notice' =>
  groupSeverity(group, judgement) === 'notice' ? 'notice' : 'warning';

/** Nodes out of service by reason: what the pane shows first. `empty` says what no rows mean. */
export const groupsTable = (judgement: Judgement, empty: string): TableBlock => ({
  type: 'table',
  id: 'groups',
  title: 'Out of service',
  columns: [
    { id: 'reason', title: 'REASON', min: 18, grow: 2 },
    { id: 'count', title: '#', align: 'right', min: 4 },
    { id: 'nodes', title: 'NODES', min: 14, grow: 1 },
    { id: 'by', title: 'BY', min: 7, drop: 1 },
    { id: 'since', title: 'SINCE', align: 'right', min: 8 },
    { id: 'check', title: 'CHECK', min: 10, drop: 2 },
  ],
  rows: groupsOf(judgement).map((group) => groupRow(group, judgement)),
  empty,
});

const groupRow = (group: Group, judgement: Judgement): Row => {
  const { nodes, since, owner } = group;
  const source = clusterOf(judgement.readings)?.source;
  const [first] = nodes;
  const sign = groupSign(group, judgement);
  const reason = group.reason === '' ? words[group.trouble] : group.reason;
  const planned = group.plan === 'maintenance' ? ' (planned)' : '';
  const odd = group.trouble === 'odd' && first ? `: ${stateWord(first)}` : '';
  return {
    key: `${group.trouble} ${group.key}`,
    subject: subjectOf(nodes, judgement),
    members: membersOf(nodes, judgement),
    sign,
    ...(source?.state !== 'fresh' && { stale: true }),
    cells: {
      reason: { text: reason + odd + planned, sign },
      count: figure(nodes.length),
      nodes: { text: setOf(nodes) },
      by: { text: ownerWord(owner) },
      since: sinceCell(since),
      check: checkCell(group, judgement),
    },
    search: group.rawReason,
    ...(source && { sources: [{ probe: 'slurm.nodes', host: source.host }] }),
  };
};

/** `17/18 pass`; only for what a check may clear. */
const checkCell = ({ nodes, owner }: Group, judgement: Judgement): Cell => {
  if (owner.kind !== 'health') return blank;
  const { pass, fail, unknown, configured } = countChecks(nodes, judgement);
  if (!configured) return { text: 'no check' };
  if (unknown.length === nodes.length) return { text: 'not yet', sign: 'unknown' };
  return {
    text: `${pass.length}/${nodes.length} pass`,
    sort: pass.length / nodes.length,
    sign: pass.length > 0 ? 'fine' : fail.length > 0 ? 'warning' : 'unknown',
  };
};
