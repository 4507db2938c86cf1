import { expect, test } from 'vitest';
import { clipboardSequence, COPY_LIMIT } from '../../components/copy.ts';

test('text goes to the clipboard as UTF-8, whatever is in it', () => {
  const sequence = clipboardSequence('näh ✖ 漢\u001B', false);
  const [, text = ''] = /^\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(sequence) ?? [];
  expect(Buffer.from(text, 'base64').toString('utf8')).toBe('näh ✖ 漢\u001B');
});

test('inside tmux it is wrapped, with every escape doubled', () => {
  const sequence = clipboardSequence('x', true);
  expect(sequence.startsWith('\u001BPtmux;\u001B\u001B]52;c;')).toBe(true);
  expect(sequence.endsWith('\u0007\u001B\\')).toBe(true);
});

test('it is cut at what terminals take', () => {
  expect(clipboardSequence('x'.repeat(200_000), false).length).toBeLessThan(COPY_LIMIT * 1.4);
});
