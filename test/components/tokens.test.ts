import { expect, test } from 'vitest';
import { tokensOf, type InkKey } from '../../components/tokens.ts';

const none: InkKey = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  tab: false,
  backspace: false,
  delete: false,
  ctrl: false,
  shift: false,
  meta: false,
};
const names = (input: string, key: Partial<InkKey> = {}) =>
  tokensOf(input, { ...none, ...key }).map((token) => token.name);

test('a chunk of several keys is taken apart', () => {
  expect(names('jjj')).toEqual(['j', 'j', 'j']);
  expect(names('abc\r')).toEqual(['a', 'b', 'c', 'Enter']);
  expect(names('\t x\u007f')).toEqual(['Tab', 'Space', 'x', 'Backspace']);
});

test('control characters in a chunk are keys with Ctrl, never text', () => {
  expect(tokensOf('a\u0003', none).at(-1)).toEqual({ name: 'Ctrl-C', alone: false, repeat: false });
});

test('characters beyond the basic plane are one key', () => {
  expect(names('𝛼β')).toEqual(['𝛼', 'β']);
});

test('flags name the key', () => {
  expect(names('', { upArrow: true })).toEqual(['Up']);
  expect(names('', { return: true })).toEqual(['Enter']);
  expect(names('', { tab: true, shift: true })).toEqual(['Shift-Tab']);
  expect(names('c', { ctrl: true })).toEqual(['Ctrl-C']);
  expect(names('x', { meta: true })).toEqual(['Alt-x']);
});

test('a key that is released is no key, one that repeats says so', () => {
  expect(tokensOf('y', { ...none, eventType: 'release' })).toEqual([]);
  expect(tokensOf('y', { ...none, eventType: 'repeat' })[0]?.repeat).toBe(true);
});

test('keys without a name (F1, Insert) are nothing', () => {
  expect(names('')).toEqual([]);
});
