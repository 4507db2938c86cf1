import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import { isRecovering, reachOf } from '../../probes/lustre/judge/reach.ts';
import { parseDevices } from '../../probes/lustre/read/parse-devices.ts';
import { readClient } from '../../probes/lustre/read/read-client.ts';
import { readOss } from '../../probes/lustre/read/read-oss.ts';
import type { ClientReading, MdsReading, Osp } from '../../probes/lustre/readings.ts';
import { requireHealthyImports } from '../../probes/lustre/act/task-guards.ts';
import { chooseOsts } from '../../probes/lustre/act/targets.ts';
import { parseRecovery } from '../../probes/lustre/read/parse-recovery.ts';
import { readRecovery } from '../../probes/lustre/read/read-states.ts';
import { anyWord } from '../helpers/words.ts';
import { guard, only, ost, plan, ready } from './planning.ts';
import type { World } from './world.ts';

const imports = `
  CLOSED NEW DISCONN CONNECTING REPLAY REPLAY_LOCKS REPLAY_WAIT RECOVER
  FULL EVICTED IDLE <UNKNOWN>`
  .trim()
  .split(/\s+/);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

/** What every MDT reads of one OST from now on; `undefined` is what was not read. */
const readAs = (world: World, hex: string, changes: { [K in keyof Osp]?: Osp[K] | undefined }): void => {
  for (const host of ['mds1', 'mds2']) {
    const good = world.readings.source<MdsReading>('lustre.mds', host)?.good;
    if (!good) throw new Error(`${host} was not read`);
    const osps = good.value.osps.map((osp) =>
      osp.ost === `scratch-OST${hex}`
        ? (Object.fromEntries(
            Object.entries({ ...osp, ...changes }).filter(([, value]) => value !== undefined),
          ) as Osp)
        : osp,
    );
    world.readings.good('lustre.mds', host, { ...good.value, osps }, good.at);
  }
  world.now += 1;
};
/** No client tells of this OST. */
const clientsSilent = (world: World, hex: string): void => {
  for (const { host, good } of world.readings.sources<ClientReading>('lustre.client'))
    if (good)
      world.readings.good(
        'lustre.client',
        host,
        { ...good.value, osts: good.value.osts.filter(({ name }) => name !== `scratch-OST${hex}`) },
        good.at,
      );
};

describe('for any state text of an import', () => {
  it('an OST takes files, is reached, activated or open again only by the words of the table', async () => {
    const world = await ready('quiet');
    const stop = only(plan(world, 'stop-creates', [ost('0001')]));
    const deactivate = only(plan(world, 'deactivate', [ost('0001')]));
    const inactive = await ready('quiet');
    readAs(inactive, '0007', { active: false });
    const activate = only(plan(inactive, 'activate', [ost('0007')]));
    readAs(inactive, '0007', { active: true, maxCreateCount: 0 });
    const resume = only(plan(inactive, 'resume-creates', [ost('0007')], { maxCreateCount: 20_000 }));
    const [target] = chooseOsts([ost('0001')], { judgement: world.judgement() }).targets;
    if (!target) throw new Error('no target');
    clientsSilent(world, '0007');
    const closed = (text: string): number => Number(/^(\d+) of/.exec(text)?.[1]);
    const before = closed(guard(world, stop, '6').text);
    fc.assert(
      fc.property(
        maybe(anyWord(imports)),
        maybe(fc.boolean()),
        maybe(fc.constantFrom(0, 32, 20_000)),
        maybe(fc.constantFrom(0, -11, -28, -108)),
        (state, active, maxCreateCount, prealloc) => {
          readAs(world, '0007', { state, active, maxCreateCount, prealloc });
          const live = world.judgement();
          const row = lustreOf(live).byOst.get('scratch-OST0007');
          const connected = state === 'FULL' || state === 'IDLE';
          const takes =
            connected &&
            active === true &&
            maxCreateCount !== undefined &&
            maxCreateCount > 0 &&
            (prealloc ?? 0) >= 0;
          for (const one of [stop, deactivate])
            expect(closed(guard(world, one, '6').text)).toBe(takes ? before : before + 1);
          expect(row && reachOf(row) === 'fine').toBe(connected && active !== false);
          if (!connected || active === false)
            expect(requireHealthyImports(target).check(live).ok).toBe(false);
          if (!(active === true && state === 'FULL'))
            expect(activate.verify.check(live).state).not.toBe('yes');
          if (active !== true) expect(activate.whyAlreadyDone(live)).toBeUndefined();
          if (!(active === true && (maxCreateCount ?? 0) > 0))
            expect(resume.whyAlreadyDone(live)).toBeUndefined();
          if (!(active === true && (maxCreateCount ?? 0) > 0 && prealloc === 0))
            expect(resume.verify.check(live).state).not.toBe('yes');
        },
      ),
      { numRuns: 150 },
    );
  });

  it('with FULL and IDLE an OST is reached', async () => {
    const world = await ready('quiet');
    for (const state of ['FULL', 'IDLE']) {
      readAs(world, '0007', { state });
      const row = lustreOf(world.judgement()).byOst.get('scratch-OST0007');
      expect(row && reachOf(row)).toBe('fine');
    }
  });
});

describe('for any status of a device', () => {
  it('a target is there only when it is UP', () => {
    fc.assert(
      fc.property(anyWord(['UP', 'IN', 'ST', 'AT', '--']), (status) => {
        const { devices } = parseDevices({
          stdout: `  7 ${status} obdfilter fs-OST0001 fs-OST0001_UUID 5\n`,
        });
        const { value } = readOss({ params: { params: {} }, devices, failed: [], notUnderstood: 0 });
        expect(value.osts.length).toBe(status === 'UP' ? 1 : 0);
      }),
    );
  });
});

describe("for any word of a client's lov", () => {
  it('only ACTIVE is active and only INACTIVE is inactive', () => {
    fc.assert(
      fc.property(anyWord(['ACTIVE', 'INACTIVE']), (word) => {
        const { value } = readClient({
          params: { params: { 'lov.fs-clilov-ff.target_obd': `0: fs-OST0000_UUID ${word}` } },
          devices: [],
          failed: [],
          notUnderstood: 0,
        });
        expect(value.osts[0]?.active).toBe(
          word === 'ACTIVE' ? true : word === 'INACTIVE' ? false : undefined,
        );
      }),
    );
  });
});

describe('for any status of a recovery', () => {
  it('it is over only with COMPLETE and INACTIVE', () => {
    const words = ['COMPLETE', 'INACTIVE', 'RECOVERING', 'WAITING', 'WAITING_FOR_CLIENTS'];
    fc.assert(
      fc.property(anyWord(words), (word) => {
        const text = `status: ${word}\nrecovery_start: 1\n`;
        expect(parseRecovery({ stdout: text })['status']).toBe(word);
        expect(isRecovering(readRecovery(text))).toBe(word !== 'COMPLETE' && word !== 'INACTIVE');
      }),
    );
  });
});

describe("a task's state file that is not understood", () => {
  it('on any client refuses a second run of the same', async () => {
    const world = await ready('quiet');
    const made = only(plan(world, 'files-on-ost', [ost('0007')]));
    expect(guard(world, made, '4').ok).toBe(true);
    const source = world.readings.sources('lustre.tasks')[0];
    if (!source?.good) throw new Error('no tasks were read');
    world.readings.put({ ...source, good: { ...source.good, notUnderstood: 1 } });
    world.now += 1;
    expect(guard(world, made, '4')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/is not understood: whether a list runs there is not known/),
    });
  });
});
