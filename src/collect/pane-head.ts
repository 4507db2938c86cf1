import type { Source } from '../model/reading.ts';
import type { Probe, System } from '../model/system.ts';
import type { Block, PaneView, TableBlock } from '../model/view.ts';
import type { PaneHead, SourceLine } from '../model/wire.ts';
import type { Notes } from '../model/note.ts';
import type { Collector } from './collector.ts';
import { notesOn } from './rank.ts';
import { isUnreadSource } from './store-entry.ts';

/** Lines of sources in a pane's head: those in trouble first; 10,000 fine ones tell nothing. */
const TROUBLED = 100;
const FINE = 50;

/** A pane as data: its head and its tables' rows apart. */
export interface Pane {
  head: PaneHead;
  tables: readonly { block: string; rows: TableBlock['rows'] }[];
}

/** The pane of a system as it is now; a view that throws gives a pane that says so. */
export const paneOf = (collector: Collector, system: System): Pane => {
  const drawn = collector.pane(system);
  const view: PaneView = 'view' in drawn ? drawn.view : brokenView(drawn.error);
  const asked = system.probes.map((probe) => ({ probe, sources: collector.store.sources(probe.id) }));
  const sources = asked.flatMap((one) => one.sources);
  const { watchesAll } = system;
  const unread = !watchesAll && isUnread(sources);
  const absent = !watchesAll && sources.length === 0;
  // Part of it could not be read: what else it says is no proof that all is well.
  const partly = sources.some(isUnreadSource);
  const head: PaneHead = {
    id: system.id,
    title: system.title,
    summary: absent ? 'not on this site' : view.summary,
    sign: absent ? 'fine' : unread || (view.sign === 'fine' && partly) ? 'unknown' : view.sign,
    wall: view.wall,
    sources: sourceLines(asked),
    hosts: new Set(sources.filter(({ state }) => state !== 'notAsked').map(({ host }) => host)).size,
    ...(absent && { absent }),
    ...(watchesAll && { watchesAll }),
    notUnderstood: sources.reduce((sum, source) => sum + (source.good?.notUnderstood ?? 0), 0),
    blocks: view.blocks.map(withoutRows),
    ...(system.help && { help: system.help }),
  };
  const tables = view.blocks.filter((block) => block.type === 'table');
  const notes = collector.shared?.notes;
  return {
    head,
    tables: tables.map(({ id, rows }) => ({ block: id, rows: notes ? withNotes(rows, notes) : rows })),
  };
};

/** Rows on whose subject somebody noted something. Without any notes they stay the same objects. */
const withNotes = (rows: TableBlock['rows'], notes: Notes): TableBlock['rows'] => {
  if (notes.listAll().length === 0) return rows;
  return rows.map((row) => {
    const { subject, members } = row;
    const [latest] = subject ? notesOn({ subject, ...(members && { members }) }, notes) : [];
    return latest ? { ...row, note: latest.text } : row;
  });
};

/** Asked, and nothing at all could be read: what the system would say is unknown, not fine. */
const isUnread = (sources: readonly Source[]): boolean => {
  const asked = sources.filter((source) => source.askedAt !== undefined && source.state !== 'notAsked');
  return asked.length > 0 && asked.every((source) => source.state === 'failed');
};

const brokenView = (error: string): PaneView => ({
  summary: 'cannot be shown',
  sign: 'unknown',
  wall: 'unknown',
  blocks: [{ type: 'text', id: 'error', lines: [{ text: error, sign: 'warning' }] }],
});

const withoutRows = (block: Block): Block => (block.type === 'table' ? { ...block, rows: [] } : block);

const sourceLines = (
  asked: readonly { probe: Probe; sources: readonly Source[] }[],
): readonly SourceLine[] => {
  const toldSources = asked.flatMap(({ probe, sources }) =>
    sources.filter((source) => isTold(probe, source)),
  );
  const troubled = toldSources.filter((source) => !isCalm(source));
  const calm = toldSources.filter(isCalm);
  return [...troubled.slice(0, TROUBLED), ...calm.slice(0, FINE)].map(sourceLine);
};

const isCalm = ({ state }: Source): boolean => state === 'fresh' || state === 'notAsked';

/**
 * What is asked on demand only and was not yet asked is not missing. Of hundreds of background hosts only those in trouble are
 * told: the others would make a new head at each answer.
 */
const isTold = (probe: Probe, source: Source): boolean => {
  if (probe.background) return source.state === 'failed' || source.state === 'stale';
  return probe.everyMs > 0 || source.askedAt !== undefined;
};

const sourceLine = (source: Source): SourceLine => ({
  probe: source.probe,
  host: source.host,
  state: source.state,
  everyMs: source.everyMs,
  ...(source.good && { goodAt: source.good.at }),
  ...(source.nextAt !== undefined && { nextAt: source.nextAt }),
  ...(source.failingSince !== undefined && { failingSince: source.failingSince }),
  ...(source.failure && { failure: source.failure.kind, message: source.failure.message }),
  ...(source.failure?.said && { said: source.failure.said }),
  ...(source.slowedToMs !== undefined && { slowedToMs: source.slowedToMs }),
});
