import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote, shellCommand, withEnv } from '../../src/text/shell.ts';

const word = fc.string({
  unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', ' ', '*', '!', ';', '#', '~', '-', 'a', 'é', '='),
});
const run = (script: string): string => execFileSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' });

describe('quote', () => {
  it.each([
    ['node1', 'node1'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['$(reboot)', "'$(reboot)'"],
  ])('writes %j as %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('shellCommand', () => {
  it('reaches a real sh word by word as it was', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        expect(run(shellCommand(['printf', '%s\\0', ...words]))).toBe(`${words.join('\0')}\0`);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses NUL, which no argument can hold', () => {
    expect(() => shellCommand(['a', 'b\0c'])).toThrow('NUL');
  });
});

describe('withEnv', () => {
  it('sets variables for the one command', () => {
    expect(withEnv({ A: 'x y', B: '0' }, ['printenv', 'A'])).toBe("A='x y' B=0 printenv A");
    expect(run(withEnv({ FAULTLINE_TEST: "it's" }, ['printenv', 'FAULTLINE_TEST']))).toBe("it's\n");
  });

  it.each(['A B', '1A', 'A;reboot', ''])('refuses %j as a name', (name) => {
    expect(() => withEnv({ [name]: 'x' }, ['true'])).toThrow('not a variable name');
  });
});
