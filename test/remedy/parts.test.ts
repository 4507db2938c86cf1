import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Danger, Outcome } from '../../src/model/action.ts';
import { makeBatches } from '../../src/remedy/run-batch.ts';
import { armedAfterMs, confirmTextOf, countPhrase, raiseDanger } from '../../src/remedy/danger.ts';
import { worstOutcome } from '../../src/audit/log-entries.ts';
import { exitCodeOf } from '../../src/remedy/result-text.ts';
import { checkTargets } from '../../src/remedy/targets.ts';
import { node } from './world.ts';

describe('batchesOf', () => {
  it('property: keeps every target once and in order; small or dangerous sets go one by one', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.constantFrom<Danger>('reversible', 'service', 'access'),
        (count, danger) => {
          const all = Array.from({ length: count }, (_, at) => at);
          const batches = makeBatches(all, danger);
          expect(batches.flat()).toEqual(all);
          const sizes = batches.map(({ length }) => length);
          if (count <= 25 || danger !== 'reversible') expect(sizes.every((size) => size === 1)).toBe(true);
          else expect(sizes[0] === 1 && sizes.every((size) => size <= 25)).toBe(true);
        },
      ),
    );
  });
});

describe('danger', () => {
  it('rises one class, and no further than access', () => {
    expect((['reversible', 'service', 'access'] as const).map(raiseDanger)).toEqual([
      'service',
      'access',
      'access',
    ]);
    expect(armedAfterMs('access')).toBe(2000);
    expect(armedAfterMs('service')).toBe(0);
  });
  it('counts in words', () => {
    expect(countPhrase([{ kind: 'ost', id: 'a' }])).toBe('1 OST');
    expect(countPhrase([node('a'), node('b')])).toBe('2 nodes');
    expect(confirmTextOf('access', 'shut', [{ kind: 'port', id: 'core3:te3/46' }])).toBe('shut core3:te3/46');
  });
});

describe('outcomes', () => {
  it('the worst of several counts, and its exit code is the highest', () => {
    const all: Outcome[] = ['done', 'nothing', 'undone', 'failed', 'refused', 'unknown'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { minLength: 1 }), (some) => {
        expect(exitCodeOf(worstOutcome(some))).toBe(Math.max(...some.map(exitCodeOf)));
      }),
    );
    expect(worstOutcome([])).toBe('nothing');
    expect(worstOutcome(['nothing', 'done'])).toBe('done');
  });
});

describe('guard 5 targets', () => {
  it('property: a name that is not known letter by letter is refused', () => {
    const site = { resolve: (_: string, id: string) => (id === 'n1' ? node('n1') : undefined) };
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        expect(checkTargets([node(id)], 'node', site) === undefined).toBe(id === 'n1');
      }),
    );
  });
  it('property: even a site that knows everything does not make patterns and hidden characters targets', () => {
    const site = { resolve: (kind: 'node', id: string) => ({ kind, id }) };
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.constantFrom('*', '[1-3]', ',', ' ', '\u200b', '\n', ';', '$'),
        (text, bad) => {
          expect(checkTargets([node(`n${text}${bad}`)], 'node', site as never)).toBeDefined();
        },
      ),
    );
  });
});
