import { expect, test } from 'vitest';
import { claimOf, lineOf, reasonOf } from '../../src/text/said.ts';

test('a line in parts: what, its detail in parentheses, what comes next behind a semicolon', () => {
  const said = { what: 'no SSH banner', detail: 'n1 port 22', next: 'look at its console' };
  expect(claimOf(said)).toBe('no SSH banner (n1 port 22)');
  expect(lineOf(said)).toBe('no SSH banner (n1 port 22); look at its console');
  expect(lineOf({ what: 'refused' })).toBe('refused');
  expect(reasonOf({ message: 'n1: refused', said: { what: 'refused' } })).toBe('refused');
  expect(reasonOf({ message: 'not asked: read-only' })).toBe('not asked: read-only');
});
