import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { captureOf } from '../../../probes/switch/read/parse-capture.ts';
import { bondStandings } from '../../../probes/switch/platforms/shared/linux-bonding.ts';
import { readLags } from '../../../probes/switch/read/read-lags.ts';
import { readMinLinks } from '../../../probes/switch/read/min-links.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

interface Slave {
  mii?: string;
  aggregator?: string;
  /** Of the actor, as the kernel prints it: a figure. */
  state?: string | undefined;
}

const lacp = 'IEEE 802.3ad Dynamic link aggregation';

/** `/proc/net/bonding/bond10` as root reads it through `grep -rH ''`; without root the kernel leaves out what it tells nobody else. */
const bond = (slaves: readonly Slave[], { mode = lacp, active = '1', root = true, more = '' } = {}): string =>
  [
    'Ethernet Channel Bonding Driver: v5.10.0',
    '',
    `Bonding Mode: ${mode}`,
    ...(more === '' ? [] : [more]),
    'MII Status: up',
    'MII Polling Interval (ms): 100',
    '802.3ad info',
    'Min links: 1',
    ...(root ? ['Active Aggregator Info:', `\tAggregator ID: ${active}`, '\tNumber of ports: 4'] : []),
    ...slaves.flatMap(({ mii = 'up', aggregator = '1', state = '61' }, at) => [
      '',
      `Slave Interface: swp${at + 1}`,
      `MII Status: ${mii}`,
      'Speed: 10000 Mbps',
      `Aggregator ID: ${aggregator}`,
      'Actor Churn State: none',
      ...(root
        ? [
            'details actor lacp pdu:',
            `    port state: ${state}`,
            'details partner lacp pdu:',
            '    port state: 63',
          ]
        : []),
    ]),
  ]
    .map((line) => `/proc/net/bonding/bond10:${line}\n`)
    .join('');

const site = siteOf([
  { name: 'leaf1', roles: ['switch'], platform: 'cumulus', undoHost: 'admin1' },
  { name: 'admin1', roles: ['switch-helper'] },
]);
const host = site.host('leaf1');
if (!host) throw new Error('no host');

const guards = (
  stdout: string,
  over: { exitCode?: number; stderr?: string } = {},
): Record<string, string> => {
  const readings = new Sources();
  for (const seconds of [0, 10])
    readings.good(
      'switch.counters',
      'leaf1',
      {
        ports: ['swp1', 'swp2', 'swp3', 'swp4'].map((port) => ({
          port,
          name: port,
          link: 'UP',
          state: 'up',
          memberOf: 'bond10',
          speedMbps: 10_000,
          counts: { rxBytes: BigInt(seconds) * 1000n, txBytes: 0n },
        })),
      },
      start + seconds * 1000,
      20,
      2,
    );
  readings.good('switch.lags', 'leaf1', readLags(answerOf(stdout, over), host, site).value);
  readings.good('switch.minlinks', 'leaf1', { lags: [{ lag: 'bond10', min: 1 }] });
  readings.good('switch.chassis', 'leaf1', { spans: 'no', lags: [] });
  const live = judgementOf({ readings, site, now: start + 10_000 });
  const plan = shutAction.plan(
    [{ kind: 'port', id: 'leaf1:swp1' }],
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

const four = (others: Slave): readonly Slave[] => [{}, others, others, others];

/** What a member of bond10 does by the text of its file. */
const standing = (text: string, member: string) => bondStandings(captureOf(text))({ lag: 'bond10', member });

describe('the bonds of a Cumulus switch', () => {
  it('a member that LACP lets carry traffic works', () => {
    const all = guards(bond(four({})));
    expect(all['6 active member']).toBe('ok: active in bond10');
    expect(all['6 last member']).toBe('ok: 3 others are active');
    expect(all['6 members']).toBe('ok: 3 of 4 members stay up (limit 2)');
    expect(all['6 load']).toMatch(/^ok: /);
  });

  it.each([
    ['hears no partner', { state: '77' }, 'individual'],
    ['is in another aggregator', { aggregator: '2' }, 'unselected'],
    ['is not in sync', { state: '5' }, 'negotiating'],
    ['collects and does not distribute', { state: '29' }, 'negotiating'],
    ['lost its partner', { state: '189' }, 'negotiating'],
    ['has no link', { mii: 'down' }, 'down'],
    ['may come back', { mii: 'going back' }, 'negotiating'],
  ])('one that %s does not, though its link may be up', (_what, other, expected) => {
    expect(standing(bond(four(other)), 'swp2')).toBe(expected);
    const all = guards(bond(four(other)));
    expect(all['6 last member']).toBe('no: it is the last active member of bond10');
    expect(all['6 members']).toMatch(/^no: 0 of 4 members of bond10/);
  });

  it('what the kernel tells root alone is not known without: a link is no member at work', () => {
    const all = guards(bond(four({}), { root: false }));
    expect(all['6 active member']).toMatch(
      /^no: whether swp1 works in bond10 is not known: swp1 reads "up", which is not understood/,
    );
    expect(all['6 last member']).toMatch(
      /^no: it is the last active member of bond10 \(not counted: swp1 reads/,
    );
  });

  it('without the files the refusal says what is missing and what to try', () => {
    const stderr = 'grep: /proc/net/bonding: No such file or directory';
    expect(guards('', { exitCode: 2, stderr })['6 last member']).toBe(
      "no: leaf1 lists no bond10 among its LAGs: which members carry traffic is not known; bonds are read from /proc/net/bonding; try there: sudo -n grep -rH '' /proc/net/bonding",
    );
    // A switch without the driver has no bonds: that is no failure.
    expect(readLags(answerOf('', { exitCode: 2, stderr }), host, site).value).toEqual({
      lags: [],
      members: [],
    });
    expect(readMinLinks(answerOf('', { exitCode: 2, stderr }), host, site).value).toEqual({ lags: [] });
    // sudo complains of a host that does not know its own name, and goes on.
    const noisy = `sudo: unable to resolve host leaf1: Name or service not known\n${stderr}`;
    expect(readLags(answerOf('', { exitCode: 2, stderr: noisy }), host, site).value).toEqual({
      lags: [],
      members: [],
    });
    for (const refused of [
      'sudo: a password is required',
      'grep: /proc/net/bonding/bond10: Permission denied',
    ])
      expect(() => readLags(answerOf('', { exitCode: 1, stderr: refused }), host, site)).toThrow(
        'LAGs of leaf1: ',
      );
  });

  it('other modes: the one active member of active-backup, every linked one where all send', () => {
    const more = 'Currently Active Slave: swp2';
    const backup = bond([{}, {}], { mode: 'fault-tolerance (active-backup)', more });
    expect([standing(backup, 'swp1'), standing(backup, 'swp2')]).toEqual(['standby', 'working']);
    expect(standing(bond([{}], { mode: 'load balancing (xor)' }), 'swp1')).toBe('working');
    expect(standing(bond([{}], { mode: 'load balancing (new)' }), 'swp1')).toBeUndefined();
  });

  it('whatever stands there: working is what IEEE 802.1AX calls so', () => {
    const figure = fc.oneof(fc.integer({ min: 0, max: 300 }).map(String), fc.string({ maxLength: 4 }));
    const word = fc.oneof(
      fc.constantFrom('up', 'UP', 'Up', 'up!', 'upx', 'down'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(figure, figure, word, (state, aggregator, mii) => {
        const bits = /^\d+$/.test(state.trim()) ? Number(state) : 0;
        const works =
          mii.trim() === 'up' && aggregator.trim() === '1' && (bits & 0x38) === 0x38 && (bits & 0xc0) === 0;
        const lines = [state, aggregator, mii].some((one) => /[\r\n]/.test(one));
        if (works || lines) return;
        expect(standing(bond(four({ state, aggregator, mii })), 'swp2')).not.toBe('working');
      }),
      { numRuns: 500 },
    );
  });
});
