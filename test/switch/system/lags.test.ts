import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { lagOf, membersText } from '../../../probes/switch/links/lags.ts';
import { loadGap, loadOf } from '../../../probes/switch/links/loads.ts';
import type { LagsReading, Port } from '../../../probes/switch/readings.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const site = siteOf([{ name: 'core3', roles: ['switch'], platform: 'dell_ftos' }]);

const portAt = (bytes: bigint, more: Partial<Port> = {}): Port => ({
  port: 'te3/1',
  name: 'te3/1',
  link: 'up',
  memberOf: 'po1',
  speedMbps: 10_000,
  counts: { rxBytes: bytes, txBytes: 0n },
  ...more,
});

/** Samples of one port: seconds, and bytes received until then. */
const sampled = (samples: readonly (readonly [seconds: number, bytes: bigint])[], more?: Partial<Port>) => {
  const readings = new Sources();
  for (const [seconds, bytes] of samples)
    readings.good('switch.screens', 'core3', { ports: [portAt(bytes, more)] }, start + seconds * 1000, 20, 3);
  return judgementOf({ readings, site });
};

const lag = { host: 'core3', lag: 'po1', at: start, fresh: true, members: [{ port: 'te3/1', active: true }] };

describe('the load of a member', () => {
  const half = 625_000_000n;

  it('is that of an interval which is long enough: devices count in steps', () => {
    const live = sampled([
      [0, 0n],
      [10, 10n * half],
      [10.2, 10n * half],
    ]);
    expect(loadOf(live, 'core3', 'te3/1')).toBe(0.5);
  });

  it('is not known by samples that lie hours apart, until there is one more', () => {
    const apart = sampled([
      [0, 0n],
      [7200, half],
    ]);
    expect(loadOf(apart, 'core3', 'te3/1')).toBeUndefined();
    expect(loadGap(apart, lag)).toEqual({ text: 'the samples of core3 lie 2 h apart', once: true });
    const again = sampled([
      [0, 0n],
      [7200, half],
      [7202, 3n * half],
    ]);
    expect(loadOf(again, 'core3', 'te3/1')).toBe(0.5);
  });

  it('is not known of a port that tells a speed of nought', () => {
    const idle = sampled(
      [
        [0, 0n],
        [10, 0n],
      ],
      { speedMbps: 0 },
    );
    expect(loadOf(idle, 'core3', 'te3/1')).toBeUndefined();
    expect(loadGap(idle, lag)).toEqual({ text: 'core3 reports no speed of te3/1', once: false });
  });
});

describe('a LAG that only its ports name', () => {
  it('is guessed: whether they carry traffic stands in the table of LAGs', () => {
    const live = sampled([[0, 0n]]);
    expect(lagOf(live, 'core3', 'te3/1')).toMatchObject({ lag: 'po1', guessed: true });
  });
});

describe('a far end that does not tell which of its members carry traffic', () => {
  const guards = async (change: (world: SwitchWorld) => void): Promise<Record<string, string>> => {
    const world = new SwitchWorld('quiet');
    for (let round = 0; round < 3; round++) await world.poll();
    // Its ports still name their LAG, and their links are up.
    world.readings.forget('switch.lags', 'nfs-sw1');
    change(world);
    const live = world.judgement();
    const plan = shutAction.plan(
      [{ kind: 'port', id: 'core3:te3/46' }],
      {},
      { judgement: live, operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    return Object.fromEntries(
      (plan.targets[0]?.guards ?? []).map((guard) => {
        const { ok, text } = guard.check(live);
        return [guard.id, `${ok ? 'ok' : 'no'}: ${text}`];
      }),
    );
  };

  it('is not counted, and the guard says so', async () => {
    expect((await guards(() => undefined))['6 members']).toBe(
      'ok: 7 of 8 members stay up (limit 4); at nfs-sw1 not counted: it does not report which members of po98 carry traffic',
    );
  });

  it('is not there for a LAG without LACP: nobody would tell it to stop sending', async () => {
    const told = await guards((world) => {
      const good = world.readings.source<LagsReading>('switch.lags', 'core3')?.good?.value;
      const lags = good?.lags.map(({ lag: name }) => ({ lag: name }));
      world.readings.good('switch.lags', 'core3', { ...good, lags }, world.now);
    });
    expect(told['6 active member']).toMatch(/^no: po98 is not seen to use LACP, nor is its far side/);
  });

  it('stands as ?/8 where members are shown', () => {
    const members = [1, 2].map((port) => ({ port: `te3/${port}`, active: undefined }));
    expect(membersText({ ...lag, guessed: true, members })).toBe('?/2');
    expect(membersText({ ...lag, members: [...lag.members, ...members] })).toBe('1/3');
  });
});
