import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreAction } from '../../../probes/switch/act/restore.ts';
import { checkStaysDown } from '../../../probes/switch/act/reads.ts';
import { isLacp } from '../../../probes/switch/read/member-states.ts';
import { dellFtos } from '../../../probes/switch/platforms/dell-ftos/read.ts';
import { linkStateOf } from '../../../probes/switch/platforms/index.ts';
import { readMinLinks } from '../../../probes/switch/read/min-links.ts';
import { readChassis } from '../../../probes/switch/read/read-lags.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

/** What each platform prints of a port that is up. */
const up: Readonly<Record<string, readonly string[]>> = {
  arista_eos: ['up', 'connected'],
  cisco_ios: ['up', 'connected'],
  cisco_nxos: ['up', 'connected'],
  cisco_xr: ['up'],
  dell_ftos: ['up', 'Up'],
  dell_os10: ['up'],
  sonic: ['up', 'U'],
  cumulus: ['up', 'UP'],
  linux: ['up', 'UP'],
  juniper_junos: ['up', 'Up'],
  mellanox_onyx: ['Up'],
  aruba_aoscx: ['up'],
  hpe_comware: ['UP'],
  hpe_procurve: ['Up'],
  huawei_vrp: ['UP', 'up'],
  extreme_exos: ['A'],
  brocade_fastiron: ['up', 'Up'],
};

describe('words of a link', () => {
  it.each([
    ['arista_eos', { link: 'notconnect' }, 'dark'],
    ['arista_eos', { link: 'disabled' }, 'shut'],
    ['arista_eos', { link: 'errdisabled' }, 'down'],
    ['cisco_nxos', { link: 'down', admin: 'down' }, 'shut'],
    ['cisco_nxos', { link: 'down (SFP not present)', admin: 'up' }, 'dark'],
    ['cisco_nxos', { link: 'down (Administratively down)' }, 'shut'],
    ['dell_ftos', { link: 'down' }, 'down'],
    ['sonic', { link: 'X' }, 'shut'],
    ['sonic', { link: 'D' }, 'dark'],
    ['cumulus', { link: 'LOWERLAYERDOWN' }, 'down'],
    ['mellanox_onyx', { link: 'Down (Suspend)', admin: 'Enabled' }, 'dark'],
    ['huawei_vrp', { link: '*down' }, 'shut'],
    ['hpe_procurve', { link: 'Down', admin: 'No' }, 'shut'],
  ] as const)('%s %o', (platform, words, state) => expect(linkStateOf(platform, words)).toBe(state));

  it.each([
    ['cisco_nxos', { link: 'U' }],
    ['sonic', { link: 'u' }],
    ['cumulus', { link: 'UNKNOWN' }],
    ['arista_eos', { link: 'up (suspended)' }],
    ['arista_eos', { link: 'unknown' }],
    ['cisco_nxos', { link: 'up', admin: 'down' }],
    ['sonic', { link: 'N/A' }],
    ['dell_ftos', {}],
    ['a_new_one', { link: 'up' }],
  ] as const)('%s %o is neither up nor down', (platform, words) =>
    expect(linkStateOf(platform, words)).toBeUndefined(),
  );

  it('nothing else is up', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...Object.values(up).flat(),
        'UP',
        'uP',
        'u',
        'a',
        'not up',
        'backup',
        'up/down',
        'disconnected',
      ),
      fc.string({ maxLength: 10 }),
      fc.string({ maxLength: 4 }).map((tail) => `up${tail}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(up)), word, (platform, link) => {
        if (linkStateOf(platform, { link }) === 'up') expect(up[platform]).toContain(link);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a port whose state is not understood', () => {
  const odd: Port = { port: 'te3/46', name: 'te3/46', link: 'flapping', counts: {} };

  it('was neither kept shut nor brought back, and is not known to be shut', async () => {
    expect(checkStaysDown(odd, { port: 'te3/46', platform: dellFtos })).toEqual({
      state: 'unread',
      text: 'te3/46 reads "flapping", which is not understood',
    });
    const world = new SwitchWorld('quiet');
    for (let round = 0; round < 2; round++) await world.poll();
    const plan = restoreAction.plan(
      [{ kind: 'port', id: 'core3:te3/46' }],
      {},
      { judgement: world.judgement(), operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    world.readings.good('switch.screens', 'core3', { ports: [odd] }, world.now);
    const [target] = plan.targets;
    expect(target?.whyAlreadyDone(world.judgement())).toBeUndefined();
    expect(target?.verify.check(world.judgement())).toEqual({
      state: 'unread',
      text: 'te3/46 reads "flapping", which is not understood',
    });
    expect(target?.guards.find(({ id }) => id === '3 preconditions')?.check(world.judgement())).toMatchObject(
      {
        ok: false,
        text: 'te3/46 reads "flapping", which is not understood: whether it is shut is not known',
      },
    );
  });
});

describe('other words that guards rest on', () => {
  it.each(['LACP', 'lacp', 'DYNAMIC', 'Dynamic', 'DT-LACP', 'IEEE 802.3ad Dynamic link aggregation'])(
    '%s is LACP',
    (word) => expect(isLacp(word)).toBe(true),
  );

  it.each([
    'fault-tolerance (active-backup)',
    'inactive',
    'passive',
    'no lacp',
    'STATIC',
    'Static',
    'NONE',
    'PAgP',
    '-',
    undefined,
  ])('%s is not: nobody tells the far side', (word) => expect(isLacp(word)).toBe(false));

  const host = (platform: string) => {
    const site = siteOf([{ name: 'sw1', roles: ['switch'], platform }]);
    const found = site.host('sw1');
    if (!found) throw new Error('no host');
    return [found, site] as const;
  };

  it('of a SONiC configuration that was cut off no LAG is taken to need one', () => {
    const whole = '{"PortChannel1": {"mtu": "9100"}, "PortChannel2": {"min_links": "2"}}';
    const read = (text: string) => readMinLinks(answerOf(text), ...host('sonic')).value.lags;
    expect(read(whole)).toEqual([
      { lag: 'po1', min: 1 },
      { lag: 'po2', min: 2 },
    ]);
    for (let at = 1; at < whole.length; at++) expect(read(whole.slice(0, at))).toEqual([]);
  });

  it('clagd that is set up and does not run is no "no second chassis"', () => {
    const said = (stderr: string) =>
      readChassis(answerOf('', { exitCode: 1, stderr }), ...host('cumulus')).value;
    expect(said('The clagd service is not configured.')).toEqual({ spans: 'no', lags: [] });
    expect(() => said('The clagd service is not running.')).toThrow('second chassis of sw1');
  });
});
