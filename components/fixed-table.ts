import type { TableBlock } from '../src/model/view.ts';
import type { Fixed } from '../src/model/wire.ts';
import { textOf } from '../src/model/words.ts';

/** What was cured, by whom and how: `u` on it offers to undo that. */
export const fixedTable = (fixed: readonly Fixed[]): TableBlock => ({
  type: 'table',
  id: 'fixed',
  title: 'Fixed in the last hour',
  columns: [
    { id: 'system', title: 'SYSTEM', min: 7 },
    { id: 'on', title: 'ON', min: 16 },
    { id: 'how', title: 'BY', min: 20 },
    { id: 'summary', title: 'WAS', min: 20, grow: 1 },
    { id: 'since', title: 'FIXED', align: 'right', min: 10 },
  ],
  rows: fixed.map(({ id, system, summary, subject, members, on, at, verb, operator }) => ({
    key: `fixed ${id}`,
    sign: 'fine',
    subject,
    members,
    cells: {
      system: { text: system },
      on: { text: on },
      how: { text: `${verb} by ${operator}` },
      summary: { text: textOf(summary) },
      since: { text: '', age: at },
    },
  })),
  empty: '',
});
