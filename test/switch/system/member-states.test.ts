import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../probes/switch/ask/index.ts';
import { shutAction } from '../../../probes/switch/action-shut.ts';
import { standingOf } from '../../../probes/switch/member-states.ts';
import { switchProbes } from '../../../probes/switch/probes.ts';
import type { Port } from '../../../probes/switch/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** The words that mean a working member, read out of the vendors' documents once more, apart from the program's tables. */
const working: Readonly<Record<string, readonly string[]>> = {
  arista_eos: ['P', 'PG+', 'PSG+', 'bundled'],
  cisco_nxos: ['P'],
  cisco_ios: ['P'],
  cisco_xr: ['Active'],
  dell_ftos: ['Up', 'Bundle'],
  dell_os10: ['P'],
  mellanox_onyx: ['P'],
  sonic: ['S'],
  juniper_junos: ['Collecting distributing'],
  hpe_comware: ['S'],
  huawei_vrp: ['Selected', 'Up'],
  aruba_aoscx: ['ALFNCD', 'ASFNCD', 'PLFNCD', 'PSFNCD'],
  extreme_exos: ['Collect-Dist'],
  hpe_procurve: [],
  brocade_fastiron: [],
};

interface Device {
  platform: string;
  /** Canonical names of four members. */
  ports: readonly string[];
  /** What it prints of a LAG whose members read these words. */
  prints: (states: readonly string[]) => string;
}

const each = (
  names: readonly string[],
  states: readonly string[],
  one: (name: string, state: string) => string,
) => names.map((name, at) => one(name, states[at] ?? ''));

const ofPorts = (
  platform: string,
  names: readonly string[],
  ports: readonly string[],
  prints: (cells: string) => string,
): Device => ({
  platform,
  ports,
  prints: (states) => prints(each(names, states, (name, state) => `${name}(${state})`).join(' ')),
});

const devices: readonly Device[] = [
  ofPorts(
    'arista_eos',
    ['Et1', 'Et2', 'Et3', 'Et4'],
    ['eth1', 'eth2', 'eth3', 'eth4'],
    (cells) =>
      `   Port-Channel       Protocol     Ports\n------------------ --------------- --------------------------------\n   Po10(U)            LACP(a)      ${cells}\n`,
  ),
  ofPorts(
    'cisco_nxos',
    ['Eth1/1', 'Eth1/2', 'Eth1/3', 'Eth1/4'],
    ['eth1/1', 'eth1/2', 'eth1/3', 'eth1/4'],
    (cells) =>
      `Group Port-       Type     Protocol  Member Ports\n      Channel\n-----------------------------------------\n10    Po10(SU)    Eth      LACP      ${cells}\n`,
  ),
  ofPorts(
    'dell_os10',
    ['1/1/1', '1/1/2', '1/1/3', '1/1/4'],
    ['eth1/1/1', 'eth1/1/2', 'eth1/1/3', 'eth1/1/4'],
    (cells) =>
      `Group Port-Channel           Type     Protocol  Member Ports\n-----------------------------------------\n10    port-channel10  (U)    Eth      DYNAMIC   ${cells}\n`,
  ),
  ofPorts(
    'sonic',
    ['Ethernet0', 'Ethernet4', 'Ethernet8', 'Ethernet12'],
    ['eth0', 'eth4', 'eth8', 'eth12'],
    (cells) =>
      `  No.  Team Dev       Protocol     Ports\n-----  -------------  -----------  ---------------------------\n   10  PortChannel10  LACP(A)(Up)  ${cells}\n`,
  ),
  ofPorts(
    'mellanox_onyx',
    ['Eth1/1', 'Eth1/2', 'Eth1/3', 'Eth1/4'],
    ['eth1/1', 'eth1/2', 'eth1/3', 'eth1/4'],
    (cells) => JSON.stringify({ '1 Po10(U)': [{ Type: 'LACP', 'Member Ports': cells }] }),
  ),
  {
    platform: 'dell_ftos',
    ports: ['te0/45', 'te0/46', 'te0/47', 'te0/48'],
    prints: (states) =>
      `    LAG  Mode  Status       Uptime      Ports\nL   10   L2    up           40w1d9h     ${each(['Te 0/45', 'Te 0/46', 'Te 0/47', 'Te 0/48'], states, (name, state) => `${name}   (${state})`).join(`\n${' '.repeat(40)}`)}\n`,
  },
  {
    platform: 'juniper_junos',
    ports: ['xe-0/0/0', 'xe-0/0/1', 'xe-0/0/2', 'xe-0/0/3'],
    prints: (states) =>
      `<rpc-reply><lacp-interface-information-list><lacp-interface-information><lag-lacp-header><aggregate-name>ae10</aggregate-name></lag-lacp-header>${each(
        ['xe-0/0/0', 'xe-0/0/1', 'xe-0/0/2', 'xe-0/0/3'],
        states,
        (name, state) =>
          `<lag-lacp-protocol><name>${name}</name><lacp-mux-state>${state}</lacp-mux-state></lag-lacp-protocol>`,
      ).join('')}</lacp-interface-information></lacp-interface-information-list></rpc-reply>`,
  },
];

const probe = (id: string) => {
  const found = switchProbes.find((one) => one.id === id);
  if (!found) throw new Error(`no probe ${id}`);
  return found;
};

/** The guards of a shutdown of the first member, as the program makes them, on a device whose members read these words. */
const guards = (
  { platform, ports, prints }: Device,
  states: readonly string[],
  min = 1,
): Record<string, string> => {
  const site = siteOf([
    { name: 'sw1', roles: ['switch'], platform, undoHost: 'admin1' },
    { name: 'admin1', roles: ['switch-helper'] },
  ]);
  const host = site.host('sw1');
  if (!host) throw new Error('no host');
  const readings = new Sources();
  const listed = ports.map((port): Port => ({
    port,
    name: port,
    link: 'up',
    state: 'up',
    load: 0.1,
    counts: {},
  }));
  for (const id of ['switch.counters', 'switch.screens'])
    readings.good(id, 'sw1', { ports: listed }, start, 20, 2);
  try {
    const { value } = probe('switch.lags').read(answerOf(prints(states)), host, {
      site,
      now: start,
      readings,
    });
    readings.good('switch.lags', 'sw1', value);
  } catch (error) {
    readings.fail('switch.lags', 'sw1', { kind: 'parse', message: String(error) });
  }
  const lag = platform === 'juniper_junos' ? 'ae10' : 'po10';
  readings.good('switch.minlinks', 'sw1', { lags: [{ lag, min }] });
  // A second chassis that carries nothing: what is counted there is what is counted here.
  readings.good('switch.chassis', 'sw1', {
    spans: 'listed',
    lags: [{ lag, peer: { members: 0, active: 0 } }],
  });
  const live = judgementOf({ readings, site });
  const plan = shutAction.plan(
    [{ kind: 'port', id: `sw1:${ports[0]}` }],
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

const words = [
  ...new Set([
    ...Object.values(working).flat(),
    'p',
    's',
    'D',
    'H',
    'I',
    'b',
    'r',
    'w',
    'S*',
    'sG-',
    'G-',
    'down',
    'Down',
    'suspended',
    'active',
    'Inact',
    'up',
  ]),
];

const flipped = (text: string): string =>
  [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('');

/** Texts that a device could print as a state: words of all platforms, their cases, beginnings and endings, and anything else. */
const stateText = fc
  .oneof(
    fc.constantFrom(...words),
    fc.constantFrom(...words).map(flipped),
    fc.constantFrom(...words).map((one) => one.toLowerCase()),
    fc.tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 5 })).map(([one, at]) => one.slice(0, at)),
    fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map(([one, two]) => one + two),
    fc.tuple(fc.constantFrom(...words), fc.string({ maxLength: 3 })).map(([one, two]) => one + two),
    fc.string({ maxLength: 12 }),
  )
  // What ends a cell, a row or a document is no state.
  .map((text) => text.replaceAll(/[()[\]{}<>"'`\\,&|\s\u0000-\u001f]/g, ''))
  .filter((text) => text !== '');

/** Guards that count members where the platform tells what they need besides. */
const toldOf = ({ platform }: Device): string[] => [
  ...(platformOf(platform)?.minLinks === undefined ? [] : ['6 min links']),
  ...(platformOf(platform)?.chassis === undefined ? [] : ['6 both chassis']),
];

describe('whatever word a member reads', () => {
  it.each(devices)(
    'of $platform: no guard counts it as working when its own table does not name it',
    (device) => {
      const good = working[device.platform]?.[0] ?? '';
      fc.assert(
        fc.property(stateText, (word) => {
          if (working[device.platform]?.includes(word)) return;
          const alone = guards(device, [good, word, word, word]);
          for (const id of ['6 last member', '6 members', '6 load', ...toldOf(device)])
            expect(`${id} ${alone[id]}`).toMatch(`${id} no: `);
          const two = guards(device, [good, good, word, word], 2);
          for (const id of ['6 members', ...toldOf(device)]) expect(`${id} ${two[id]}`).toMatch(`${id} no: `);
          expect(guards(device, [word, good, good, good])['6 active member']).toMatch(/^no: /);
        }),
        { numRuns: 150 },
      );
    },
  );

  it.each(devices)('of $platform: its own words are', (device) => {
    for (const word of working[device.platform] ?? []) {
      if (word === 'bundled') continue;
      const all = guards(device, [word, word, word, word]);
      for (const id of ['6 active member', '6 last member', '6 min links', '6 members', '6 load'])
        expect(`${id} ${all[id]}`).toMatch(`${id} ok: `);
      expect(all['6 last member']).toBe('ok: 3 others are active');
    }
  });

  it('no table names a word as working that its documents do not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(working)), stateText, (platform, word) => {
        if (standingOf(platform, word) === 'working') expect(working[platform]).toContain(word);
      }),
      { numRuns: 3000 },
    );
    expect(standingOf('toString', 'P')).toBeUndefined();
    expect(standingOf('cisco_nxos', 'constructor')).toBeUndefined();
  });
});

describe('a member that is suspended', () => {
  const device = (platform: string): Device => {
    const found = devices.find((one) => one.platform === platform);
    if (!found) throw new Error(platform);
    return found;
  };

  it.each([
    ['arista_eos', 'PG+', 's'],
    ['cisco_nxos', 'P', 's'],
  ])('of %s is none of those that stay: the LAG would go down', (platform, good, out) => {
    const all = guards(device(platform), [good, out, out, out]);
    expect(all['6 last member']).toBe('no: it is the last active member of po10');
    expect(all['6 members']).toMatch(
      /^no: 0 of 4 members of po10 on sw1 would stay up \(limit 2\), 3 more are out already$/,
    );
    expect(guards(device(platform), [out, good, good, good])['6 active member']).toBe(
      `no: ${device(platform).ports[0]} is not an active member of po10: it reads s (suspended)`,
    );
  });

  it('and one whose word nobody knows is named with it', () => {
    expect(guards(device('cisco_nxos'), ['P', 'z', 's', 's'])['6 last member']).toBe(
      'no: it is the last active member of po10 (not counted: eth1/2 reads "z", which is not understood)',
    );
    // One that is known to work is enough to go on without asking what the other does.
    expect(guards(device('cisco_nxos'), ['P', 'P', 'P', 'z'])['6 members']).toMatch(
      /^ok: 2 of 4 members stay up/,
    );
  });
});
