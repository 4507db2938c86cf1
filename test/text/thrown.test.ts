import { expect, it } from 'vitest';
import { thrownCode, thrownText } from '../../src/text/thrown.ts';

it('what was thrown is told in its own words, be it an error or none', () => {
  expect(thrownText(new Error('EIO: i/o error'))).toBe('EIO: i/o error');
  expect(thrownText('a word')).toBe('a word');
  expect(thrownText(undefined)).toBe('undefined');
});

it('only an error has a code', () => {
  expect(thrownCode(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(thrownCode(new Error('gone'))).toBeUndefined();
  expect(thrownCode({ code: 'ENOENT' })).toBeUndefined();
  expect(thrownCode('ENOENT')).toBeUndefined();
});
