import { describe, expect, it } from 'vitest';
import { findExceeded } from '../../src/remedy/reserved.ts';

const plan = (...guards: { id: string; absolute: boolean }[]) => ({ exceeded: [], targets: [{ guards }] });
const last = { id: '6 last member', absolute: true };
const share = { id: '6 members', absolute: false };
const why = { own: {}, exceed: { '6': 'agreed with facilities' } };

describe('exceeding the guards of one number', () => {
  it('exceeds those that can be; the absolute ones beside them stay in force', () => {
    expect(findExceeded(plan(last, share), why)).toEqual([
      { guard: '6 members', reason: 'agreed with facilities' },
    ]);
  });

  it('is refused when all of them are absolute, or there is none', () => {
    expect(findExceeded(plan(last), why)).toMatchObject({ guard: '6 last member', refused: true });
    expect(findExceeded(plan({ id: '4 ownership', absolute: false }), why)).toMatchObject({
      guard: 'parameters',
      refused: true,
    });
  });
});
