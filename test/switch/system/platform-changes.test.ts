import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { changeOf } from '../../../probes/switch/platforms/shut.ts';

/** A platform's own spelling of a port, what is typed to take it out and to put it back, and what its console then shows of it. */
const platforms = [
  {
    id: 'dell_ftos',
    port: 'te3/46',
    shut: ['configure', 'interface tengigabitethernet 3/46', 'shutdown', 'end'],
    restore: ['configure', 'interface tengigabitethernet 3/46', 'no shutdown', 'end'],
    shows: {
      on: ['TenGigabitEthernet 3/46 is up, line protocol is down', ' no shutdown'],
      off: [
        'TenGigabitEthernet 3/46 is down, line protocol is down',
        'TenGigabitEthernet 3/46 is down(Admin Down), line protocol is down',
        'TenGigabitEthernet 13/46 is up, line protocol is up',
        ' shutdown',
        'core3(conf-if-te-3/46)#no shutdown',
      ],
    },
  },
  {
    id: 'dell_os10',
    port: 'eth1/1/1',
    shut: ['configure terminal', 'interface ethernet 1/1/1', 'shutdown', 'end'],
    restore: ['configure terminal', 'interface ethernet 1/1/1', 'no shutdown', 'end'],
    shows: {
      on: ['Ethernet 1/1/1 is up, line protocol is up', ' no shutdown'],
      off: ['Ethernet 1/1/1 is down, line protocol is down', 'Ethernet 1/1/10 is up', ' shutdown'],
    },
  },
  {
    id: 'mellanox_onyx',
    port: 'eth1/7',
    shut: ['configure terminal', 'interface ethernet 1/7', 'shutdown', 'exit', 'exit'],
    restore: ['configure terminal', 'interface ethernet 1/7', 'no shutdown', 'exit', 'exit'],
    shows: {
      on: ['  Admin state                      : Enabled'],
      off: ['  Admin state                      : Disabled', '  Operational state                : Up'],
    },
  },
  {
    id: 'cumulus',
    port: 'swp3s0',
    shut: ['sudo -n ip link set dev swp3s0 down'],
    restore: ['sudo -n ip link set dev swp3s0 up'],
    shows: {
      on: [
        '5: swp3s0: <BROADCAST,MULTICAST,SLAVE,UP,LOWER_UP> mtu 9216 qdisc mq master bond1 state UP',
        '5: swp3s0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 9100 state DOWN',
      ],
      off: [
        '5: swp3s0: <BROADCAST,MULTICAST> mtu 9100 state DOWN',
        '5: swp3s0: <BROADCAST,LOWER_UP> mtu 9100',
      ],
    },
  },
  {
    id: 'sonic',
    port: 'eth8',
    shut: ['sudo -n config interface shutdown Ethernet8'],
    restore: ['sudo -n config interface startup Ethernet8'],
    shows: {
      on: [
        '12: Ethernet8: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9100 qdisc mq master PortChannel8 state UP',
        '12: Ethernet8: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 9100 state DOWN',
      ],
      off: [
        '12: Ethernet8: <BROADCAST,MULTICAST> mtu 9100 state DOWN',
        '12: Ethernet8: <BROADCAST,LOWER_UP> mtu 9100',
      ],
    },
  },
  {
    id: 'cisco_nxos',
    port: 'eth1/12',
    shut: ['configure terminal', 'interface Ethernet1/12', 'shutdown', 'end'],
    restore: ['configure terminal', 'interface Ethernet1/12', 'no shutdown', 'end'],
    shows: {
      on: [
        'Ethernet1/12 is down (Link not connected)',
        'admin state is up, Dedicated Interface',
        'Ethernet1/12 is up',
      ],
      off: [
        'Ethernet1/12 is down (Administratively down)',
        'admin state is down, Dedicated Interface',
        'Ethernet1/12 is down (SFP not inserted)',
      ],
    },
  },
];

describe.each(platforms)('$id', ({ id, port, shut, restore, shows }) => {
  const platform = platformOf(id);
  const change = platform && changeOf(platform, platform.nameOf(port) ?? '');

  it('is told to shut a port and to put it back, and never to save', () => {
    expect(change?.shut).toEqual(shut);
    expect(change?.restore).toEqual(restore);
    expect([...shut, ...restore].join('\n')).not.toMatch(/write|copy|save|reload|startup-config/i);
  });

  it('an undo host tells a port that is switched on, with light or without, from one that is not', () => {
    const { lines = [], on = '' } = change?.look ?? {};
    expect(on).not.toBe('');
    for (const text of shows.on) expect(text).toMatch(new RegExp(on, 'i'));
    for (const text of [...shows.off, ...lines, ...restore, '% Invalid interface format', ''])
      expect(text).not.toMatch(new RegExp(on, 'i'));
  });

  it('the proof and the undo take no lock on the configuration', () => {
    expect([...restore, ...(change?.look?.lines ?? [])].join('\n')).not.toMatch(/exclusive|lock/);
  });

  it('a port of another form is none of its ports', () => {
    expect(platform?.nameOf('xe-0/0/0; reboot')).toBeUndefined();
    expect(platform?.nameOf('po98')).toBeUndefined();
  });
});

describe('platforms that take a change back themselves', () => {
  it.each(['arista_eos', 'juniper_junos'])('%s is asked what waits to be confirmed', (id) => {
    const platform = platformOf(id);
    const [port, other] = id === 'arista_eos' ? ['eth49/1', 'te1/1'] : ['et-0/0/48', 'ae0'];
    expect(platform?.commits?.[0]).toMatch(/^show (?:configuration sessions|system commit)/);
    const change = platform && changeOf(platform, platform.nameOf(port ?? '') ?? '');
    expect(change?.confirmed?.shut(125, 'faultline-1').join('\n')).toMatch(
      /commit timer 00:02:05|commit confirmed 3 /,
    );
    expect(platform?.nameOf(other ?? '')).toBeUndefined();
  });

  it.each(['dell_ftos', 'dell_os10', 'mellanox_onyx', 'cumulus', 'sonic', 'cisco_nxos'])(
    '%s has no timer of its own that is known',
    (id) => {
      const platform = platformOf(id);
      const change = platform && changeOf(platform, 'x');
      expect(change?.shut).toBeDefined();
      expect(change?.confirmed).toBeUndefined();
      expect(platform?.commits).toBeUndefined();
    },
  );

  it.each(['cisco_ios', 'cisco_xr', 'hpe_comware', 'huawei_vrp', 'linux'])('%s is only read', (id) => {
    const platform = platformOf(id);
    expect(platform && changeOf(platform, 'x')).toBeUndefined();
    expect(platform?.readingOnly).toMatch(/read only|not shut/);
  });
});
