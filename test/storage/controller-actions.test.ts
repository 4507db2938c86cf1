import { describe, expect, it } from 'vitest';
import { setOfflineAction, startRebuildAction } from '../../probes/storage/act/controller-disks.ts';
import { writeCacheAction } from '../../probes/storage/act/write-cache.ts';
import type { RaidToolReading, ReadArray } from '../../probes/storage/readings.ts';
import type { Action, Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** `gxf`: in sync, missing, being filled; disks are c0 32:0, c0 32:1. */
const array = (pattern: string, more: Partial<ReadArray> = {}): ReadArray => ({
  id: 'c0/0/1 data',
  level: 'RAID6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [...pattern].map((letter, at) => ({
    disk: `c0 32:${at}`,
    state: letter === 'g' ? 'good' : letter === 'f' ? 'filling' : 'missing',
  })),
  usable: true,
  ...(pattern.includes('f') && { work: 'rebuild' as const }),
  ...more,
});

const tool = (own: ReadArray, more: Partial<RaidToolReading> = {}): RaidToolReading => ({
  tool: 'storcli',
  program: '/opt/storcli64',
  arrays: [own],
  caches: [{ controller: '0', array: 'c0/0/1 data', said: 'set to "NRWTD"', wanted: 'through' }],
  batteries: [{ controller: '0', said: 'CacheVault Optimal', good: true }],
  suspects: [{ disk: 'c0 32:2', why: '2 predicted failures' }],
  ...more,
});

const judge = (tools: readonly RaidToolReading[] | undefined, settings: object = {}): Judgement => {
  const sources = new Sources();
  if (tools) sources.good('storage.controllers', 'a1', { tools: [...tools] }, start);
  return judgementOf({
    readings: sources,
    site: siteOf([{ name: 'a1', roles: ['storage'] }], { settings: { storage: settings } }),
  });
};

const subject = { kind: 'host', id: 'a1' } as const;
const plan = <P>(action: Action<P>, given: P, live: Judgement): Plan | Refusal =>
  action.plan([subject], given, { judgement: live, operator: 'op' });
const targetOf = (made: Plan | Refusal): PlanTarget => {
  const [target] = 'refused' in made ? [] : made.targets;
  if (!target) throw new Error('reason' in made ? made.reason : 'no target');
  return target;
};
const argvs = (made: Plan | Refusal): string[] =>
  targetOf(made).steps.map((step) => ('argv' in step ? step.argv.join(' ') : ''));
const reasonOf = (made: Plan | Refusal): string => ('refused' in made ? made.reason : 'planned');
const said = ({ guards }: PlanTarget, live: Judgement): string[] =>
  guards.flatMap(({ check }) => {
    const result = check(live);
    return result.ok ? [] : [result.text];
  });
const disk = { disk: 'c0 32:2' };
const whole = judge([tool(array('gggggg'))]);

describe('storage.set-offline', () => {
  it('ends a command that hangs, and goes by the path of the disk', () => {
    expect(argvs(plan(setOfflineAction, disk, whole))).toEqual([
      'timeout -s KILL 60 /opt/storcli64 /c0/e32/s2 set offline nolog',
    ]);
    const sudo = judge([tool(array('gggggg'))], { sudo: true });
    expect(argvs(plan(setOfflineAction, disk, sudo))[0]).toMatch(/^sudo -n timeout /);
    expect(targetOf(plan(setOfflineAction, disk, whole)).undo).toBeNull();
  });

  it('is refused where the volume could lose no more, while it rebuilds, and where nobody knows', () => {
    const target = targetOf(plan(setOfflineAction, disk, whole));
    expect(said(target, whole)).toEqual([]);
    expect(said(target, judge([tool(array('xggggg'))]))).toEqual(['c0/0/1 data: would leave 0 of 2 (wait)']);
    expect(said(target, judge([tool(array('fggggg'))])).join()).toContain('rebuild');
    expect(said(target, judge([tool(array('gggggg', { doubt: 'odd' }))])).join()).toContain('cannot say');
    expect(said(target, judge(undefined))).toEqual(['the controllers of a1 were not read just now']);
    expect(said(target, judge([tool(array('gggggg'), { failure: 'no answer within 60 s' })]))).toEqual([
      'storcli: no answer within 60 s',
    ]);
    const mirror = array('gg', { layout: { kind: 'mirror' }, level: 'RAID1' });
    const pair = { disk: 'c0 32:1' };
    expect(
      said(targetOf(plan(setOfflineAction, pair, judge([tool(mirror)]))), judge([tool(mirror)])),
    ).toEqual(['c0/0/1 data: would leave 0 of 1 (replace in place)']);
  });

  it('has no plan where no command is documented, and none for what it cannot name', () => {
    for (const name of ['megacli', 'ssacli', 'arcconf'])
      expect(
        reasonOf(plan(setOfflineAction, disk, judge([tool(array('gggggg'), { tool: name })]))),
      ).toContain('by hand, and noted');
    expect(reasonOf(plan(setOfflineAction, { disk: 'c0 32:9' }, whole))).toBe(
      'no controller of a1 names c0 32:9',
    );
    const twice = judge([tool(array('gggggg')), tool(array('gggggg'), { tool: 'perccli' })]);
    expect(reasonOf(plan(setOfflineAction, disk, twice))).toContain('two tools');
    for (const bad of ['sda', 'c0 32:2 set', '-aALL'])
      expect(setOfflineAction.parameters.safeParse({ disk: bad }).success).toBe(false);
  });

  it('is verified by the state of the disk, and offered for suspects alone', () => {
    const { verify } = targetOf(plan(setOfflineAction, disk, whole));
    expect(verify.check(judge([tool(array('ggxggg'))])).state).toBe('yes');
    expect(verify.check(whole).state).toBe('wait');
    expect(verify.check(judge(undefined)).state).toBe('unread');
    const tried = (live: Judgement) =>
      setOfflineAction.menu.tryWith?.([subject], { judgement: live, operator: 'op' });
    expect(tried(whole)).toEqual([disk]);
    expect(tried(judge([tool(array('ggxggg'))]))).toMatchObject({ refused: true });
    expect(tried(judge([tool(array('gggggg'), { suspects: [] })]))).toMatchObject({ refused: true });
  });
});

describe('storage.start-rebuild', () => {
  const out = judge([tool(array('ggxggg'))]);

  it('fills a disk that is out', () => {
    const made = plan(startRebuildAction, disk, out);
    expect(argvs(made)).toEqual(['timeout -s KILL 60 /opt/storcli64 /c0/e32/s2 start rebuild nolog']);
    expect(said(targetOf(made), out)).toEqual([]);
    expect(targetOf(made).verify.check(judge([tool(array('ggfggg'))]))).toMatchObject({
      state: 'yes',
      goesOn: 'rebuild',
    });
  });

  it('is refused for a disk that works, a volume that is lost, and while another is filled', () => {
    const target = targetOf(plan(startRebuildAction, disk, out));
    expect(said(target, whole)).toEqual(['the disk is good there']);
    expect(said(target, judge([tool(array('ggxfgg'))]))).toEqual(['c0/0/1 data: rebuild runs already']);
    expect(said(target, judge([tool(array('ggxxxg'))])).join()).toContain('lost or not known');
    expect(said(target, judge([tool(array('ggxggg', { usable: false, word: 'OfLn' }))])).join()).toContain(
      'OfLn',
    );
    expect(said(target, judge(undefined)).join()).toContain('not read just now');
  });
});

describe('storage.write-back', () => {
  const given = { volume: 'c0/0/1 data' };
  const set = (wanted: 'back' | 'through') =>
    tool(array('gggggg'), {
      caches: [{ controller: '0', array: 'c0/0/1 data', said: `set to ${wanted}`, wanted }],
    });

  it('sets what somebody set to write through, where the battery is good', () => {
    const made = plan(writeCacheAction, given, whole);
    expect(argvs(made)).toEqual(['timeout -s KILL 60 /opt/storcli64 /c0/v1 set wrcache=WB nolog']);
    expect(said(targetOf(made), whole)).toEqual([]);
    expect(targetOf(made).verify.check(judge([set('back')])).state).toBe('yes');
    expect(targetOf(made).verify.check(judge([set('through')])).state).toBe('wait');
    expect(targetOf(made).whyAlreadyDone(judge([set('back')]))).toBe('it is set to back');
  });

  it('is refused with a battery that is bad, learns, is not known, or is none', () => {
    const target = targetOf(plan(writeCacheAction, given, whole));
    const withBattery = (batteries: RaidToolReading['batteries']): string =>
      said(target, judge([tool(array('gggggg'), { batteries })])).join();
    expect(withBattery([])).toBe('controller 0 names no battery');
    expect(withBattery([{ controller: '1', said: 'Optimal', good: true }])).toBe(
      'controller 0 names no battery',
    );
    expect(withBattery([{ controller: '0', said: 'BBU Failed', good: false }])).toContain('BBU Failed');
    expect(withBattery([{ controller: '0', said: 'BBU odd' }])).toContain('BBU odd');
    expect(withBattery([{ controller: '0', said: 'BBU learns', good: true, learning: true }])).toContain(
      'learns',
    );
  });

  it('is refused where it writes back already, and where nothing was read', () => {
    const target = targetOf(plan(writeCacheAction, given, whole));
    expect(said(target, judge([set('back')]))).toEqual(['it reads set to back']);
    expect(said(target, judge(undefined)).join()).toContain('not read just now');
    expect(writeCacheAction.parameters.safeParse({ volume: '/cALL' }).success).toBe(false);
    const tried = (live: Judgement) =>
      writeCacheAction.menu.tryWith?.([subject], { judgement: live, operator: 'op' });
    expect(tried(whole)).toEqual([given]);
    expect(tried(judge([set('back')]))).toMatchObject({ refused: true });
  });
});
