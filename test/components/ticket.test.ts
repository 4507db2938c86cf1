import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAlerts, titleSequence } from '../../components/alerts.ts';
import { ticketText } from '../../components/ticket.ts';
import type { RawEvidence } from '../../src/model/evidence.ts';
import { excerpt, finding, NOW } from './fixture.ts';

const answer = (change: Partial<RawEvidence> = {}): RawEvidence => ({
  probe: 'slurm.nodes',
  host: 'ctl1',
  command: 'scontrol show nodes --json',
  at: NOW - 4000,
  durationMs: 12.4,
  ended: 'exit 0',
  endedWell: true,
  stdout: excerpt('node12 DRAIN'),
  stderr: excerpt(''),
  reading: excerpt(''),
  ...change,
});

describe('the copy for the ticket', () => {
  test('holds the finding, its evidence, the commands and UTC times', () => {
    const one = finding('drained-group:hdfs', {
      acked: { who: 'alice', text: 'vendor is called', at: NOW, until: NOW + 3_600_000 },
      notes: [
        {
          id: 'n',
          kind: 'note',
          subject: { kind: 'node', id: 'node12' },
          text: 'DIMM',
          who: 'bob',
          at: NOW - 60_000,
        },
      ],
      runbook: 'https://wiki.example.org/drain',
    });
    const text = ticketText({ site: 'sherlock', finding: one, all: [one], answers: [answer()], now: NOW });
    expect(text).toContain('## `node[12-28,31] drained by the health check, "HDFS mount lost"');
    expect(text).toContain('- acknowledged by `alice` until 2026-11-20T03:41:07Z: `vendor is called`');
    expect(text).toContain('- 2026-11-20T02:40:07Z `bob` on `node12`: `DIMM`');
    expect(text).toContain('- runbook: `https://wiki.example.org/drain`');
    expect(text).toContain('Asked 2026-11-20T02:41:03Z, took 12 ms: `exit 0`');
    expect(text).toContain('```\nnode12 DRAIN\n```');
  });

  test('of all answers together 30 lines: those that are marked, then the nearest; the rest is counted', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const stdout = excerpt(lines, 'line 30');
    const one = finding('x');
    const told = (answers: readonly RawEvidence[]): string[] =>
      ticketText({ site: 's', finding: one, all: [], answers, now: NOW })
        .split('\n')
        .filter((text) => /^line |^\(\d+ lines?\)$/.test(text));
    const text = told([answer({ stdout })]);
    expect(text.filter((line) => line.startsWith('line'))).toHaveLength(30);
    expect(text).toEqual(
      expect.arrayContaining(['line 30', ...Array.from({ length: 10 }, (_, at) => `line 30${at}`)]),
    );
    expect(text[0]).toMatch(/^\(\d+ lines\)$/);
    expect(text.at(-1)).toMatch(/^\(1\d\d lines\)$/);
    const three = told([answer({ stdout }), answer({ stdout: excerpt('line a') }), answer({ stdout })]);
    expect(three.filter((line) => line.startsWith('line'))).toHaveLength(30);
  });

  test('whatever was written by machines or people stays text', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(
        '`](http://x) ![](http://x) <img src=x onerror=y>',
        '```\n# owned\n```',
        '\u001B]52;c;eA==\u0007\u202E',
      ),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const one = finding('x', {
          summary: text,
          advice: text,
          evidence: [{ text, host: 'ctl1' }],
          acked: { who: 'alice', text, at: NOW, until: NOW },
          notes: [{ id: 'n', kind: 'note', subject: { kind: 'node', id: 'n' }, text, who: 'bob', at: NOW }],
        });
        const made = ticketText({
          site: text,
          finding: one,
          all: [one],
          answers: [answer({ stdout: excerpt(text), stderr: excerpt(text), command: text })],
          now: NOW,
        });
        expect(made).toMatch(/^(?:[^\p{Cc}\p{Cf}\p{Cs}]|\n)*$/u);
        // Outside of code there are only our own words.
        const prose = made.replace(/^(`{3,})\n[^]*?\n\1$/gm, '').replace(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, '');
        expect(prose).not.toMatch(/[<[\]!]/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a new critical finding', () => {
  const old = finding('old', { severity: 'critical' });
  const news = finding('news', { severity: 'critical', summary: 'b\u0007\u001B]0;owned' });
  const on = { bell: true, title: true };

  test('rings once, names itself in the title, and does neither when it is not wanted', () => {
    const alerts = createAlerts();
    expect(alerts(undefined, 's', on)).toBe('');
    expect(alerts([old], 's', on)).toMatch(/^\u001B\]0;/);
    expect(alerts([old, news], 's', { bell: true, title: false })).toBe('\u0007');
    expect(alerts([old, news], 's', { bell: true, title: false })).toBe('');
    const quiet = createAlerts();
    quiet([], 's', { bell: false, title: false });
    expect(quiet([news], 's', { bell: false, title: false })).toBe('');
  });

  test('does not ring when it is acknowledged or explained', () => {
    const alerts = createAlerts();
    alerts([], 's', { bell: true, title: false });
    const acked = { who: 'a', text: 'b', at: NOW, until: NOW };
    expect(
      alerts(
        [
          { ...news, acked },
          { ...old, explainedBy: 'x' },
        ],
        's',
        { bell: true, title: false },
      ),
    ).toBe('');
  });

  test('cannot get out of the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(titleSequence(text).slice(4, -1)).toMatch(/^[^\p{Cc}\p{Cs}]*$/u);
      }),
    );
  });
});
