import { describe, expect, it } from 'vitest';
import type { Refusals, Step } from '../../src/model/action.ts';
import { ended, provedBy } from '../helpers/refusing.ts';

const table: Refusals = {
  tool: 'tool',
  lines: [{ text: String.raw`refused: \S+`, source: 'a test', exit: 1 }],
  beside: ['see the manual'],
};

const by = (answer: ReturnType<typeof ended>, over: Partial<Refusals> = {}) =>
  provedBy({ ...table, ...over }, answer);

describe('an exit code is evidence, not the outcome', () => {
  it('the exact words of the table prove that nothing was done', () => {
    expect(by(ended(1, 'refused: n1\n'))).toBe('nothing done');
    expect(by(ended(1, 'refused: n1\nsee the manual\n'))).toBe('nothing done');
    expect(by(ended(1, '', 'refused: n1\n'))).toBe('nothing done');
  });

  it.each([
    ['silence', ended(1, '')],
    ['only what may stand beside a refusal', ended(1, 'see the manual')],
    ['another exit code', ended(2, 'refused: n1')],
    ['exit 0', ended(0, 'refused: n1')],
    ['the words inside a longer line', ended(1, 'tool: refused: n1')],
    ['the words with more behind them', ended(1, 'refused: n1 yet')],
    ['another case', ended(1, 'Refused: n1')],
    ['another language', ended(1, 'abgelehnt: n1')],
    ['a wrapper that tried twice', ended(1, 'timed out\nrefused: n1')],
    ['a success on the other stream', ended(1, 'refused: n1', 'n2 done')],
    ['a cut answer', { ...ended(1, 'refused: n1'), truncated: true }],
    ['a command that its own limit ended', { ...ended(1, 'refused: n1'), timedOut: true }],
    ['a lost connection', { ...ended(1, 'refused: n1'), lost: true }],
    ['a signal', { ...ended(1, 'refused: n1'), signal: 'KILL' }],
  ])('%s proves nothing', (_, answer) => {
    expect(by(answer)).toBe('not known');
  });

  it('a table that asks for no exit code counts with any but 0, and with none but one that was told', () => {
    const any = { lines: [{ text: 'refused', source: 'a test' }] };
    expect(by(ended(7, 'refused'), any)).toBe('nothing done');
    expect(by(ended(0, 'refused'), any)).toBe('not known');
    const { exitCode: _, ...untold } = ended(7, 'refused');
    expect(by(untold, any)).toBe('not known');
  });

  it('each line beside it may be another one of those that mean nothing', () => {
    const beside = ['see the manual', 'or ask'];
    expect(by(ended(1, 'refused: n1\nor ask\nsee the manual'), { beside })).toBe('nothing done');
  });

  it('blanks around a line are none of its words', () => {
    expect(by(ended(1, '\n  refused: n1\t\r\n \n'))).toBe('nothing done');
  });

  it('a command that sets two things must be refused twice', () => {
    expect(by(ended(1, 'refused: a'), { atLeast: 2 })).toBe('not known');
    expect(by(ended(1, 'refused: a\nrefused: b'), { atLeast: 2 })).toBe('nothing done');
  });

  it('a step without a table proves nothing by any words of its own', () => {
    expect(provedBy(undefined, ended(1, 'refused: n1'))).toBe('not known');
  });
});

describe('the shell that was to run it, and sudo', () => {
  const argv = (...words: string[]): Step => ({ host: 'h', argv: words });
  const said = (step: Step, exitCode: number, text: string) =>
    provedBy(undefined, ended(exitCode, text), step);

  it.each([
    [argv('scontrol', 'ping'), 127, 'sh: 1: scontrol: not found'],
    [argv('scontrol', 'ping'), 127, 'sh: line 1: scontrol: command not found'],
    [argv('scontrol', 'ping'), 127, 'sh: scontrol: not found'],
    [argv('scontrol', 'ping'), 126, 'sh: line 1: /usr/bin/scontrol: Permission denied'],
    [argv('sudo', '-n', 'lctl', 'x'), 1, 'sudo: a password is required'],
    [argv('sudo', '-n', 'lctl', 'x'), 1, 'sudo: lctl: command not found'],
    [
      argv('sudo', '-n', 'lctl', 'x'),
      1,
      "sudo: unable to resolve host oss1: Name or service not known\nSorry, user ops is not allowed to execute '/usr/sbin/lctl x' as root on oss1.",
    ],
    [argv('sudo', '-n', 'lctl', 'x'), 1, 'ops is not in the sudoers file.  This incident will be reported.'],
  ])('%j, exit %i: %s', (step, code, text) => {
    expect(said(step, code, text)).toBe('nothing done');
  });

  it('sudo that is to run nothing is refused in its own words only', () => {
    expect(said(argv('sudo', '-n'), 1, 'sudo: a password is required')).toBe('nothing done');
    expect(said(argv('sudo', '-n'), 1, 'sudo: undefined: command not found')).toBe('not known');
  });

  it.each([
    ['a command inside a wrapper', argv('scontrol', 'ping'), 127, '/usr/bin/scontrol: 3: logger: not found'],
    ['another command than this one', argv('scontrol', 'ping'), 127, 'sh: 1: logger: not found'],
    ['127 in silence', argv('scontrol', 'ping'), 127, ''],
    ['the words with the exit code of the tool', argv('scontrol', 'ping'), 1, 'sh: 1: scontrol: not found'],
    ['words of sudo where no sudo was asked for', argv('wrapper'), 1, 'sudo: a password is required'],
    [
      'a command that sudo ran and that missed another',
      argv('sudo', '-n', 'lctl'),
      1,
      'sudo: lfs: command not found',
    ],
    [
      'a warning of sudo alone',
      argv('sudo', '-n', 'lctl'),
      1,
      'sudo: unable to resolve host oss1: Name or service not known',
    ],
  ])('%s proves nothing', (_, step, code, text) => {
    expect(said(step, code, text)).toBe('not known');
  });
});

describe('a device command line', () => {
  const refusals: Refusals = {
    tool: 'device',
    lines: [{ text: '% Invalid input', source: 'a test' }],
    harmless: ['configure', String.raw`interface \S+`],
  };
  const typed = (lines: readonly string[], stderr: string, exitCode = 1) =>
    provedBy(refusals, ended(exitCode, stderr), {
      host: 'core3',
      lines,
      dialect: { prompt: '#', pagerOff: [], errors: [] },
    });
  const shut = ['configure', 'interface te1', 'shutdown', 'end'];

  it('a refused line did nothing, nor did those that only open a mode', () => {
    expect(typed(shut, 'configure: % Invalid input\n')).toBe('nothing done');
    expect(typed(shut, 'shutdown: % Invalid input\n')).toBe('nothing done');
  });

  it('blanks around a line that is typed are none of it', () => {
    expect(typed([' configure', ' shutdown '], 'shutdown: % Invalid input')).toBe('nothing done');
  });

  it('every line before it was carried out where no table says which are harmless', () => {
    const { harmless: _, ...bare } = refusals;
    const step = { host: 'core3', lines: shut, dialect: { prompt: '#', pagerOff: [], errors: [] } };
    const by = (stderr: string) => provedBy(bare, ended(1, stderr), step);
    expect(by('interface te1: % Invalid input')).toBe('earlier lines done');
    expect(by('configure: % Invalid input')).toBe('nothing done');
  });

  it('a line before the refused one was carried out', () => {
    expect(typed(shut, 'end: % Invalid input\n')).toBe('earlier lines done');
    expect(typed(['exit', 'shutdown', 'exit'], 'exit: % Invalid input')).toBe('earlier lines done');
  });

  it.each([
    ['other words', 'shutdown: % Error: try again later'],
    ['no words', ''],
    ['a line that was not typed', 'write memory: % Invalid input'],
    ['more than one line', 'shutdown: % Invalid input\nend: % Invalid input'],
  ])('%s prove nothing', (_, stderr) => {
    expect(typed(shut, stderr)).toBe('not known');
  });
});
