import { describe, expect, it } from 'vitest';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';
import { judged, kinds, type Given } from '../system/quiet-world.ts';

const site = siteOf([
  { name: 'sw', roles: ['switch'], platform: 'sonic' },
  { name: 'n1', roles: ['nic'], platform: 'linux' },
  { name: 'cu', roles: ['switch'], platform: 'cumulus' },
]);

const read = (name: string, stdout: string): { ports: readonly Port[]; notUnderstood: number } => {
  const host = site.host(name);
  if (!host) throw new Error(`no host ${name}`);
  const { value, notUnderstood } = readCounters(answerOf(stdout), host, site);
  return { ports: value.ports, notUnderstood };
};

const nics = (...rows: readonly (readonly [name: string, operstate: string, flags?: readonly string[]])[]) =>
  `${JSON.stringify(
    rows.map(([ifname, operstate, flags]) => ({
      ifname,
      operstate,
      ...(flags && { flags }),
      mtu: 9000,
      stats64: { rx: { packets: 5, errors: 0 }, tx: { packets: 5 } },
    })),
  )}\n`;

describe('a port that somebody shut is told apart from one without light', () => {
  it.each(['n1', 'cu'])('by the flags of ip link: %s', (host) => {
    const { ports } = read(
      host,
      nics(
        ['swp1', 'UP', ['BROADCAST', 'UP', 'LOWER_UP']],
        ['swp2', 'DOWN', ['NO-CARRIER', 'BROADCAST', 'UP']],
        ['swp3', 'DOWN', ['BROADCAST', 'MULTICAST']],
        ['swp4', 'DOWN'],
        ['swp5', 'UP', ['BROADCAST']],
        ['swp6', 'UNKNOWN', ['UP']],
      ),
    );
    // Without flags it is down for whatever reason; words that contradict each other are neither.
    expect(ports.map(({ state }) => state)).toEqual(['up', 'dark', 'shut', 'down', undefined, undefined]);
  });

  const was: Given = { link: 'UP', state: 'up' };
  const gone: Given = { link: 'DOWN', admin: 'up', state: 'dark' };

  it('without light it is a finding, with what the device says; shut it is none, at either end', () => {
    const dark = {
      nic: gone,
      hostPort: { link: 'err-disabled', state: 'down' },
      before: { nic: gone },
    } as const;
    expect(judged({ ...dark })).toMatchObject([{ kind: 'link-down', severity: 'warning' }]);
    expect(
      kinds({ nic: { link: 'DOWN', admin: 'down', state: 'shut' }, hostPort: { state: 'down' } }),
    ).toEqual([]);
    expect(kinds({ nic: gone, hostPort: { link: 'disabled', state: 'shut' } })).toEqual([]);
    expect(kinds({ nic: gone, before: { nic: was } })).toEqual([]);
  });
});

describe('a port of SONiC', () => {
  const portstat =
    '{"Ethernet0": {"STATE": "U", "RX_OK": "12", "RX_ERR": "0", "TX_OK": "9", "TX_ERR": "0"}}\n';
  const counted = (stdout: string) => read('sw', stdout).ports.map(({ counts }) => counts['linkTransitions']);

  it('has its changes of the link from the kernel, in front of its counters', () => {
    const { ports, notUnderstood } = read(
      'sw',
      `/sys/class/net/Ethernet0/carrier_changes:7\n/sys/class/net/Ethernet100/carrier_changes:2\n${portstat}`,
    );
    expect(ports.map(({ port, counts }) => [port, counts['linkTransitions']])).toEqual([['eth0', 7n]]);
    expect(notUnderstood).toBe(0);
  });

  it('has none where the kernel does not tell them', () => {
    expect(counted(portstat)).toEqual([undefined]);
    expect(counted(`/sys/class/net/Ethernet0/carrier_changes:\n${portstat}`)).toEqual([undefined]);
  });
});

describe('what the two ends are set to', () => {
  it.each([
    [
      'FEC of a link that is up is a notice',
      { leaf: { fec: 'rs' }, spine: { fec: 'none' } },
      ['settings-differ'],
    ],
    [
      'MTU 1500 at one end of a jumbo link',
      { leaf: { mtu: 9100 }, spine: { mtu: 1500 } },
      ['settings-differ'],
    ],
    ['SONiC 9100 beside EOS 9214', { leaf: { mtu: 9100 }, spine: { mtu: 9214 } }, []],
    ['SONiC 9100 before a host with 9000', { hostPort: { mtu: 9100 }, nic: { mtu: 9000 } }, []],
    ['FEC not told at one end', { leaf: { fec: 'rs' } }, []],
    ['speed not told at one end', { leaf: { speedMbps: 100_000 } }, []],
  ] as const)('%s', (_what, world, expected) => {
    expect(kinds(world as Parameters<typeof kinds>[0])).toEqual(expected);
  });
});
