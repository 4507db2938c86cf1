import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createRawAnswers } from '../../src/collect/raw-answers.ts';
import { answerOf } from './helpers/fake-site.ts';

describe('raw answers', () => {
  it('are the last three of each source, newest first, and never more than the limit in all', () => {
    const step = fc.record({ host: fc.constantFrom('a', 'b', 'c'), size: fc.nat(40_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const raws = createRawAnswers(3, 100_000);
        for (const [at, { host, size }] of steps.entries()) {
          raws.keep({ probe: 'p', host, command: 'x', at, answer: answerOf(new Uint8Array(size)) });
          expect(raws.size()).toBeLessThanOrEqual(100_000);
          const kept = ['a', 'b', 'c'].flatMap((name) => raws.findRecords('p', name));
          expect(kept.length).toBeGreaterThan(0);
          for (const name of ['a', 'b', 'c']) {
            const times = raws.findRecords('p', name).map((record) => record.at);
            expect(times.length).toBeLessThanOrEqual(3);
            expect(times).toEqual(times.toSorted((x, y) => y - x));
          }
          expect(raws.findRecords('p', host)[0]?.at).toBe(at);
        }
      }),
    );
  });

  it('that are long are packed, and come out as they came in', async () => {
    const raws = createRawAnswers();
    const long = Buffer.from('node1 idle\n'.repeat(100_000));
    raws.keep({ probe: 'p', host: 'a', command: 'x', at: 1, answer: answerOf(long) });
    raws.keep({ probe: 'p', host: 'a', command: 'x', at: 2, answer: answerOf(Buffer.from('short')) });
    await vi.waitFor(() => expect(raws.size()).toBeLessThan(long.length / 10));
    const texts = raws.findRecords('p', 'a').map(({ answer }) => Buffer.from(answer.stdout).toString());
    expect(texts).toEqual(['short', long.toString()]);
    raws.keep({ probe: 'p', host: 'a', command: 'x', at: 3, answer: answerOf(Buffer.from('3')) });
    raws.keep({ probe: 'p', host: 'a', command: 'x', at: 4, answer: answerOf(Buffer.from('4')) });
    expect(raws.findRecords('p', 'a').map(({ at }) => at)).toEqual([4, 3, 2]);
    expect(raws.size()).toBeLessThan(3000);
  });
});
