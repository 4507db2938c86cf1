import { memoPer } from '../../../src/kit/memo.ts';
import { blank, ageCell } from '../../../src/kit/rows.ts';
import type { Reading } from '../../../src/model/reading.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, Row, TableBlock } from '../../../src/model/view.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { compareByName } from '../../../src/text/nodeset.ts';
import { checkOf } from '../judge/checks.ts';
import { clusterOf, indexOf, jobsOn, nodeSubject } from '../judge/cluster.ts';
import { sourceOf } from '../judge/clusters.ts';
import { ownerOf, ownerWord, shownReason } from '../judge/ownership.ts';
import type { NodesReading, SlurmJob, SlurmNode } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { hasFlag, stateWord, troubleOf } from '../judge/trouble.ts';

const idle: Cell = { text: '', sort: 0 };

/** Rows as they were drawn last: a row that says the same is the same object, so that telling what changed is cheap. */
interface Drawn {
  reading: Reading<NodesReading>;
  jobs: unknown;
  /** What else all rows depend on. */
  whole: string;
  rows: readonly Row[];
  byName: Map<string, { says: string; row: Row }>;
}
/** By the host that was asked: of each cluster its own. */
const drawnNodes = memoPer((_site: SiteView) => new Map<string, Drawn>());

/** All nodes, those out of service first, then by name. */
export const nodesTable = (judgement: Judgement, empty: string): TableBlock => ({
  type: 'table',
  id: 'nodes',
  title: 'Nodes',
  columns: [
    { id: 'node', title: 'NODE', min: 9 },
    { id: 'state', title: 'STATE', min: 9 },
    { id: 'reason', title: 'REASON', min: 16, grow: 2 },
    { id: 'by', title: 'BY', min: 7, drop: 2 },
    { id: 'since', title: 'SINCE', align: 'right', min: 8 },
    { id: 'partitions', title: 'PARTITIONS', min: 10, drop: 3 },
    { id: 'jobs', title: 'JOBS', min: 14, grow: 1, drop: 1 },
    { id: 'check', title: 'CHECK', min: 8, drop: 2 },
  ],
  rows: nodeRows(judgement),
  empty,
});

const nodeRows = (judgement: Judgement): readonly Row[] => {
  const { readings, site, now } = judgement;
  const cluster = clusterOf(readings);
  const reading = cluster?.source.good;
  if (!cluster || !reading) return [];
  const jobs = jobsOn(readings);
  const checks = new Map(cluster.index.troubled.map(({ node }) => [node.name, checkCell(node, judgement)]));
  const context: RowContext = {
    judgement,
    stale: cluster.source.state !== 'fresh',
    sources: sourcesOf(judgement, cluster.source.host),
    day: clockTime(now, now + 86_400_000).slice(0, 10),
  };
  const whole = [
    context.stale,
    context.day,
    context.sources.length,
    ...[...checks.values()].map((cell) => cell.text),
  ].join('\0');
  const { host } = cluster.source;
  const last = drawnNodes(site).get(host);
  if (last?.reading === reading && last.jobs === jobs && last.whole === whole) return last.rows;
  const after: Drawn['byName'] = new Map();
  const rows = inOrder(reading).map((node) => {
    const mine = jobs.get(node.name);
    const check = checks.get(node.name) ?? blank;
    const says = signature(node, mine, check, context);
    const known = last?.byName.get(node.name);
    const entry = known?.says === says ? known : { says, row: rowOf(node, mine, check, context) };
    after.set(node.name, entry);
    return entry.row;
  });
  drawnNodes(site).set(host, { reading, jobs, whole, rows, byName: after });
  return rows;
};

interface RowContext {
  judgement: Judgement;
  stale: boolean;
  sources: NonNullable<Row['sources']>;
  /** Times of another day are written with their date. */
  day: string;
}

/** A reading's nodes, those out of service first. */
const inOrder = memoPer((reading: Reading<NodesReading>): readonly SlurmNode[] => {
  const named = indexOf(reading).nodes.toSorted((a, b) => compareNames(a.name, b.name));
  return [
    ...named.filter((node) => troubleOf(node) !== undefined),
    ...named.filter((node) => troubleOf(node) === undefined),
  ];
});

const numbered = /^(\D*)(\d+)$/;

/** node2 before node10; `localeCompare` with numbers is too slow for ten thousand names. */
const compareNames = (a: string, b: string): number => {
  const [, headA, numberA] = numbered.exec(a) ?? [];
  const [, headB, numberB] = numbered.exec(b) ?? [];
  if (headA === undefined || headA !== headB)
    return headA === undefined || headB === undefined ? compareByName(a, b) : headA < headB ? -1 : 1;
  return Number(numberA) - Number(numberB) || (a < b ? -1 : 1);
};

const sourcesOf = ({ readings }: Judgement, host: string): { probe: string; host: string }[] => {
  const jobs = sourceOf(readings, 'slurm.jobs');
  return [{ probe: 'slurm.nodes', host }, ...(jobs ? [{ probe: 'slurm.jobs', host: jobs.host }] : [])];
};

const signature = (
  node: SlurmNode,
  jobs: readonly SlurmJob[] | undefined,
  check: Cell,
  context: RowContext,
): string => {
  const {
    state = '',
    flags,
    reason = '',
    reasonUser = '',
    reasonAt = '',
    partitions,
    reservation = '',
  } = node;
  const running = jobs?.map((job) => `${job.jobId} ${job.userName} ${job.endTime ?? ''}`).join(';') ?? '';
  const parts = [
    state,
    flags.join('+'),
    reason,
    reasonUser,
    reasonAt,
    partitions.join(','),
    reservation,
    running,
    check.text,
  ];
  return [...parts, context.stale, running === '' ? '' : context.day, context.sources.length].join('\0');
};

const rowOf = (
  node: SlurmNode,
  jobs: readonly SlurmJob[] | undefined,
  check: Cell,
  context: RowContext,
): Row => {
  const { judgement, stale, sources } = context;
  const { site, now } = judgement;
  const settings = settingsOf(site);
  const owner = node.reason === undefined ? undefined : ownerOf(node, settings);
  const sign = nodeSign(node, owner?.kind);
  return {
    key: node.name,
    subject: nodeSubject(site, node.name),
    ...(sign !== undefined && { sign }),
    ...(stale && { stale: true }),
    cells: {
      node: { text: node.name },
      state: { text: stateWord(node), ...(sign !== undefined && { sign }) },
      reason: owner === undefined ? blank : { text: shownReason(node, owner, settings) },
      by: owner === undefined ? blank : { text: ownerWord(owner) },
      since: ageCell(node.reasonAt),
      partitions: { text: node.partitions.join(',') },
      jobs: jobsCell(jobs, now),
      check,
    },
    ...(node.reason !== undefined && { search: `${node.reason} ${node.reasonUser ?? ''}` }),
    sources,
  };
};

const nodeSign = (node: SlurmNode, owner: string | undefined): Sign | undefined => {
  const trouble = troubleOf(node);
  if (trouble === undefined)
    return hasFlag(node, 'MAINTENANCE') || hasFlag(node, 'REBOOT_REQUESTED') ? 'notice' : undefined;
  if (trouble === 'odd' || trouble === 'unknown') return 'unknown';
  return trouble === 'reboot' || owner === 'person' || owner === 'faultline' ? 'notice' : 'warning';
};

/** `4711 alice until 04:12 +2`. */
const jobsCell = (jobs: readonly SlurmJob[] | undefined, now: number): Cell => {
  const [first] = jobs ?? [];
  if (!first || !jobs) return idle;
  const until = first.endTime === undefined ? '' : ` until ${clockTime(first.endTime, now)}`;
  const more = jobs.length > 1 ? ` +${jobs.length - 1}` : '';
  return { text: `${first.jobId} ${first.userName}${until}${more}`, sort: jobs.length };
};

const checkCell = (node: SlurmNode, judgement: Judgement): Cell => {
  if (troubleOf(node) === undefined) return blank;
  const check = checkOf(node, judgement);
  if (check.state === 'pass') return { text: 'passes', sign: 'fine' };
  if (check.state === 'fail') return { text: `fails: ${check.text}`, sign: 'warning' };
  return blank;
};
