import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { readFabricLinks, readFabricPeers } from '../../../probes/switch/platforms/infiniband/fabric.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import type { Fact } from '../../../src/model/fact.ts';
import type { Point } from '../../../src/model/reading.ts';
import { answerOf } from '../../helpers/answer.ts';
import { factsOf, historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const site = siteOf([
  { name: 'fab', roles: ['switch'], platform: 'infiniband' },
  { name: 'n1', roles: ['compute'] },
]);
const asker = site.host('fab');
if (!asker) throw new Error('no host');

/** leaf 31 and 32 lead to spine 1 and 2, leaf 2 to the host n1. */
const cables = [
  ['SW', '0x1', 'leaf', 31, 'SW', '0x2', 'spine', 1],
  ['SW', '0x1', 'leaf', 32, 'SW', '0x2', 'spine', 2],
  ['SW', '0x1', 'leaf', 33, 'SW', '0x2', 'spine', 3],
  ['SW', '0x1', 'leaf', 34, 'SW', '0x2', 'spine', 4],
  ['SW', '0x1', 'leaf', 2, 'CA', '0x3', 'n1', 1],
] as const;

const usual = '4X 25.78125 Gbps Active/  LinkUp';

/** `down`: ports of leaf without a link; `states`: what iblinkinfo 44 prints of them in place of the usual, and behind the peer. */
const fabricText = (
  down: readonly number[] = [],
  states: Readonly<Record<number, [string, string?]>> = {},
  gone: readonly string[] = [],
) =>
  [
    ...cables.map(([, guid, , number, , , peer]) => {
      const [state = usual, could = ' '] =
        states[number] ?? (down.includes(number) ? ['               Down/ Polling'] : []);
      return `${guid.replace('0x', '0x000000000000000')} "leaf"  4 ${number}[  ] ==( ${state})==>  0x2  7 1[  ] "${peer}" (${could})`;
    }),
    '--- ibnetdiscover',
    ...cables.map(([type, guid, name, number, type2, guid2, name2, number2]) =>
      down.includes(number)
        ? `${type} 4 ${number} ${guid} 4x ??? '${name}'`
        : `${type} 4 ${number} ${guid} 4x EDR - ${type2} 7 ${number2} ${guid2} ( '${name}' - '${name2}' )`,
    ),
    ...cables.flatMap(([, , name, number, type2, guid2, name2, number2]) =>
      type2 === 'CA' || gone.includes(name2)
        ? []
        : down.includes(number)
          ? [`SW 7 ${number2} ${guid2} 4x ??? '${name2}'`]
          : [`SW 7 ${number2} ${guid2} 4x EDR - SW 4 ${number} 0x1 ( '${name2}' - '${name}' )`],
    ),
    '--- ibstat',
    'Base lid: 9',
    'SM lid: 1',
  ].join('\n');

/** As ibqueryerrors prints them; `old`: of infiniband-diags before 1.6. */
const errorsText = (ports: Readonly<Record<string, Readonly<Record<string, number>>>>) =>
  Object.entries(ports)
    .map(([port, counts]) => {
      const [node = '', number = ''] = port.split('/');
      const pairs = Object.entries(counts).map(([name, value]) => `[${name} == ${value}]`);
      return `Errors for "${node}"\n   GUID 0x${node.length} port ${number}: ${pairs.join(' ')}\n`;
    })
    .join('') + '\n## Summary: 10 nodes checked, 1 bad nodes found\n';

type Errors = Parameters<typeof errorsText>[0];

interface Night {
  /** Samples, 10 s apart, the oldest first. */
  errors?: readonly Errors[];
  down?: readonly number[];
  states?: Parameters<typeof fabricText>[1];
  /** The fabric as it was two minutes before. */
  earlier?: Parameters<typeof fabricText>[1];
  earlierDown?: readonly number[];
  /** The neighbours were read later, and tell all links. */
  linkedSince?: boolean;
  /** Seconds between two samples. */
  stepS?: number;
  /** Switches that are off. */
  gone?: readonly string[];
  facts?: readonly Fact[];
  history?: Readonly<Record<string, readonly Point[]>>;
  /** n1 answers by itself. */
  answering?: boolean;
}

const judged = ({
  errors = [{}, {}],
  down = [],
  states,
  earlier,
  facts = [],
  gone = [],
  history = {},
  answering,
  earlierDown = [],
  linkedSince = false,
  stepS = 10,
}: Night) => {
  const readings = new Sources();
  for (const [index, one] of errors.entries()) {
    const at = start + index * stepS * 1000;
    const { value } = readCounters(answerOf(errorsText(one)), asker, site);
    readings.good('switch.counters', 'fab', value, at, 20, 3);
  }
  const now = start + (errors.length - 1) * stepS * 1000;
  const links = answerOf(fabricText(down, states, gone));
  const peers = linkedSince ? answerOf(fabricText([], states, gone)) : links;
  readings.good(
    'switch.neighbors',
    'fab',
    readFabricPeers(peers, asker, site).value,
    linkedSince ? now : now - 60_000,
  );
  if (earlier) {
    const before = readFabricLinks(answerOf(fabricText(earlierDown, earlier)), asker, site).value;
    readings.good('switch.fabric', 'fab', before, now - 120_000);
  }
  const fabricAt = linkedSince ? now - 60_000 : now;
  readings.good('switch.fabric', 'fab', readFabricLinks(links, asker, site).value, fabricAt, 20, 1);
  if (answering) readings.good('lustre.client', 'n1', {}, now);
  const judgement = judgementOf({
    readings,
    site,
    now,
    facts: factsOf(facts),
    history: historyOf(history),
  });
  return findings(judgement).map(
    ({ kind, severity, subject: { id }, summary }) => `${severity} ${kind} ${id}: ${summary}`,
  );
};

const rising = (counts: Readonly<Record<string, number>>, by: Readonly<Record<string, number>>) =>
  [0, 1, 2].map((step) => ({
    'leaf/31': Object.fromEntries(
      Object.entries({ ...counts, ...by }).map(([name]) => [
        name,
        (counts[name] ?? 0) + (by[name] ?? 0) * step,
      ]),
    ),
  }));

const saw = (far: string, fell: number): NonNullable<Night['history']> => ({
  'switch/link/fab:leaf/31/far': [{ at: start - 9_000_000, value: far }],
  ...Object.fromEntries(
    [2, 3, 4].map((one) => [
      `switch/link/fab:leaf/3${one}/far`,
      [{ at: start - 9_000_000, value: `fab:spine/${one}` }],
    ]),
  ),
  'switch/link/fab:leaf/2/far': [{ at: start - 9_000_000, value: 'fab:n1/1' }],
  ...Object.fromEntries(
    ['leaf/31', 'leaf/32', 'leaf/33', 'leaf/34', 'leaf/2', 'spine/1'].map((port) => [
      `switch/port/fab:${port}/link`,
      [
        { at: start - 90_000_000 - fell, value: 'up' },
        { at: start - fell, value: 'down' },
      ],
    ]),
  ),
});
const off = (name: 'node.rebooting' | 'node.off', node = 'n1'): Fact =>
  ({ name, subject: { kind: 'node', id: node }, value: true }) as unknown as Fact;
const waiting: [string] = ['4X 25.78125 Gbps Initialize/  LinkUp'];
const oneLane: [string, string] = ['1X 25.78125 Gbps Active/  LinkUp', 'Could be 4X'];

describe('InfiniBand: what stands in no packet counter', () => {
  it.each<[string, Night, RegExp]>([
    [
      'symbol errors alone',
      { errors: rising({ SymbolErrorCounter: 900 }, { SymbolErrorCounter: 40 }) },
      /^warning weak-signal fab:leaf\/31: fab leaf\/31 from fab spine\/1: 80 symbol errors in 20 s/,
    ],
    [
      'symbol errors by the names of old infiniband-diags',
      { errors: rising({ SymbolErrors: 900, LinkDowned: 2 }, { SymbolErrors: 40 }) },
      /^warning weak-signal fab:leaf\/31: .* 80 symbol errors/,
    ],
    [
      'the link trains anew without going down',
      { errors: rising({ LinkErrorRecoveryCounter: 7 }, { LinkErrorRecoveryCounter: 1 }) },
      /^warning weak-signal .*retrained 2 times/,
    ],
    [
      'LinkDowned alone',
      { errors: rising({ LinkDownedCounter: 11 }, { LinkDownedCounter: 1 }) },
      /^warning flapping fab:leaf\/31/,
    ],
    [
      'LinkDowned of a host, more often than a boot takes it down',
      { errors: [3, 6, 9].map((LinkDownedCounter) => ({ 'leaf/2': { LinkDownedCounter } })) },
      /^warning flapping fab:leaf\/2: .* flaps: down 6 times in 20 s/,
    ],
    [
      'received errors by the old names',
      { errors: rising({ RcvErrors: 11 }, { RcvErrors: 600 }) },
      /^critical bad-link fab:leaf\/31: .*60 bad frames\/s.* fab spine\/1/,
    ],
    [
      'a symbol counter at its maximum',
      { errors: rising({ SymbolErrorCounter: 65_535 }, {}) },
      /^notice counters-stuck fab: fab leaf\/31: symbolErrorCounter at least 65,535/,
    ],
    [
      'eight bits at their maximum, by the old name',
      { errors: rising({ LinkDowned: 255 }, {}) },
      /^notice counters-stuck fab: .*linkDownedCounter at least 255/,
    ],
    [
      'a link between switches that was cut an hour ago',
      { down: [31], history: saw('fab:spine/1', 3_600_000) },
      /^warning link-down fab:leaf\/31: fab leaf\/31 to fab spine\/1 down/,
    ],
    [
      'a switch that is off',
      { down: [31, 32, 33, 34], gone: ['spine'], history: saw('fab:spine/1', 3_600_000) },
      /^warning link-down fab:leaf\/31: fab to spine: 4 links down, none left/,
    ],
    [
      'the link of a host that answers',
      { down: [2], history: saw('fab:spine/1', 3_600_000), answering: true },
      /^warning link-down fab:leaf\/2: fab leaf\/2 to fab n1\/1 down/,
    ],
    [
      'the link of a host that nobody asks',
      { down: [2], history: saw('fab:spine/1', 3_600_000) },
      /^notice link-down fab:leaf\/2/,
    ],
    [
      'no subnet manager brings a link up',
      { states: { 31: waiting }, earlier: { 31: waiting } },
      /^warning link-inactive fab: .*no subnet manager brought up leaf\/31/,
    ],
    ['a link on one lane of four', { states: { 31: oneLane } }, /^warning link-degraded .*instead of 4X/],
  ])('%s', (_, night, expected) => {
    const found = judged(night);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it.each<[string, Night]>([
    ['nothing is wrong', {}],
    [
      'old counts that do not move',
      { errors: rising({ SymbolErrorCounter: 900, LinkDownedCounter: 12 }, {}) },
    ],
    [
      'a stray symbol',
      { errors: [{ 'leaf/31': { SymbolErrorCounter: 1 } }, { 'leaf/31': { SymbolErrorCounter: 2 } }] },
    ],
    [
      'symbols while the link comes up',
      {
        errors: [
          { 'leaf/31': { SymbolErrorCounter: 1, LinkDownedCounter: 1 } },
          { 'leaf/31': { SymbolErrorCounter: 900, LinkDownedCounter: 2 } },
        ],
      },
    ],
    [
      'a host boots: its link goes down twice within seconds',
      { errors: [3, 4, 5].map((LinkDownedCounter) => ({ 'leaf/2': { LinkDownedCounter } })) },
    ],
    [
      'a host boots again and again, as Slurm knows',
      {
        errors: [3, 6, 9].map((LinkDownedCounter) => ({ 'leaf/2': { LinkDownedCounter } })),
        facts: [off('node.rebooting')],
      },
    ],
    [
      'the host at its end boots',
      {
        errors: rising({ SymbolErrorCounter: 1 }, { SymbolErrorCounter: 500 }).map(({ 'leaf/31': one }) => ({
          'leaf/2': one,
        })),
        facts: [off('node.rebooting')],
      },
    ],
    ['cleared by somebody in between', { errors: [{ 'leaf/31': { SymbolErrorCounter: 900 } }, {}] }],
    [
      'multicast that is relayed back, waiting, what the far end marked',
      {
        errors: rising(
          { PortXmitWait: 4_294_967_295, PortRcvSwitchRelayErrors: 1 },
          {
            PortRcvSwitchRelayErrors: 900,
            PortRcvRemotePhysicalErrors: 10,
            PortXmitDiscards: 50,
            VL15Dropped: 9,
          },
        ),
      },
    ],
    [
      'a port that was shut by hand',
      {
        down: [31],
        states: { 31: ['               Down/Disabled'] },
        history: saw('fab:spine/1', 3_600_000),
      },
    ],
    ['a port that has been dark for three days', { down: [31], history: saw('fab:spine/1', 3 * 86_400_000) }],
    [
      'the link of a host that is off as planned',
      { down: [2], history: saw('fab:spine/1', 3_600_000), facts: [off('node.off')] },
    ],
    [
      'a host that boots waits for its subnet manager',
      { states: { 2: waiting }, earlier: { 2: waiting }, facts: [off('node.rebooting')] },
    ],
    [
      'a host that came up just now, and was dark two minutes ago',
      { states: { 2: waiting }, earlierDown: [2], earlier: {} },
    ],
    [
      'a cable that was plugged in after the fabric was read, which its links tell already',
      { down: [31], linkedSince: true },
    ],
    [
      'symbols as often as the specification allows, at 100 Gb/s for half a minute',
      { errors: rising({ SymbolErrorCounter: 5 }, { SymbolErrorCounter: 2 }) },
    ],
    [
      'symbols and a training since yesterday, when this console was read last',
      {
        errors: rising({ SymbolErrorCounter: 5 }, { SymbolErrorCounter: 900, LinkErrorRecoveryCounter: 1 }),
        stepS: 40_000,
      },
    ],
    ['a link that was active two minutes ago', { states: { 31: waiting }, earlier: {} }],
    [
      'a fabric that was built slower than its ports',
      {
        states: Object.fromEntries(
          [31, 32, 33, 34, 2].map((one) => [one, ['4X 2.5 Gbps Active/  LinkUp', 'Could be 10.0 Gbps']]),
        ),
      },
    ],
  ])('silent: %s', (_, night) => {
    expect(judged(night)).toEqual([]);
  });

  it.each([
    ['sudo: unable to resolve host fab: Name or service not known\n', 0],
    ['sudo: setrlimit(RLIMIT_CORE): Operation not permitted\n', 0],
  ])('a fabric without errors is read though sudo says %s', (stderr, exitCode) => {
    expect(readCounters(answerOf(errorsText({}), { stderr, exitCode }), asker, site).value.ports).toEqual([]);
  });

  it('who is refused by sudo has not read it', () => {
    const refused = answerOf('', { stderr: 'sudo: a password is required\n', exitCode: 1 });
    expect(() => readCounters(refused, asker, site)).toThrow('a password is required');
  });

  it.each([
    [
      'two nodes of one name: neither is believed',
      'Errors for "n1 HCA-1"\n   GUID 0xa port 1: [SymbolErrorCounter == 5]\nErrors for "n1 HCA-1"\n   GUID 0xb port 1: [SymbolErrorCounter == 9000]\n',
      2,
    ],
    ['a name that is none', 'Errors for "(unknown)"\n   GUID 0xa port 1: [SymbolErrorCounter == 5]\n', 1],
    ['the sum of all ports', 'Errors for "leaf"\n   GUID 0xa port ALL: [SymbolErrorCounter == 5]\n', 0],
  ])('ports that are not known are counted, not left out: %s', (_, text, notUnderstood) => {
    const told = `${text}\n## Summary: 10 nodes checked, 1 bad nodes found\n`;
    expect(readCounters(answerOf(told), asker, site)).toEqual({ value: { ports: [] }, notUnderstood });
  });
});
