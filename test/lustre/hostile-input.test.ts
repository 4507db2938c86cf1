import { describe, expect, it } from 'vitest';
import { readKernelLines } from '../../probes/lustre/ask/probe-kernel.ts';
import { lustreFormats } from '../../probes/lustre/read/formats.ts';
import { readRecovery } from '../../probes/lustre/read/read-states.ts';
import { parseVersion } from '../../probes/lustre/read/words.ts';
import { answerOf } from '../helpers/answer.ts';

const many = 100_000;

/** Lines that a form which tries every way to divide them never gets through: the test ends or it hangs. */
const lines = [
  `a${'.'.repeat(many)}`,
  `a${'.b'.repeat(many)}`,
  `osp.${'osp.'.repeat(many)}`,
  `x=${'osp.a.'.repeat(many)} =`,
  `x=${'ldlm.lock_'.repeat(many)}`,
  `${'osd-'.repeat(many)}a`,
  `${'1'.repeat(many)} x`,
  `${'x '.repeat(many)}`,
  `a${' '.repeat(many)}b`,
  `status: a${' '.repeat(many)}b`,
  `OST0000: a${' '.repeat(many)}b`,
  `filesystem_summary: 1 2 3 4 /a${' '.repeat(many)}b\u0000`,
  `UUID 1K-blocks ${'[OST:1] '.repeat(many)}x`,
  `${'Lustre: '.repeat(many)}`,
  `${'LustreError: ('.repeat(many)}`,
  `x=1${'\n'.repeat(many)}2`,
];

describe.each(Object.entries(lustreFormats))('%s', (_, parse) => {
  it.each(lines.map((line) => [line.slice(0, 24), line]))('ends on %j and many more of it', (_text, line) => {
    for (const stdout of [line, `x=1\n${line}\n`])
      try {
        expect(parse({ stdout, stderr: line })).toBeDefined();
      } catch (error) {
        expect(String(error)).toContain('NotThisFormat');
      }
  });
});

it.each(lines.map((line) => [line.slice(0, 24), line]))('other readers end on %j too', (_, line) => {
  expect(readKernelLines(answerOf(line)).value.lines).toEqual([]);
  expect(readRecovery(`${line}\nx`)?.status ?? '').not.toContain('COMPLETE');
  expect(parseVersion(line) ?? '').toBe('');
});

it('a name longer than a path can be is no name, and the value before it keeps the line', () => {
  const long = `osp.${'a'.repeat(5_000)}.active=1`;
  expect(
    lustreFormats['lustre.params']?.({ stdout: `version=2.12.9\n${long}\nhealth_check=healthy\n` }),
  ).toEqual({
    params: { version: `2.12.9\n${long}`, health_check: 'healthy' },
  });
});
