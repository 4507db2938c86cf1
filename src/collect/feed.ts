import type { RankedFinding } from '../model/finding.ts';
import type { RunView } from '../model/run.ts';
import type { Fixed, PaneHead, RowsDelta, Strip, Update } from '../model/wire.ts';
import { makeSafeDeep } from '../text/safe.ts';
import type { Pane } from './pane-head.ts';
import { createSentRows, type SentRows, isSame } from './row-diff.ts';

/** All that the screen is to know. `findings` is absent until there was something to judge. */
export interface Shown {
  strip: Strip;
  panes: readonly Pane[];
  findings?: readonly RankedFinding[];
  fixed?: readonly Fixed[];
  runs: readonly RunView[];
}

/** What to tell the screen next: the difference to what it was told last, however many changes lie between. */
export interface Feed {
  makeUpdate(shown: Shown, seq: number, now: number): Update | undefined;
}

/** The screen knows nothing yet. Everything that leaves is made safe here. */
export const createFeed = (): Feed => {
  let strip: Strip | undefined;
  let findings: readonly RankedFinding[] | undefined;
  let fixed: readonly Fixed[] = [];
  const heads = new Map<string, PaneHead>();
  const runs = new Map<string, RunView>();
  const tableDeltas = createTableDeltas();

  return {
    makeUpdate: (shown, seq, now) => {
      const changedHeads = shown.panes
        .map(({ head }) => head)
        .filter((head) => !isSame(heads.get(head.id), head));
      for (const head of changedHeads) heads.set(head.id, head);
      const changedRuns = shown.runs.filter((run) => !isSame(runs.get(run.id), run));
      for (const run of changedRuns) runs.set(run.id, run);
      const rows = tableDeltas(shown.panes);
      const newStrip = !isSame(strip, shown.strip);
      const newFindings = shown.findings !== undefined && !isSame(findings, shown.findings);
      const newFixed = !isSame(fixed, shown.fixed ?? []);
      strip = shown.strip;
      fixed = shown.fixed ?? [];
      findings = shown.findings ?? findings;
      if (
        !newStrip &&
        !newFindings &&
        !newFixed &&
        changedHeads.length + changedRuns.length + rows.length === 0
      ) {
        return undefined;
      }
      return {
        type: 'update',
        seq,
        now,
        ...(newStrip && { strip: makeSafeDeep(shown.strip) }),
        ...(changedHeads.length > 0 && { heads: makeSafeDeep(changedHeads) }),
        ...(rows.length > 0 && { rows }),
        ...(newFindings && shown.findings && { findings: makeSafeDeep(shown.findings) }),
        ...(newFixed && { fixed: makeSafeDeep(fixed) }),
        ...(changedRuns.length > 0 && { runs: makeSafeDeep(changedRuns) }),
      };
    },
  };
};

/** Rows of all tables, as what differs from what was told last. */
const createTableDeltas = (): ((panes: readonly Pane[]) => RowsDelta[]) => {
  const tables = new Map<string, { pane: string; block: string; sent: SentRows }>();
  return (panes) => {
    const deltas: RowsDelta[] = [];
    const present = new Set<string>();
    const tell = (key: string, rows: Parameters<SentRows['diff']>[0]): void => {
      const table = tables.get(key);
      const diff = table?.sent.diff(rows);
      if (table && diff) deltas.push({ pane: table.pane, block: table.block, ...diff });
    };
    for (const { head, tables: blocks } of panes) {
      for (const { block, rows } of blocks) {
        const key = `${head.id} ${block}`;
        present.add(key);
        if (!tables.has(key)) tables.set(key, { pane: head.id, block, sent: createSentRows() });
        tell(key, rows);
      }
    }
    for (const key of tables.keys()) if (!present.has(key)) tell(key, []);
    return deltas;
  };
};
