import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/lustre/judge/findings.ts';
import { readLnet, readWays } from '../../../probes/lustre/read/read-lnet.ts';
import { explain } from '../../../src/collect/explain.ts';
import { readDraft } from '../../../src/model/finding.ts';
import { makeSafeDeep } from '../../../src/text/safe.ts';
import { answerOf } from '../../helpers/answer.ts';
import { printLnet, type PrintedNi, type Style } from '../printed-lnet.ts';
import { type Printed, type PrintedOst, PrintedSite } from '../printed-site.ts';

const four: PrintedOst[] = ['oss1', 'oss1', 'oss2', 'oss2'].map((oss) => ({ oss }));
const site = (printed: Partial<Printed>): PrintedSite =>
  new PrintedSite({ mdts: [{ mds: 'mds1' }], osts: four, ...printed });

/** The two rails of a server, networks of their own. */
const rails = (
  host: number,
  second: Partial<PrintedNi> = {},
  first: Partial<PrintedNi> = {},
): PrintedNi[] => [
  { nid: `10.10.0.${host}@o2ib`, interface: 'ib0', ...first },
  { nid: `10.11.0.${host}@o2ib1`, interface: 'ib1', ...second },
];
const well = { oss1: printLnet(rails(11)), oss2: printLnet(rails(12)), mds1: printLnet(rails(1)) };
const said = (lnet: Printed['lnet']): string[] => site({ lnet: { ...well, ...lnet } }).said();
const down = { status: 'down' };

describe('a rail of LNet that is dead while the other carries everything', () => {
  it.each<Style>(['2.10', '2.12', '2.17'])('is told as %s prints it', (style) => {
    expect(said({ oss2: printLnet(rails(12, { ...down, health: 0 }), { style }) })).toEqual([
      'warning rail-down: oss2: LNet rail o2ib1 on ib1 is down, 1 of 2 left',
    ]);
  });

  it('of several servers is one finding that points at what they share', () => {
    const lnet = { oss1: printLnet(rails(11, down)), oss2: printLnet(rails(12, down)) };
    const found = findings(site({ lnet: { ...well, ...lnet } }).judgement());
    expect(found.map(({ summary }) => summary)).toEqual([
      'oss[1-2]: LNet rail o2ib1 on ib1 is down, their other rails carry the load',
    ]);
    expect(found[0]?.advice).toContain('look at its switch first');
    expect(found[0]?.members?.map(({ id }) => id)).toEqual(['oss1', 'oss2']);
  });

  it('says who is cut off: those without another network, or nobody', () => {
    const same = [
      { nid: '10.10.0.12@o2ib', interface: 'ib0' },
      { nid: '10.10.1.12@o2ib', interface: 'ib1', ...down },
    ];
    const advice = (nis: readonly PrintedNi[]): string =>
      findings(site({ lnet: { ...well, oss2: printLnet(nis) } }).judgement())[0]?.advice ?? '';
    expect(advice(same)).not.toContain('no other network in common');
    expect(advice(rails(12, down))).toContain('no other network in common');
  });

  it('never used is a notice: it is being set up', () => {
    expect(said({ oss2: printLnet(rails(12, { ...down, sent: 0, received: 0, dropped: 0 })) })).toEqual([
      'notice rail-down: oss2: LNet rail o2ib1 on ib1 is down and was never used, 1 of 2 left',
    ]);
  });

  it.each<[string, string]>([
    ['all are well', printLnet(rails(12))],
    [
      'a rail was added just now and carried nothing yet',
      printLnet(rails(12, { sent: 0, received: 0, dropped: 0 })),
    ],
    ['it has a single one', printLnet([{ nid: '10.10.0.12@o2ib', interface: 'ib0', ...down }])],
    ['none is up: the imports of all others tell', printLnet(rails(12, down, down))],
    ['a status is not known', printLnet(rails(12, { status: 'unknown' }))],
    ['lnetctl is missing', '10.10.0.12@o2ib\n\n@@faultline net\n\n@@faultline end 127\n'],
    ['it may not be run', '\n@@faultline net\n\n@@faultline end 1\n'],
  ])('nothing is said where %s', (_, text) => {
    expect(said({ oss2: text })).toEqual([]);
  });
});

describe('the health of a rail', () => {
  it('below that of the others is a notice, at 0 a warning', () => {
    expect(said({ oss2: printLnet(rails(12, { health: 400 })) })).toEqual([
      'notice rail-health: oss2: messages by LNet rail o2ib1 on ib1 fail: health 400 of 1000, others are preferred',
    ]);
    expect(said({ oss2: printLnet(rails(12, { health: 0 })) })).toEqual([
      'warning rail-health: oss2: messages by LNet rail o2ib1 on ib1 fail: health 0 of 1000, not used while another is up',
    ]);
  });

  it.each<[string, string]>([
    ['all have lost alike: it is the far end', printLnet(rails(12, { health: 700 }, { health: 700 }))],
    ['there is a single one', printLnet([{ nid: '10.10.0.12@o2ib', health: 300 }])],
    ['the release has none', printLnet(rails(12, { health: 300 }), { style: '2.10' })],
  ])('says nothing where %s', (_, text) => {
    expect(said({ oss2: text })).toEqual([]);
  });
});

describe('messages that a rail drops', () => {
  const told = (second: Partial<PrintedNi>): string[] =>
    site({ lnet: well })
      .later(60, { lnet: { ...well, oss2: printLnet(rails(12, second)) } })
      .said();

  it('are told when they are many beside what it receives', () => {
    expect(told({ received: 47_900_551 + 4000, dropped: 17 + 800 })).toEqual([
      'notice rail-drops: oss2: LNet rail o2ib1 on ib1 drops messages: 800 of 4,000 in 60 s',
    ]);
  });

  it.each<[string, Partial<PrintedNi>]>([
    ['few', { received: 47_900_551 + 400, dropped: 17 + 60 }],
    ['a small share', { received: 47_900_551 + 90_000, dropped: 17 + 300 }],
    ['counts begun anew', { received: 20, dropped: 9 }],
  ])('%s are none', (_, second) => {
    expect(told(second)).toEqual([]);
  });
});

describe('a server that is looked for by NIDs which it does not have', () => {
  const lost = four.map((ost) =>
    ost.oss === 'oss2' ? { ...ost, states: { 0: 'DISCONN' }, client: 'DISCONN' } : ost,
  );
  const lookedForAt = (): string => '10.10.0.12@o2ib';
  const moved = { ...well, oss2: printLnet([{ nid: '10.10.0.52@o2ib', interface: 'ib0' }]) };

  it('is the cause, with both addresses and the way to mend it', () => {
    const first = findings(site({ osts: lost, lnet: moved, lookedForAt }).judgement()).find(
      ({ kind }) => kind === 'nids',
    );
    expect(`${first?.severity} ${first?.summary}`).toBe(
      'critical oss2 has other NIDs than it is looked for by: 10.10.0.52@o2ib, not 10.10.0.12@o2ib',
    );
    expect(first?.advice).toContain('lctl replace_nids TARGET 10.10.0.52@o2ib');
    expect(first?.breaks).toEqual([
      {
        what: 'reach',
        of: [
          { kind: 'ost', id: 'work-OST0002' },
          { kind: 'ost', id: 'work-OST0003' },
        ],
      },
    ]);
    expect(first?.evidence.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'oss2: its own NIDs are 10.10.0.52@o2ib (lctl list_nids)',
        'mds1 looks for work-OST0002 at 10.10.0.12@o2ib (import, failover_nids)',
        'login1 looks for work-OST0003 at 10.10.0.12@o2ib (import, failover_nids)',
      ]),
    );
  });

  it('mounted where its configuration does not name the server is told by the partner', () => {
    const first = findings(
      site({ osts: lost, lnet: well, lookedForAt: () => '10.10.0.11@o2ib, 10.11.0.11@o2ib1' }).judgement(),
    ).find(({ kind }) => kind === 'nids');
    expect(first?.summary).toBe('oss2 has work-OST[0002-0003] mounted, but they are looked for at oss1 only');
    expect(first?.advice).toContain('--servicenode');
  });

  it.each<[string, Partial<Printed>]>([
    [
      'one of its NIDs is among them',
      { lnet: moved, lookedForAt: () => '"10.10.0.12@o2ib", "10.10.0.52@o2ib"' },
    ],
    [
      'its NIDs are not known',
      { lnet: { ...well, oss2: '\n@@faultline net\n\n@@faultline end 127\n' }, lookedForAt },
    ],
    ['nobody says where it is looked for', { lnet: moved }],
    [
      'it has not mounted them',
      { osts: lost.map((ost) => ({ ...ost, mounted: ost.oss !== 'oss2' })), lnet: moved, lookedForAt },
    ],
    ['all are reached', { osts: four, lnet: moved, lookedForAt }],
  ])('nothing of NIDs is said where %s', (_, printed) => {
    expect(
      site({ osts: lost, ...printed })
        .said()
        .filter((line) => line.includes('nids:')),
    ).toEqual([]);
  });
});

describe('a server of which every way is down', () => {
  const lost = four.map((ost) =>
    ost.oss === 'oss2' ? { ...ost, states: { 0: 'DISCONN' }, client: 'DISCONN' } : ost,
  );
  const dead = { ...well, oss2: printLnet(rails(12, down, down)) };

  it('is why its targets are out of reach', () => {
    const found = findings(site({ osts: lost, lnet: dead }).judgement());
    const why = found.find(({ kind }) => kind === 'lnet-down');
    expect(`${why?.severity} ${why?.summary}`).toBe(
      'critical work-OST[0002-0003] unreachable: LNet of oss2 is down (o2ib on ib0, o2ib1 on ib1)',
    );
    expect(why?.breaks?.[0]?.of).toEqual(found.find(({ kind }) => kind === 'unreachable')?.lacks?.[0]?.of);
    const folded = explain(
      found.map((one) => readDraft(makeSafeDeep(one))),
      [],
    );
    expect([...folded].map(([effect, { cause }]) => `${cause} explains ${effect}`)).toEqual([
      'lustre:lnet-down:oss2 explains lustre:unreachable:oss2',
    ]);
    expect(why?.suspects?.map(({ cause }) => cause)).toEqual(['link-down']);
  });

  it.each<[string, Partial<Printed>]>([
    ['they are reached all the same', { osts: four, lnet: dead }],
    ['one way is up', { lnet: { ...well, oss2: printLnet(rails(12, down)) } }],
    ['one way says nothing known', { lnet: { ...well, oss2: printLnet(rails(12, down, { status: '?' })) } }],
    ['nothing is known of LNet', { lnet: { ...well, oss2: '\n@@faultline net\n\n@@faultline end 127\n' } }],
  ])('nothing of it is said where %s', (_, printed) => {
    const said = site({ osts: lost, ...printed }).said();
    expect(said.filter((line) => line.includes('lnet-down'))).toEqual([]);
  });
});

describe('what is not of this shape', () => {
  it('gives no rail, whatever it says', () => {
    const { value } = readLnet(
      answerOf('\n@@faultline net\nnet:\n  - nid: ; reboot\n    status: down\n\n@@faultline end 0\n'),
    );
    expect(value).toEqual({ rails: [], nids: [], unread: 'lnetctl: exit 0' });
  });

  it('a cut answer is an error, a cut import no way', () => {
    expect(() => readLnet(answerOf('10.10.0.12@o2ib\n\n@@faultline net\nnet:\n    - net type'))).toThrow(
      'cut off',
    );
    expect(
      readWays(
        answerOf(
          'osp.w-OST0001-osc-MDT0000.import=\nimport:\n    connection:\n       failover_nids: [ 10.1.0',
        ),
      ).value,
    ).toEqual({ ways: [] });
  });

  it('costs no time, however long its lines are', () => {
    const begun = performance.now();
    const blanks = ' '.repeat(400_000);
    readLnet(answerOf(`${blanks}\n@@faultline net\n${blanks}x\n- nid: ${blanks}\n\n@@faultline end 0\n`));
    readWays(answerOf(`osp.w-OST0001-osc-MDT0000.import=\nimport:\n${'failover_nids: [ '.repeat(50_000)}`));
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
