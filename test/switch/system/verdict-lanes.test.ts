import { describe, it } from 'vitest';
import { A, B, lane } from './verdict-ends.ts';
import { expectVerdict, type VerdictRow } from './verdict-rows.ts';

const table: readonly VerdictRow[] = [
  {
    what: 'one lane of four is weak at the sender',
    from: { lanes: [1, 2, 3, 4].map((n) => lane(n === 3 ? -9 : -2, -3, { lane: n })) },
    best: 'lane',
    first: A,
    says: /lane 3/,
  },
  {
    what: 'all four lanes weak at the receiver: light is lost before it, not one lane',
    to: { lanes: [1, 2, 3, 4].map((n) => lane(-2, -13, { lane: n })) },
    from: { lanes: [1, 2, 3, 4].map((n) => lane(-2, -3, { lane: n })) },
    best: 'connector',
    first: B,
  },
  {
    what: 'one lane of four gets little light at the receiver',
    to: { lanes: [1, 2, 3, 4].map((n) => lane(-2, n === 2 ? -14 : -3, { lane: n })) },
    best: 'lane',
    first: B,
    says: /lane 2: RX -14.0 dBm/,
  },
  {
    what: 'one lane of four tells no light, as makes print none: that lane',
    to: {
      lanes: [1, 2, 3, 4].map((n) =>
        n === 2 ? { port: 'p', lane: n, txDbm: -2 } : lane(-2, -3, { lane: n }),
      ),
    },
    best: 'lane',
    first: B,
    says: /lane 2: RX without a value/,
  },
  {
    what: 'two of four lanes tell no light: no one lane',
    to: { lanes: [1, 2, 3, 4].map((n) => (n < 3 ? { port: 'p', lane: n } : lane(-2, -3, { lane: n }))) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'what a whole module measures is no dark lane',
    to: { lanes: [{ port: 'p', lane: 1, tempC: 40 }, ...[2, 3].map((n) => lane(-2, -3, { lane: n }))] },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'no module tells limits, and one lane is far below the others',
    to: { lanes: [1, 2, 3, 4].map((n) => ({ port: 'p', lane: n, rxDbm: n === 4 ? -31 : -2.5 })) },
    best: 'lane',
    first: B,
    says: /lane 4: RX -31.0 dBm/,
  },
  {
    what: 'lanes without limits that differ by a few dB',
    to: { lanes: [1, 2, 3, 4].map((n) => ({ port: 'p', lane: n, rxDbm: -1 - n * 1.5 })) },
    best: 'farOptic',
    first: A,
  },
  {
    what: 'a lane that does not tell what it sends',
    from: { lanes: [1, 2].map((n) => ({ port: 'p', lane: n, rxDbm: -2, ...(n === 1 && { txDbm: -2 }) })) },
    best: 'farOptic',
    first: A,
  },
];

describe('the verdict on lanes', () => {
  it.each(table)('$what', expectVerdict);
});
