import type { RunView } from '../../src/model/run.ts';
import type { RankedFinding } from '../../src/model/finding.ts';
import type { Excerpt } from '../../src/model/evidence.ts';
import type { Fixed, PaneHead, RowsDelta, Strip, Update } from '../../src/model/wire.ts';
import type { Row, TableBlock } from '../../src/model/view.ts';
import { ranked } from '../helpers/drafts.ts';

/** The moment at which all fixtures play: 2026-11-20 02:41:07 UTC. */
export const NOW = Date.UTC(2026, 10, 20, 2, 41, 7);
const minute = 60_000;

export const strip: Strip = {
  site: 'sherlock',
  readOnly: false,
  counts: { critical: 1, warning: 1, notice: 1 },
  oldestAt: NOW - 9000,
  badges: [],
};

/** A text that is shown whole; lines that hold `mark` are marked. */
export const excerpt = (text: string, mark?: string): Excerpt => {
  const lines = text === '' ? [] : text.split('\n');
  return {
    lines: lines.length,
    marked: mark === undefined ? 'all' : 'values',
    parts: [
      {
        at: 1,
        lines: lines.map((line) => ({
          text: line,
          ...(mark !== undefined && line.includes(mark) && { mark: true as const }),
        })),
      },
    ],
  };
};

export const nodesTable: TableBlock = {
  type: 'table',
  id: 'nodes',
  columns: [
    { id: 'node', title: 'NODE', min: 8 },
    { id: 'state', title: 'STATE', min: 14 },
    { id: 'reason', title: 'REASON', min: 20, grow: 1 },
    { id: 'user', title: 'BY', min: 8, drop: 2 },
    { id: 'jobs', title: 'JOBS', min: 5, align: 'right', drop: 1 },
    { id: 'since', title: 'SINCE', min: 9, align: 'right' },
  ],
  rows: [],
  empty: 'no nodes out of service',
};

export const nodeRow = (number: number, change: Partial<Row> = {}): Row => ({
  key: `node${number}`,
  subject: { kind: 'node', id: `node${number}` },
  sign: 'warning',
  cells: {
    node: { text: `node${number}` },
    state: { text: 'IDLE+DRAIN' },
    reason: { text: 'NHC: HDFS mount lost' },
    user: { text: 'root' },
    jobs: { text: String(number % 7), sort: number % 7 },
    since: { text: '', age: NOW - number * minute },
  },
  sources: [{ probe: 'slurm.nodes', host: 'ctl1' }],
  ...change,
});

export const slurmHead: PaneHead = {
  id: 'slurm',
  title: 'Slurm',
  summary: '200 nodes, 20 out of service',
  sign: 'warning',
  wall: '180/200 up',
  sources: [
    {
      probe: 'slurm.nodes',
      host: 'ctl1',
      state: 'fresh',
      goodAt: NOW - 4000,
      nextAt: NOW + 6000,
      everyMs: 10_000,
    },
  ],
  notUnderstood: 0,
  blocks: [nodesTable],
};

export const otherHead = (id: string, title: string): PaneHead => ({
  ...slurmHead,
  id,
  title,
  summary: '3 peers',
  sign: 'fine',
  wall: '2/2 vol',
  blocks: [{ type: 'text', id: 'text', lines: [{ text: `${title} is fine`, sign: 'fine' }] }],
});

export const finding = (id: string, change: Partial<RankedFinding<string>> = {}): RankedFinding =>
  ranked({
    id: `slurm:${id}`,
    system: 'slurm',
    kind: id,
    severity: 'warning',
    subject: { kind: 'node', id: 'node[12-28,31]' },
    members: Array.from({ length: 17 }, (_, index) => ({ kind: 'node', id: `node${12 + index}` })),
    summary: 'node[12-28,31] drained by the health check, "HDFS mount lost": 17 of 18 pass it now',
    advice: 'resume those that pass',
    evidence: [{ text: 'DRAIN since 01:58', probe: 'slurm.nodes', host: 'ctl1', at: NOW - 4000 }],
    hurt: { nodes: 18 },
    remedies: [{ action: 'slurm.resume', subjects: [{ kind: 'node', id: 'node12' }] }],
    since: NOW - 43 * minute,
    explains: 0,
    ...change,
  });

export const findings: readonly RankedFinding[] = [
  finding('drained-group:hdfs'),
  finding('down', {
    severity: 'critical',
    summary: 'node[77-78] do not respond',
    subject: { kind: 'node', id: 'node[77-78]' },
  }),
  finding('dimm', { severity: 'notice', summary: 'node140: bad DIMM, RMA 1234 (drained by alice)' }),
];

/** An update as tests write it: its texts as they are, so that what draws them is tried with unsafe ones, too. */
export interface RawUpdate extends Pick<Partial<Update>, 'seq' | 'now'> {
  strip?: Strip;
  heads?: readonly PaneHead[];
  rows?: readonly (Omit<RowsDelta, 'upsert'> & { upsert: readonly Row[] })[];
  findings?: readonly RankedFinding[];
  fixed?: readonly Fixed[];
  runs?: readonly RunView[];
}

export const updateOf = (raw: RawUpdate): Update =>
  ({ type: 'update', seq: 1, now: NOW, ...raw }) as unknown as Update;

export const firstUpdate = (change: RawUpdate = {}): Update =>
  updateOf({
    strip,
    heads: [slurmHead],
    findings,
    rows: [
      {
        pane: 'slurm',
        block: 'nodes',
        upsert: Array.from({ length: 30 }, (_, index) => nodeRow(index + 1)),
        remove: [],
        order: Array.from({ length: 30 }, (_, index) => `node${index + 1}`),
      },
    ],
    runs: [],
    ...change,
  });
