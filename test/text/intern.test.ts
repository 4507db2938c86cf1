import fc from 'fast-check';
import { expect, test } from 'vitest';
import { internText, makeSafeDeep, makeSafe } from '../../src/text/safe.ts';

test('what is kept once is the same text, short or long, of any script', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const safe = makeSafe(text);
      expect(internText(safe)).toBe(safe);
      expect(makeSafeDeep({ a: [text], b: new Map([[text, 1n]]) }, internText)).toEqual(
        makeSafeDeep({ a: [text], b: new Map([[text, 1n]]) }),
      );
    }),
  );
});
