import { expect, test } from 'vitest';
import { foldGuards } from '../../../components/dialogs/confirm/fold-guards.ts';

const targets = ['node1', 'node12', 'node13'].map((id) => ({ kind: 'node' as const, id }));
const guard = (id: string, text: string) => ({ id, text });

test('the same said of several targets is one line, each word kept', () => {
  const guards = [
    guard('3', 'node12 is drained'),
    guard('4', 'node12 is ours'),
    guard('3', 'node13 is drained'),
    guard('4', 'node13 is ours'),
    guard('6', 'the share stays under 20 %'),
  ];
  expect(foldGuards({ guards, targets })).toEqual([
    { id: '3', text: 'node[12-13] is drained' },
    { id: '4', text: 'node[12-13] is ours' },
    { id: '6', text: 'the share stays under 20 %' },
  ]);
});

test('different words stay different lines, and a name inside another is not a mention', () => {
  const guards = [guard('3', 'node1 is drained for "a"'), guard('3', 'node12 is drained for "b"')];
  expect(foldGuards({ guards, targets })).toEqual([
    { id: '3', text: 'node1 is drained for "a"' },
    { id: '3', text: 'node12 is drained for "b"' },
  ]);
});
