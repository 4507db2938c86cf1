import { describe, expect, it } from 'vitest';
import { batteryResetAction } from '../../probes/storage/act/battery-reset.ts';
import { storage } from '../../probes/storage/index.ts';
import type { ControllersReading, UpsUnit } from '../../probes/storage/readings.ts';
import type { Plan, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const good: UpsUnit = {
  name: 'rack3',
  status: ['OL'],
  onBattery: false,
  replaceBattery: false,
  chargePct: 100,
  runtimeS: 700,
  batteryDate: '2020/01/01',
  selfTest: 'Done and passed',
};

const tool = (writes: 'back' | 'through', more: object = {}): ControllersReading => ({
  tools: [
    {
      tool: 'megacli',
      arrays: [],
      caches: [{ controller: '0', array: 'c0/0', said: writes, writes, wanted: 'back' }],
      batteries: [],
      suspects: [],
      ...more,
    },
  ],
});

const off = tool('through');
const reset = { argv: ['array-cli', 'reset'] };

const judge = (
  unit: UpsUnit | undefined,
  controllers: ControllersReading | undefined,
  setting: object = { feeds: ['a1'], reset },
): Judgement => {
  const sources = new Sources();
  if (unit) sources.good('storage.ups', 'm1', { units: [unit] }, start);
  if (controllers) sources.good('storage.controllers', 'a1', controllers, start);
  const hosts = [
    { name: 'm1', roles: ['ups'] },
    { name: 'a1', roles: ['storage'] },
  ];
  const ups = [{ host: 'm1', name: 'rack3', tool: 'nut', lifeYears: 3, ...setting }];
  return judgementOf({ readings: sources, site: siteOf(hosts, { settings: { storage: { ups } } }) });
};

const subject = { kind: 'host', id: 'm1' } as const;
const plan = (live: Judgement, ups = 'rack3'): Plan | Refusal =>
  batteryResetAction.plan([subject], { ups }, { judgement: live, operator: 'op' });
const targetOf = (live: Judgement): PlanTarget => {
  const made = plan(live);
  const [target] = 'refused' in made ? [] : made.targets;
  if (!target) throw new Error('no plan');
  return target;
};
const said = (live: Judgement): string[] =>
  targetOf(judge(good, off)).guards.flatMap(({ check }) => {
    const result = check(live);
    return result.ok ? [] : [result.text];
  });

describe('storage.battery-reset', () => {
  it("runs the site file's command, where it says, and only that", () => {
    expect(targetOf(judge(good, off)).steps).toMatchObject([{ host: 'm1', argv: ['array-cli', 'reset'] }]);
    const elsewhere = judge(good, off, { feeds: ['a1'], reset: { ...reset, host: 'a1' } });
    expect(targetOf(elsewhere).steps).toMatchObject([{ host: 'a1' }]);
    expect(targetOf(elsewhere).undo).toBeNull();
    expect(plan(judge(good, off, { feeds: ['a1'] }))).toMatchObject({ refused: true });
    expect(plan(judge(good, off, { feeds: [], reset }))).toMatchObject({ refused: true });
    expect(plan(judge(good, off), 'other')).toMatchObject({ refused: true });
  });

  it('passes on a battery that was measured and is good, and a cache that is off', () => {
    expect(said(judge(good, off))).toEqual([]);
  });

  it('is refused for a battery that nobody measured, or that is none to trust', () => {
    expect(said(judge(undefined, off))).toEqual(['rack3 was not read just now']);
    expect(said(judge({ ...good, failure: 'Data stale' }, off))).toEqual(['Data stale']);
    const odd: Partial<UpsUnit>[] = [
      { chargePct: 60 },
      { runtimeS: 100 },
      { selfTest: 'Done and failed' },
      { replaceBattery: true },
      { onBattery: true },
    ];
    for (const one of odd) expect(said(judge({ ...good, ...one }, off))).toHaveLength(1);
    const { selfTest: _none, ...untested } = good;
    expect(said(judge(untested, off))).toEqual(['no self-test of it is known to have passed']);
  });

  it('is refused where no cache is off, where its own controller explains it, and where none was read', () => {
    expect(said(judge(good, tool('back')))).toEqual(['none is off']);
    const bad = tool('through', { batteries: [{ controller: '0', said: 'BBU failed', good: false }] });
    expect(said(judge(good, bad))).toEqual(['none is off']);
    expect(said(judge(good, undefined))).toEqual(['the write caches of a1 were not read just now']);
    const hangs = { tools: [{ ...tool('back').tools[0], caches: [], failure: 'no answer within 60 s' }] };
    expect(said(judge(good, hangs as ControllersReading))).toEqual([
      'the write caches of a1 were not read just now',
    ]);
  });

  it('is verified by the controllers', () => {
    const { verify, whyAlreadyDone } = targetOf(judge(good, off));
    expect(verify.check(judge(good, tool('back')))).toEqual({
      state: 'yes',
      text: 'the write caches of a1 write back',
    });
    const untold = { caches: [{ controller: '0', array: 'c0/0', said: 'set to RWBD', wanted: 'back' }] };
    expect(verify.check(judge(good, tool('back', untold)))).toEqual({
      state: 'unread',
      text: 'what the write caches of a1 do now is not known',
    });
    expect(verify.check(judge(good, off)).state).toBe('wait');
    expect(verify.check(judge(good, undefined)).state).toBe('unread');
    expect(whyAlreadyDone(judge(good, tool('back')))).toBe('no write cache of a1 is off');
    expect(whyAlreadyDone(judge(good, undefined))).toBeUndefined();
    expect(whyAlreadyDone(judge(good, tool('back', { failure: 'busy' })))).toBeUndefined();
  });

  it('is a remedy of the UPS that took the cache, where the site file brings it', () => {
    const remedies = (live: Judgement) =>
      storage.findings(live).find(({ kind }) => kind === 'battery-end')?.remedies;
    expect(remedies(judge(good, off))).toEqual([
      { action: 'storage.battery-reset', subjects: [subject], set: { ups: 'rack3' } },
    ]);
    expect(remedies(judge(good, off, { feeds: ['a1'] })) ?? []).toEqual([]);
    expect(remedies(judge(good, tool('back'))) ?? []).toEqual([]);
    // A date that has not come took nothing.
    expect(remedies(judge({ ...good, batteryDate: '2023/12/20' }, off)) ?? []).toEqual([]);
  });
});
