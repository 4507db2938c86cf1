import { describe, expect, it } from 'vitest';
import type { Reading, Readings } from '../../src/model/reading.ts';
import type { Update } from '../../src/model/wire.ts';
import { makeSafeDeep, type SafeData } from '../../src/text/safe.ts';
import { Sources } from '../helpers/judging.ts';

interface Nodes {
  state: 'up' | 'down';
  names: string[];
}

/** These need not run: that they do not compile is the test. */
export const refused = (raw: string, readings: Readings): readonly unknown[] => {
  const at = { probe: 'p', host: 'h', at: 0, mono: 0, durationMs: 0, notUnderstood: 0 };
  // @ts-expect-error -- what a host said, kept as a reading
  const reading: Reading<SafeData> = { ...at, value: raw };
  // @ts-expect-error -- a shape of its texts, kept as a reading
  const shaped: Reading<SafeData> = { ...at, value: { names: [raw] } };
  // @ts-expect-error -- drawn in a row
  const row: Update['rows'] = [{ pane: 'p', block: 'b', upsert: [{ key: raw, cells: {} }], remove: [] }];
  // @ts-expect-error -- put among what was read
  readings.source<Nodes>('p', 'h')?.good?.value.names.push(raw);
  return [reading, shaped, row];
};

describe('what a machine said', () => {
  it('is safe by type from the reading on, and still the type of its schema', () => {
    const readings = new Sources();
    readings.good('p', 'h', { state: 'up', names: ['a\u001B[2J'] });
    const nodes: Nodes | undefined = readings.source<Nodes>('p', 'h')?.good?.value;
    expect(nodes).toEqual({ state: 'up', names: ['a^[[2J'] });
  });

  it('is taken over a wire once it was made safe', () => {
    const upsert = [makeSafeDeep({ key: 'a\u202E', cells: {} })];
    const rows: Update['rows'] = [{ pane: 'p', block: 'b', upsert, remove: [] }];
    expect(rows[0]?.upsert[0]?.key).toBe('a<U+202E>');
  });
});
