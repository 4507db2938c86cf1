import { describe, expect, it } from 'vitest';
import { startRebuildAction } from '../../probes/storage/act/controller-disks.ts';
import { storage } from '../../probes/storage/index.ts';
import { readControllers } from '../../probes/storage/read/read-controllers.ts';
import type { RaidToolReading } from '../../probes/storage/readings.ts';
import type { Judgement } from '../../src/model/system.ts';
import { answerOf } from '../helpers/answer.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { array, targetOf } from './make.ts';

const SLOT = 'c0 32:2';
const SERIES = `storage.slot:a1:storcli:${SLOT}`;

/** A RAID6 of which slot 2 is so now and bears this number; `earlier`: what was written down of it, oldest first. */
const judge = (
  state: 'good' | 'missing' | 'filling',
  number: string | undefined,
  earlier: readonly string[] = [],
): Judgement => {
  const tool: RaidToolReading = {
    tool: 'storcli',
    program: '/opt/storcli64',
    arrays: [
      array('gggggg', {
        id: 'c0/0/1 data',
        level: 'RAID6',
        slots: Array.from({ length: 6 }, (_, at) => ({
          disk: `c0 32:${at}`,
          state: at === 2 ? state : 'good',
        })),
        ...(state === 'filling' && { work: 'rebuild' }),
      }),
    ],
    caches: [],
    batteries: [],
    suspects: [],
    ...(number !== undefined && { numbers: [{ disk: SLOT, number }] }),
  };
  const sources = new Sources();
  sources.good('storage.controllers', 'a1', { tools: [tool] }, start);
  const points = earlier.map((value, at) => ({ at: start - (earlier.length - at) * 3_600_000, value }));
  return judgementOf({
    readings: sources,
    site: siteOf([{ name: 'a1', roles: ['storage'] }]),
    history: historyOf({ [SERIES]: points }),
  });
};

const back = (judgement: Judgement) => storage.findings(judgement).find(({ kind }) => kind === 'same-disk');
const [OLD, NEW] = ['serial ZL2PVFA8', 'serial WL201HYL'];

describe('the disk in a slot of a controller', () => {
  it('is written down with its number and what became of it', () => {
    expect(storage.track(judge('missing', OLD))).toContainEqual({ series: SERIES, value: `missing ${OLD}` });
    expect(storage.track(judge('missing', undefined)).filter(({ series }) => series === SERIES)).toEqual([]);
  });

  it('is told when the one that was out is filled again', () => {
    for (const earlier of [[`good ${OLD}`], [`good ${NEW}`, `good ${OLD}`, `missing ${OLD}`]]) {
      const found = back(judge('filling', OLD, earlier));
      expect(found?.severity).toBe('notice');
      expect(found?.summary).toBe(
        `a1: ${SLOT} of c0/0/1 data is filled again, and is the disk that was out: ${OLD}`,
      );
    }
  });

  it.each<[string, Judgement]>([
    ['another disk is filled', judge('filling', NEW, [`good ${OLD}`, `missing ${OLD}`])],
    ['it still is out', judge('missing', OLD, [`good ${OLD}`])],
    ['it works', judge('good', OLD, [`good ${OLD}`, `missing ${OLD}`, `filling ${OLD}`])],
    ['its controller says no number of it', judge('filling', undefined, [`good ${OLD}`])],
    ['nobody saw what worked there', judge('filling', OLD, [`missing ${OLD}`, `filling ${OLD}`])],
    ['nothing was ever written down', judge('filling', OLD)],
  ])('is told of nobody where %s', (_, judgement) => {
    expect(back(judgement)).toBeUndefined();
  });

  it('stands beside the rebuild with the one before', () => {
    const rebuild = storage
      .findings(judge('filling', NEW, [`good ${OLD}`]))
      .find(({ kind }) => kind === 'rebuild');
    expect(rebuild?.evidence.map(({ text }) => text)).toContain(
      `${SLOT}: ${NEW}, before it ${OLD}: another disk`,
    );
  });
});

describe('storage.start-rebuild', () => {
  const plan = (judgement: Judgement) =>
    startRebuildAction.plan([{ kind: 'host', id: 'a1' }], { disk: SLOT }, { judgement, operator: 'op' });
  const because = (judgement: Judgement): readonly string[] => {
    const made = plan(judgement);
    return 'refused' in made ? [made.reason] : made.because;
  };

  it('says which disk it is before, and which it was afterwards', () => {
    expect(because(judge('missing', NEW, [`good ${OLD}`]))).toContain(
      `${SLOT}: ${NEW}, before it ${OLD}: another disk`,
    );
    expect(because(judge('missing', OLD, [`good ${OLD}`]))).toContain(
      `${SLOT}: ${OLD}, as before: the same disk`,
    );
    expect(because(judge('missing', OLD))).toContain(
      `${SLOT}: ${OLD}; which disk worked there before was not seen`,
    );
    expect(because(judge('good', OLD, [`good ${OLD}`]))).toContain(`${SLOT}: ${OLD}`);
    expect(because(judge('missing', undefined))).toContain(
      `${SLOT}: its controller says no serial number of it`,
    );
    const { verify } = targetOf(plan(judge('missing', NEW, [`good ${OLD}`])));
    expect(verify.check(judge('filling', NEW, [`good ${OLD}`]))).toMatchObject({
      state: 'yes',
      text: `it is being filled: ${NEW}, before it ${OLD}: another disk`,
    });
  });
});

describe('what storcli says of each disk', () => {
  const json = (data: object, status = 'Success'): string =>
    JSON.stringify({
      Controllers: [{ 'Command Status': { Controller: 0, Status: status }, 'Response Data': data }],
    });
  const short = json({
    'VD LIST': [{ 'DG/VD': '0/0', TYPE: 'RAID1', State: 'Optl', Cache: 'RWBD', Name: 'data' }],
    'PD LIST': [24, 25].map((slot) => ({ 'EID:Slt': `32:${slot}`, State: 'Onln', DG: 0, Size: '1 TB' })),
  });
  const read = (details: string, code = 0) =>
    readControllers(
      answerOf(
        `@@faultline storcli\n${short}\n@@faultline storcli-exit 0\n@@faultline storcli-disks\n${details}\n@@faultline storcli-disks-exit ${code}\n@@faultline end\n`,
      ),
    ).value.tools[0];

  it('are its number and whether it will fail; its state is that of the list', () => {
    const tool = read(
      json({
        'Drive /c0/e32/s24': [{ 'EID:Slt': '32:24', State: 'Offln', DG: 0, Size: '1 TB' }],
        'Drive /c0/e32/s24 - Detailed Information': {
          'Drive /c0/e32/s24 State': { 'Predictive Failure Count': 2 },
          'Drive /c0/e32/s24 Device attributes': { SN: '  ZL2PVFA8 ', WWN: '5000C500E54F4EBB' },
        },
      }),
    );
    expect(tool?.numbers).toEqual([{ disk: 'c0 32:24', number: OLD }]);
    expect(tool?.suspects).toEqual([
      { disk: 'c0 32:24', why: '2 predicted failures', serial: OLD.slice('serial '.length) },
    ]);
    expect(tool?.arrays[0]?.slots.map(({ state }) => state)).toEqual(['good', 'good']);
    expect(tool?.failure).toBeUndefined();
  });

  it('are missing without harm where it found no disk so, and told where it hangs', () => {
    const none = read(json({}, 'Failure'), 1);
    expect(none?.failure).toBeUndefined();
    expect(none?.numbers).toBeUndefined();
    expect(none?.arrays).toHaveLength(1);
    expect(read('', 137)?.failure).toBe('disks: no answer within 60 s');
    expect(read('', 137)?.arrays).toHaveLength(1);
  });
});
