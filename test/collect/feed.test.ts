import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeed, type Shown } from '../../src/collect/feed.ts';
import type { Row } from '../../src/model/view.ts';
import type { RowsDelta } from '../../src/model/wire.ts';
import { isPlain } from '../../src/text/safe.ts';

const row = (key: string, text: string): Row => ({ key, cells: { a: { text } } });

const shown = (tables: Readonly<Record<string, readonly Row[]>>): Shown => ({
  strip: { site: 's', readOnly: false, counts: { critical: 0, warning: 0, notice: 0 }, badges: [] },
  panes: [
    {
      head: {
        id: 'p',
        title: 'P',
        summary: '',
        sign: 'fine',
        wall: '',
        sources: [],
        notUnderstood: 0,
        blocks: [],
      },
      tables: Object.entries(tables).map(([block, rows]) => ({ block, rows })),
    },
  ],
  findings: [],
  runs: [],
});

/** The screen's side, as wire.ts says it: rows by key, order when rows came, went or moved. */
const mirror = (): { apply(deltas: readonly RowsDelta[]): void; rows(block: string): Row[] } => {
  const tables = new Map<string, { rows: Map<string, Row>; order: readonly string[] }>();
  return {
    apply: (deltas) => {
      for (const delta of deltas) {
        const table = tables.get(delta.block) ?? { rows: new Map<string, Row>(), order: [] };
        for (const key of delta.remove) table.rows.delete(key);
        for (const one of delta.upsert) table.rows.set(one.key, one);
        table.order = delta.order ?? table.order;
        tables.set(delta.block, table);
      }
    },
    rows: (block) => {
      const table = tables.get(block);
      expect(new Set(table?.order).size).toBe(table?.order.length ?? 0);
      expect(table?.rows.size ?? 0).toBe(table?.order.length ?? 0);
      return (table?.order ?? []).flatMap((key) => table?.rows.get(key) ?? []);
    },
  };
};

const rowList = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e\u001b[31m', 'f'),
    text: fc.constantFrom('1', '2', '\u202e'),
  }),
  { maxLength: 8 },
);

describe('rows by difference', () => {
  it('the mirror equals the source after any sequence of changes, also with repeated and hostile keys', () => {
    const tables = fc.dictionary(fc.constantFrom('t1', 't2'), rowList);
    fc.assert(
      fc.property(fc.array(tables, { minLength: 1, maxLength: 12 }), (steps) => {
        const feed = createFeed();
        const screen = mirror();
        for (const [seq, step] of steps.entries()) {
          const rows = Object.fromEntries(
            Object.entries(step).map(([name, list]) => [name, list.map(({ key, text }) => row(key, text))]),
          );
          const update = feed.makeUpdate(shown(rows), seq, 0);
          screen.apply(update?.rows ?? []);
          for (const name of ['t1', 't2']) {
            const got = screen.rows(name);
            const want = rows[name] ?? [];
            const plainText = (text: string): string => (text === '\u202e' ? '<U+202E>' : text);
            expect(got.map((one) => one.cells['a']?.text)).toEqual(
              want.map((one) => plainText(one.cells['a']?.text ?? '')),
            );
            for (const one of got) expect(isPlain(one.key) && isPlain(one.cells['a']?.text ?? '')).toBe(true);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('sends one changed row, not the table', () => {
    const feed = createFeed();
    const rows = Array.from({ length: 100 }, (_, n) => row(`n${n}`, 'idle'));
    expect(feed.makeUpdate(shown({ t: rows }), 1, 0)?.rows?.[0]?.upsert).toHaveLength(100);
    const changed = rows.with(7, row('n7', 'drain'));
    expect(feed.makeUpdate(shown({ t: changed }), 2, 0)?.rows).toEqual([
      { pane: 'p', block: 't', upsert: [row('n7', 'drain')], remove: [] },
    ]);
  });

  it('sends the order alone when rows moved', () => {
    const feed = createFeed();
    feed.makeUpdate(shown({ t: [row('a', '1'), row('b', '1')] }), 1, 0);
    expect(feed.makeUpdate(shown({ t: [row('b', '1'), row('a', '1')] }), 2, 0)?.rows).toEqual([
      { pane: 'p', block: 't', upsert: [], remove: [], order: ['b', 'a'] },
    ]);
  });

  it('sends nothing when nothing changed, and only what changed', () => {
    const feed = createFeed();
    const first = feed.makeUpdate(shown({ t: [row('a', '1')] }), 1, 0);
    expect(first).toMatchObject({ strip: { site: 's' }, heads: [{ id: 'p' }], findings: [] });
    expect(feed.makeUpdate(shown({ t: [row('a', '1')] }), 2, 0)).toBeUndefined();
  });

  it('reads each text of a row that did not change once, to see that, and makes none of it safe again', () => {
    let reads = 0;
    const make = (): Row[] =>
      Array.from({ length: 100 }, (_, at) => ({
        key: `node${at}`,
        cells: {
          state: {
            get text() {
              reads += 1;
              return 'idle';
            },
          },
        },
      }));
    const readsOf = (rows: readonly Row[], seq: number): number => {
      reads = 0;
      feed.makeUpdate(shown({ t: rows }), seq, 0);
      return reads;
    };
    const feed = createFeed();
    const rows = make();
    expect(readsOf(rows, 1)).toBeGreaterThanOrEqual(100);
    expect(readsOf(rows, 2)).toBe(0);
    // The row that was sent, and the one that is the same.
    expect(readsOf(make(), 3)).toBe(200);
  });
});
