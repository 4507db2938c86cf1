import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { standingOfState } from '../../../probes/switch/read/member-states.ts';
import { type Device, devices, guards } from './members.ts';

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

/** What a platform's own table says of a word. */
const standingOf = (platform: string, word: string) =>
  standingOfState(platformOf(platform)?.memberWords ?? {}, word);

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
      const told = toldOf(device).filter((id) => id === '6 min links');
      for (const id of ['6 active member', '6 last member', ...told, '6 members', '6 load'])
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
