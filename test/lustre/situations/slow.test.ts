import { describe, expect, it } from 'vitest';
import { detail } from '../../../probes/lustre/view/detail.ts';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { type Printed, type PrintedOst, PrintedSite } from '../printed-site.ts';

type Times = NonNullable<PrintedOst['times']>;

/** Twelve OSTs on three OSS: what each counts before and after, unlike the others by its number. */
const osts = (times: (index: number) => Times, more: Partial<PrintedOst> = {}): PrintedOst[] =>
  Array.from({ length: 12 }, (_, at) => ({ oss: `oss${1 + Math.floor(at / 4)}`, times: times(at), ...more }));
const site = (list: readonly PrintedOst[], more: Partial<Printed> = {}): PrintedSite =>
  new PrintedSite({ mdts: [{ mds: 'mds1' }], osts: list, ...more });
const old: Times = { 4: 90_000, 16: 400_000, 64: 20_000, 2048: 300 };
const quick: Times = { ...old, 16: 400_400 };
const slow: Times = { ...old, 16: 400_010, 1024: 250, 2048: 350 };

/** What is said of slow OSTs, `afterS` seconds after the first look. */
const told = (after: (index: number) => Times, afterS = 60, more: Partial<PrintedOst> = {}): string[] =>
  site(osts(() => old, more))
    .later(afterS, { osts: osts(after, more) })
    .said()
    .filter((line) => line.includes(' slow:'));

describe('an OST whose disks are slow', () => {
  it('is told with its numbers and those of the others', () => {
    const printed = site(osts(() => old)).later(60, { osts: osts((at) => (at === 5 ? slow : quick)) });
    const found = findings(printed.judgement()).filter(({ kind }) => kind === 'slow');
    expect(found.map(({ severity, summary }) => `${severity} ${String(summary)}`)).toEqual([
      'warning work-OST0005 slow: half of its writes take over 512 ms, elsewhere 16 ms at most',
    ]);
    expect(found[0]?.evidence.map(({ text }) => String(text))).toEqual([
      'work-OST0005: 310 writes in 60 s, half of them over 512 ms; on 11 other OSTs half took 16 ms at most (brw_stats, I/O time)',
    ]);
    expect(JSON.stringify(detail({ kind: 'ost', id: 'work-OST0005' }, printed.judgement()))).toContain(
      '310 in 60 s, half of them 1024 ms at most',
    );
  });

  it.each<[string, (at: number) => Times, number, Partial<PrintedOst>, string]>([
    ['one in the 2 s of status, by many', (at) => (at === 5 ? slow : quick), 2, {}, 'warning'],
    ['in 2 s, by few', (at) => (at === 5 ? { ...old, 1024: 12 } : { ...old, 16: 400_012 }), 2, {}, 'notice'],
    ['marked degraded', (at) => (at === 5 ? slow : quick), 60, { degraded: 1 }, 'notice'],
    [
      'reads alone',
      (at) => ({ ...quick, ...(at === 5 ? { 4096: [30, 0] } : { 8: [40, 0] }) }),
      60,
      {},
      'warning',
    ],
  ])('%s', (_, after, afterS, more, severity) => {
    expect(told(after, afterS, more).map((line) => line.split(' ')[0])).toEqual([severity]);
  });

  it('two of one server are one finding, of two servers two', () => {
    expect(told((at) => (at === 4 || at === 5 ? slow : quick))).toEqual([
      expect.stringMatching(/^warning slow: work-OST\[0004-0005\] slow: half of their writes/),
    ]);
    expect(told((at) => (at === 1 || at === 5 ? slow : quick))).toHaveLength(2);
  });

  it.each<[string, (at: number) => Times]>([
    ['nothing happens', () => old],
    ['all are quick', () => quick],
    ['all are slow: load', () => slow],
    ['half of them are: two kinds of disks', (at) => (at % 2 ? slow : quick)],
    ['it has far more to do than the others', (at) => (at === 5 ? { ...slow, 1024: 5300 } : quick)],
    ['the others do nothing', (at) => (at === 5 ? slow : old)],
    ['two others alone do something', (at) => (at === 5 ? slow : at < 2 ? quick : old)],
    ['a few long ones among many', (at) => (at === 5 ? { ...quick, 2048: 360 } : quick)],
    ['it did three', (at) => (at === 5 ? { ...old, 4096: 3 } : quick)],
    ['four times as long as the others', (at) => (at === 5 ? slow : { ...old, 256: 300 })],
    ['its counts were cleared in between', (at) => (at === 5 ? { 1024: 100, 2048: 90 } : quick)],
  ])('silent: %s', (_, after) => {
    expect(told(after)).toEqual([]);
  });

  it('silent at the first look, where its OSS is away since, and where nothing is counted', () => {
    const first = site(osts((at) => (at === 5 ? slow : quick)));
    expect(first.said().filter((line) => line.includes('slow'))).toEqual([]);
    const away = site(osts(() => old)).later(60, {
      osts: osts((at) => (at === 5 ? slow : quick)),
      down: ['oss2'],
    });
    expect(away.said().filter((line) => line.includes(' slow:'))).toEqual([]);
    const none = site(osts(() => ({})).map(({ oss }) => ({ oss })));
    expect(none.later(60).loud()).toEqual([]);
  });

  it('a file system with three OSTs has nothing to compare with', () => {
    const three = (times: (at: number) => Times): PrintedOst[] => osts(times).slice(0, 3);
    const printed = site(three(() => old)).later(60, { osts: three((at) => (at === 1 ? slow : quick)) });
    expect(printed.loud()).toEqual([]);
  });
});
