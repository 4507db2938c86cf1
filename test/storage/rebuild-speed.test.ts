import { describe, expect, it } from 'vitest';
import { rebuildSpeedAction } from '../../probes/storage/act/rebuild-speed.ts';
import type { ReadArray } from '../../probes/storage/readings.ts';
import { createStorageSimulator } from '../../probes/storage/simulate/index.ts';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { start } from '../helpers/judging.ts';
import { argvs, array, context, judge, refusals, subject, targetOf } from './make.ts';

const rebuilds = (speedMin = '1000 (system)', speedMax = '200000 (system)'): ReadArray =>
  array('gggfgg', { work: 'rebuild', workPct: 12, speedMin, speedMax });
const set = (live: Judgement, least = 50_000, most = 200_000): Plan | Refusal =>
  rebuildSpeedAction.plan([subject], { array: 'md6', least, most, minutes: 60 }, context(live));
const wordsOf = (plan: Plan | Refusal): string[] =>
  argvs(targetOf(plan)).map((line) => line.split('rebuild-speed ').at(-1) ?? '');

describe('storage.rebuild-speed', () => {
  it('sets both limits of an array, and leaves behind what puts back the ones before', () => {
    expect(wordsOf(set(judge([rebuilds()])))).toEqual(['md6 50000 200000 3600 system system']);
    expect(wordsOf(set(judge([rebuilds('1000 (system)', '2000 (local)')])))).toEqual([
      'md6 50000 200000 3600 system 2000',
    ]);
  });

  it('is refused where nothing runs, where its speed was changed meanwhile, or is not known', () => {
    const target = targetOf(set(judge([rebuilds()])));
    const said = (live: Judgement): string => refusals(target, live).join();
    expect(said(judge([rebuilds()]))).toBe('');
    expect(said(judge([{ ...rebuilds(), waits: 'DELAYED' }]))).toBe('');
    expect(said(judge([rebuilds('7 (local)')]))).toContain('was changed');
    const idle = array('gggggg', { speedMin: '1000 (system)', speedMax: '200000 (system)' });
    expect(said(judge([idle]))).toContain('nothing runs there');
    expect(said(judge([{ ...rebuilds(), doubt: 'not in sysfs' }]))).toContain('not read just now');
    expect(said(judge(undefined))).toContain('not read just now');
    for (const odd of ['1000', '1000 (maybe)', '-1 (local)', 'x'])
      expect(set(judge([rebuilds(odd)]))).toMatchObject({ refused: true });
    expect(set(judge([rebuilds()]), 3000, 2000)).toMatchObject({ refused: true });
    for (const least of ['0', '-5', '1; reboot', ''])
      expect(rebuildSpeedAction.parameters.safeParse({ array: 'md6', least, most: '9' }).success).toBe(false);
  });

  it('is verified by what sysfs reads, and taken back by values of the log alone', () => {
    const { verify, was, undo, whyAlreadyDone } = targetOf(set(judge([rebuilds()])));
    const done = judge([rebuilds('50000 (local)', '200000 (local)')]);
    expect(verify.check(judge([rebuilds()])).state).toBe('wait');
    expect(verify.check(done).state).toBe('yes');
    expect(verify.check(judge([array('gggggg')])).state).toBe('unread');
    expect(whyAlreadyDone(done)).toContain('already');
    expect(whyAlreadyDone(judge([rebuilds()]))).toBeUndefined();
    expect(argvs({ steps: undo ?? [] })[0]).toMatch(/rebuild-speed md6 system system$/);
    const back = (values: unknown) => rebuildSpeedAction.undoOf?.(subject, values, context(done));
    expect(back(was)).toMatchObject({
      steps: [{ argv: expect.arrayContaining(['md6', 'system']) as unknown }],
    });
    for (const bad of [
      undefined,
      { array: 'md6', least: '1;x', most: 'system' },
      { array: '../x', least: '1', most: '2' },
    ])
      expect(back(bad)).toMatchObject({ refused: true });
  });

  it('is offered on what runs, with a proposal that its disks can keep', () => {
    const offered = (live: Judgement) => rebuildSpeedAction.menu.tryWith?.([subject], context(live));
    expect(offered(judge([rebuilds()]))).toEqual([
      { array: 'md6', least: 50_000, most: 200_000, minutes: 240 },
    ]);
    expect(offered(judge([rebuilds('1000 (system)', '2000 (local)')]))).toMatchObject([
      { least: 2000, most: 2000 },
    ]);
    expect(offered(judge([array('gggggg')]))).toMatchObject({ refused: true });
  });
});

describe('the speed of a rebuild on the demo', () => {
  it('is slower at once, keeps what is filled, and comes back by itself', () => {
    const simulator = createStorageSimulator();
    simulator.start('disks-failing', start);
    const run = (now: number, ...argv: string[]) => simulator.call({ host: 'array2', argv, stdin: '', now });
    const line = (now: number): string =>
      /md11 :[^]*?recovery = ([\d.]+%).*speed=(\d+)K/
        .exec(String(run(now, 'cat', '/proc/mdstat')?.stdout))
        ?.slice(1)
        .join(' ') ?? '';
    const speeds = (now: number): string[] =>
      [
        ...String(run(now, 'grep', '-H', '-s', '.', '/sys/block/md*')?.stdout).matchAll(
          /md11\/md\/sync_speed_m..:(.*)/g,
        ),
      ].map(([, text = '']) => text);
    expect(line(start)).toBe('43.0% 90439');
    run(start, 'sh', '-s', '--', 'rebuild-speed', 'md11', '1000', '2000', '600', 'system', 'system');
    expect(line(start)).toBe('43.0% 2000');
    expect(speeds(start)).toEqual(['1000 (local)', '2000 (local)']);
    expect(line(start + 600_000)).toBe('43.0% 90439');
    expect(speeds(start + 600_000)).toEqual(['1000 (system)', '200000 (system)']);
    expect(run(start, 'sh', '-s', '--', 'rebuild-speed', 'md99', '1', '2')).toMatchObject({
      exitCode: 3,
    });
  });
});
