import { describe, expect, it } from 'vitest';
import { fieldsOf, firstLine, requireCommand, readAnswer, errorSorter } from '../../src/kit/answers.ts';
import { dropUndefined } from '../../src/kit/known.ts';
import { findSection, sectionsOf, splitSections } from '../../src/kit/sections.ts';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, NotThisFormat, ParseError } from '../../src/model/errors.ts';

type Given = Partial<Pick<Answer, 'stdout' | 'stderr' | 'exitCode'>>;

const answer = (more: Given): Answer => ({
  stdout: '',
  stderr: '',
  stdoutBytes: 0,
  truncated: false,
  timedOut: false,
  lost: false,
  cancelled: false,
  durationMs: 1,
  ...more,
});
const thrownBy = (run: () => unknown): Error => {
  try {
    run();
  } catch (cause) {
    if (cause instanceof Error) return cause;
  }
  throw new Error('nothing was thrown');
};

describe('an answer that is read', () => {
  const fails = (): never => {
    throw new NotThisFormat('no table');
  };
  it.each<[string, Given, typeof CommandFailed | typeof ParseError, string]>([
    ['no such command', { exitCode: 127 }, CommandFailed, 'tool: no such command in the PATH'],
    ['a failure', { exitCode: 2, stderr: '\nno right\nmore' }, CommandFailed, 'tool: exit 2, no right'],
    ['a silent failure', { exitCode: 2 }, CommandFailed, 'tool: exit 2'],
    ['something else', { exitCode: 0, stdout: 'x' }, ParseError, 'tool: no table'],
    ['no exit code', { stdout: 'x' }, ParseError, 'tool: no table'],
  ])('%s', (_name, more, kind, message) => {
    const cause = thrownBy(() => readAnswer('tool', answer(more), fails));
    expect(cause).toBeInstanceOf(kind);
    expect(cause.message).toBe(message);
  });

  it('goes by what the parser itself says of a failed command, and gives what it reads', () => {
    const own = new CommandFailed('noMount', 'nothing is mounted');
    expect(
      thrownBy(() =>
        readAnswer('tool', answer({ exitCode: 1 }), () => {
          throw own;
        }),
      ),
    ).toBe(own);
    expect(readAnswer('tool', answer({ stdout: 'a', exitCode: 1 }), ({ stdout }) => stdout)).toBe('a');
  });

  it('says what a missing command means', () => {
    expect(() => requireCommand('lfs', { exitCode: 127 }, 'not a client')).toThrow('lfs: not a client');
    expect(() => requireCommand('lfs', { exitCode: 1 }, 'not a client')).not.toThrow();
  });

  it('has fields, a first line, and no word for what is not known', () => {
    expect([...fieldsOf('a=1\nnone\nb=x=y\n=no')]).toEqual([
      ['a', '1'],
      ['b', 'x=y'],
    ]);
    expect([firstLine(' \n a\nb'), firstLine('')]).toEqual(['a', '']);
    expect(dropUndefined({ a: 0, b: undefined, c: '' })).toEqual({ a: 0, c: '' });
    expect('b' in dropUndefined({ b: undefined })).toBe(false);
  });

  it('sorts failures by their words', () => {
    const sorted = errorSorter([
      [/timed out/i, 'timedOut'],
      [/not/, 'notFound'],
    ]);
    expect(sorted(' Timed out, not found \n')).toEqual({ kind: 'timedOut', message: 'Timed out, not found' });
    expect(sorted('else').kind).toBe('other');
  });
});

describe('sections', () => {
  const whole = '@@faultline pool gl1 yes\na\nb\n@@faultline end\n';

  it('are told apart by their marks', () => {
    const sections = sectionsOf({ stdout: whole, stderr: '' }, 'tool');
    expect(sections[0]).toEqual({ word: 'pool', rest: 'gl1 yes', body: 'a\nb\n' });
    expect(findSection(sections, 'pool')?.body).toBe('a\nb\n');
    expect(findSection(sections, 'none')).toBeUndefined();
  });

  it('that were cut off prove nothing', () => {
    const cut = whole.replace('@@faultline end\n', '');
    expect(() => sectionsOf({ stdout: cut, stderr: '' }, 'tool')).toThrow('tool: the answer is cut off');
    expect(splitSections(cut)).toHaveLength(1);
    expect(() => sectionsOf({ stdout: '', stderr: 'sudo: a password is required' }, 'tool')).toThrow(
      CommandFailed,
    );
    expect(() => sectionsOf({ stdout: '', stderr: 'out of memory' }, 'tool')).toThrow('tool: out of memory');
  });
});
