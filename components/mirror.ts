import type { RankedFinding } from '../src/model/finding.ts';
import type { RunView } from '../src/model/run.ts';
import type { Row } from '../src/model/view.ts';
import type {
  Fixed,
  FromWorker,
  PaneHead,
  RequestName,
  Requests,
  RowsDelta,
  Strip,
  ToWorker,
  Update,
} from '../src/model/wire.ts';

/** Rows of one table, by key, and their order. */
export interface Table {
  rows: ReadonlyMap<string, Row>;
  order: readonly string[];
}

/** The collector as the screen knows it. */
export type CollectorState =
  { state: 'starting'; text: string } | { state: 'running' } | { state: 'stopped'; text: string; at: number };

/** Everything the screen draws, immutable: an update makes a new one that shares what did not change. */
export interface Data {
  collector: CollectorState;
  strip?: Strip;
  heads: readonly PaneHead[];
  /** Keyed `pane/block`. */
  tables: ReadonlyMap<string, Table>;
  /** Undefined before the first judgement: not the same as none. */
  findings?: readonly RankedFinding[];
  /** What was cured in the last hour. */
  fixed?: readonly Fixed[];
  runs: readonly RunView[];
}

export const tableKey = (pane: string, block: string): string => `${pane}/${block}`;

export const emptyData = (text: string): Data => ({
  collector: { state: 'starting', text },
  heads: [],
  tables: new Map(),
  runs: [],
});

/** Pure: what was known and what came. Heads and runs are merged by id, the rest is replaced when present. */
export const applyUpdate = (data: Data, update: Update): Data => ({
  ...data,
  collector: { state: 'running' },
  ...(update.strip && { strip: update.strip }),
  ...(update.findings && { findings: update.findings }),
  ...(update.fixed && { fixed: update.fixed }),
  heads: update.heads ? mergeById(data.heads, update.heads) : data.heads,
  runs: update.runs ? mergeById(data.runs, update.runs) : data.runs,
  tables: update.rows ? applyRows(data.tables, update.rows) : data.tables,
});

const mergeById = <T extends { id: string }>(known: readonly T[], changed: readonly T[]): readonly T[] => {
  const byId = new Map(changed.map((item) => [item.id, item]));
  const merged = known.map((item) => {
    const next = byId.get(item.id) ?? item;
    byId.delete(item.id);
    return next;
  });
  return [...merged, ...byId.values()];
};

const applyRows = (tables: ReadonlyMap<string, Table>, deltas: readonly RowsDelta[]) => {
  const next = new Map(tables);
  for (const delta of deltas) {
    const key = tableKey(delta.pane, delta.block);
    next.set(key, applyDelta(next.get(key) ?? { rows: new Map(), order: [] }, delta));
  }
  return next;
};

/** Keys without a row are left out of the order and rows that the order forgot come last: nothing is lost. */
const applyDelta = (table: Table, delta: RowsDelta): Table => {
  const rows = new Map(table.rows);
  for (const key of delta.remove) rows.delete(key);
  for (const row of delta.upsert) rows.set(row.key, row);
  if (!delta.order && delta.remove.length === 0 && rows.size === table.rows.size) {
    return { rows, order: table.order };
  }
  const order = (delta.order ?? table.order).filter((key) => rows.has(key));
  if (order.length === rows.size) return { rows, order };
  const known = new Set(order);
  return { rows, order: [...known, ...[...rows.keys()].filter((key) => !known.has(key))] };
};

/** A run whose thread died: nobody here knows what became of it. */
const endOrphan = (run: RunView, now: number): RunView => ({
  ...run,
  state: 'unknown',
  endedAt: now,
  result: 'the collector stopped during the run: start the collector again, then read the audit log',
});

const expectHead = ({ id, title }: { id: string; title: string }): PaneHead => ({
  id,
  title,
  summary: '',
  sign: 'unknown',
  wall: '',
  sources: [],
  notUnderstood: 0,
  blocks: [],
});

export interface Mirror {
  snapshot(): Data;
  subscribe(listener: () => void): () => void;
  /** A message from the collector. */
  receive(message: FromWorker): void;
  /** Panes that will come, so that their places are there before their first answer. */
  expect(panes: readonly { id: string; title: string }[]): void;
  /** The collector is (again) on its way. Forgets nothing that was shown. */
  noteStarting(text: string): void;
  /** The collector died: open requests fail, what was shown stays and is marked. */
  noteStopped(text: string): void;
  request<N extends RequestName>(name: N, args: Requests[N]['in']): Promise<Requests[N]['out']>;
}

export interface MirrorOptions {
  send(message: ToWorker): void;
  now(): number;
  /** Acknowledged this late, so that at most ten updates a second reach the screen. */
  ackAfterMs?: number;
  text?: string;
}

/** The screen's side of the wire: holds the last data, acknowledges updates, matches replies to requests. */
export const createMirror = ({ send, now, ackAfterMs = 100, text = 'starting' }: MirrorOptions): Mirror => {
  let data = emptyData(text);
  let lastId = 0;
  // A new thread tells everything anew: rows that went away meanwhile must go.
  let renewed = true;
  const listeners = new Set<() => void>();
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const publish = (next: Data): void => {
    data = next;
    for (const listener of listeners) listener();
  };
  const reply = (message: Extract<FromWorker, { type: 'reply' }>): void => {
    const waiting = open.get(message.id);
    open.delete(message.id);
    if (message.ok) waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.error));
  };
  return {
    snapshot: () => data,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    receive: (message) => {
      if (message.type === 'update') {
        publish(applyUpdate(renewed ? data : { ...emptyData(''), runs: data.runs }, message));
        renewed = true;
        setTimeout(() => send({ type: 'ack', seq: message.seq }), ackAfterMs).unref?.();
      } else if (message.type === 'reply') reply(message);
    },
    expect: (panes) => publish({ ...data, heads: mergeById(panes.map(expectHead), data.heads) }),
    noteStarting: (why) => publish({ ...data, collector: { state: 'starting', text: why } }),
    noteStopped: (why) => {
      for (const { reject } of open.values()) reject(new Error('the collector stopped'));
      open.clear();
      renewed = false;
      const runs = data.runs.map((run) => (run.state === 'running' ? endOrphan(run, now()) : run));
      publish({ ...data, runs, collector: { state: 'stopped', text: why, at: now() } });
    },
    request: (name, args) =>
      new Promise((resolve, reject) => {
        if (data.collector.state === 'stopped') {
          reject(new Error('the collector is stopped'));
          return;
        }
        lastId += 1;
        // The wire says which reply belongs to which request; this is its parse edge.
        open.set(lastId, { resolve: resolve as (value: unknown) => void, reject });
        send({ type: 'request', id: lastId, name, args } as ToWorker);
      }),
  };
};
