import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { readMinLinks } from '../../../probes/switch/read/min-links.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const read = (platform: string, stdout: string, exitCode = 0) => {
  const site = siteOf([{ name: 'sw1', roles: ['switch'], platform }]);
  const host = site.host('sw1');
  if (!host) throw new Error('no host');
  return readMinLinks(answerOf(stdout, { exitCode }), host, site).value;
};

describe('how many members a LAG needs', () => {
  it.each([
    [
      'arista_eos',
      'interface Port-Channel1\n   port-channel min-links 2\ninterface Port-Channel7\n   switchport mode trunk\n',
      { po1: 2, po7: 1 },
    ],
    [
      'cisco_nxos',
      'interface port-channel10\n  lacp min-links 3\ninterface port-channel11\n',
      { po10: 3, po11: 1 },
    ],
    [
      'juniper_junos',
      'Physical interface: ae0, Enabled, Physical link is Up\n    Minimum links needed: 2, Minimum bandwidth needed: 1bps\nPhysical interface: ae1, Enabled, Physical link is Up\n',
      { ae0: 2 },
    ],
    [
      'dell_ftos',
      'Port-channel 98 is up, line protocol is up\nMinimum number of links to bring Port-channel up is 4\n',
      { po98: 4 },
    ],
    [
      'dell_ftos',
      'Port-channel 98 is up, line protocol is up\nMTU 12000 bytes\ninterface Port-channel 98\n minimum-links 6\ninterface Port-channel 99\n',
      { po98: 6, po99: 1 },
    ],
    ['dell_ftos', 'Port-channel 98 is up, line protocol is up\nMTU 12000 bytes\n', {}],
    [
      'dell_os10',
      'Port-channel 1 is up, line protocol is up\nMinimum number of links to bring Port-channel up is 1\n',
      { po1: 1 },
    ],
    [
      'cumulus',
      '/proc/net/bonding/bond1:Min links: 1\n/proc/net/bonding/bond2:Min links: 2\n',
      { bond1: 1, bond2: 2 },
    ],
    [
      'sonic',
      '{"PortChannel1": {"admin_status": "up", "min_links": "2"}, "PortChannel2": {"mtu": "9100"}}\n',
      { po1: 2, po2: 1 },
    ],
  ] as const)('%s', (platform, text, told) => {
    const { lags } = read(platform, text);
    expect(Object.fromEntries(lags.map(({ lag, min }) => [lag, min]))).toEqual(told);
  });

  it('a device that refuses has not said one', () => {
    expect(() => read('arista_eos', '', 1)).toThrow('least members of the LAGs of sw1');
  });

  const guard = async (change: (world: SwitchWorld) => void): Promise<string> => {
    const world = new SwitchWorld('quiet');
    for (let round = 0; round < 3; round++) await world.poll();
    change(world);
    const live = world.judgement();
    const plan = shutAction.plan(
      [{ kind: 'port', id: 'core3:te3/46' }],
      {},
      { judgement: live, operator: 'alice' },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    const result = plan.targets[0]?.guards.find(({ id }) => id === '6 min links')?.check(live);
    return `${result?.ok ? 'ok' : 'no'}: ${result?.text}`;
  };
  const tells = (lags: readonly object[]) => (world: SwitchWorld) =>
    world.readings.good('switch.minlinks', 'core3', { lags }, world.now);

  it('a LAG that would fall below it is not touched: it would go down as a whole', async () => {
    expect(await guard(() => undefined)).toBe('ok: po98 needs 1 to stay up');
    expect(await guard(tells([{ lag: 'po98', min: 7 }]))).toBe('ok: po98 needs 7 to stay up');
    expect(await guard(tells([{ lag: 'po98', min: 8 }]))).toBe(
      'no: po98 on core3 needs 8 members to stay up and would have 7',
    );
    expect(await guard(tells([]))).toBe('no: how many members po98 needs is not known: not read');
    const far = (world: SwitchWorld) =>
      world.readings.good('switch.minlinks', 'nfs-sw1', { lags: [{ lag: 'po98', min: 8 }] }, world.now);
    const eight = 'no: po98 on nfs-sw1 needs 8 members to stay up and would have 7';
    expect(await guard(far)).toBe(eight);
    // What its configuration said holds while that switch does not answer; what was never told could be any number.
    const silent = (world: SwitchWorld): void => {
      world.readings.fail('switch.minlinks', 'nfs-sw1', { kind: 'timeout', message: 'silent' }, world.now);
    };
    expect(
      await guard((world) => {
        far(world);
        silent(world);
      }),
    ).toBe(eight);
    expect(
      await guard((world) => {
        world.readings.forget('switch.minlinks', 'nfs-sw1');
        silent(world);
      }),
    ).toBe('no: how many members po98 on nfs-sw1, its far end, needs is not known');
  });
});
