import type { Evidence, Finding, Remedy } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Subject } from '../../src/model/subject.ts';
import { cut } from '../../src/text/width.ts';
import { cappedGroups } from './capped.ts';
import { figure } from './figure.ts';
import { crowded } from './interrupts.ts';
import { factsOf, type Flow, flowsOf } from './pairs.ts';
import { sweepOf } from './sweep-state.ts';
import type { VerdictKind } from './verdict.ts';

const pair = (id: string): Subject => ({ kind: 'pair', id });
const host = (id: string): Subject => ({ kind: 'host', id });

/** What is wrong between hosts, by the last test of each direction. An old verdict stays until it is tested again. */
export const findings = (judgement: Judgement): Finding[] => {
  const flows = flowsOf(judgement);
  const groups = cappedGroups(flows, judgement);
  const capped = new Set(groups.flatMap((group) => group.flows.map(({ id }) => id)));
  return [
    ...groups.map((group): Finding => ({
      id: `iperf:capped:${group.share}`,
      system: 'iperf',
      kind: 'capped',
      severity: 'warning',
      subject: pair(group.flows[0]?.id ?? ''),
      members: group.flows.map(({ id }) => pair(id)),
      summary: cut(
        `${group.flows.length} pairs at ${group.share} % of line rate: all slow hosts run ${group.shared.map(({ name, value }) => `${name} ${value}`).join(', ')}`,
        100,
      ),
      advice: 'Compare with a host that differs in this one thing; the same share everywhere is no cable.',
      evidence: group.flows
        .slice(0, 12)
        .map((flow) => evidenceOf(flow, `${arrow(flow)} ${figure(flow.verdict.bps)} Gbit/s`)),
      hurt: { nodes: group.hosts.length },
      remedies: [],
    })),
    ...interruptFindings(flows, judgement),
    ...flows
      .filter(({ id, verdict }) => isTrouble(verdict.kind) && !capped.has(id))
      .map((flow) => flowFinding(flow, flows)),
    ...sweepFinding(judgement),
  ];
};

const isTrouble = (kind: VerdictKind): boolean => !['lineRate', 'steady', 'noData'].includes(kind);

/** Verdicts that a bad link on the way brings about. */
const overLinks: ReadonlySet<VerdictKind> = new Set(['bimodalPort', 'loss']);

const arrow = ({ from, to }: Flow): string => `${from} → ${to}`;

const advices: Partial<Record<VerdictKind, string>> = {
  failed: 'Nothing is known of the link until a test gets through.',
  bimodalTime:
    'Look at the interrupts and coalescing of both NICs, then rerun; rerun with -P 2 tells a flow from the link.',
  bimodalPort:
    'One hash bucket or member link is slow: look at the members of the uplinks on the switch pane.',
  loss: 'Look for errors on the ports of this path on the switch pane.',
  window: 'Raise tcp_rmem and tcp_wmem, or test with several streams.',
  oneStream: 'One flow is held by one core, queue or member link; several are not.',
  interrupts: 'Spread the interrupts over the cores.',
  oneWay: 'Compare what sends in this direction with the other: transmit side, receive interrupts, shaping.',
  dropped: 'See what changed since on either host: kernel, firmware, coalescing.',
};

const flowFinding = (flow: Flow, flows: readonly Flow[]): Finding => {
  const { id, from, to, verdict } = flow;
  const back = flows.find((other) => other.id === `${to}:${from}`);
  const side =
    back === undefined
      ? ''
      : isTrouble(back.verdict.kind)
        ? '; the other direction is slow too'
        : '; the other direction is fine';
  const named = verdict.kind === 'oneWay' ? '' : side;
  return {
    id: `iperf:${verdict.kind}:${id}`,
    system: 'iperf',
    kind: verdict.kind,
    severity: verdict.kind === 'failed' ? 'notice' : 'warning',
    subject: pair(id),
    summary: cut(`${from} → ${to} ${verdict.text}${named}`, 100),
    advice: advices[verdict.kind] ?? 'Rerun it, reversed and with two streams, before believing it.',
    evidence: [
      ...verdict.evidence.map((text) => evidenceOf(flow, text)),
      ...(back ? [evidenceOf(back, `${arrow(back)}: ${back.verdict.text}`)] : []),
    ],
    ...(overLinks.has(verdict.kind) && { lacks: [{ what: 'data', of: [host(from)], from: [host(to)] }] }),
    hurt: { nodes: 2 },
    remedies: rerunsOf(flow),
    since: flow.run.endedAt ?? flow.run.startedAt,
  };
};

/** The next test that tells most. */
const rerunsOf = ({ id, from, to, run }: Flow): Remedy[] => [
  { action: 'iperf.run', subjects: [pair(id)] },
  ...(run.streams === 1 ? [{ action: 'iperf.run', subjects: [pair(id)], set: { streams: '2' } }] : []),
  { action: 'iperf.run', subjects: [pair(`${to}:${from}`)] },
];

const evidenceOf = ({ run }: Flow, text: string): Evidence => ({
  text,
  probe: 'iperf.results',
  host: run.client,
  at: run.endedAt ?? run.startedAt,
});

/** A host that holds tests down by its interrupts: the cause, named where it can be cured. */
const interruptFindings = (flows: readonly Flow[], { readings, site }: Judgement): Finding[] =>
  site.withRole('iperf').flatMap(({ name }): Finding[] => {
    const facts = factsOf(readings, name);
    const text = crowded(name, facts);
    const slow = flows.filter(
      ({ to, from, verdict }) =>
        (to === name || from === name) &&
        ['bimodalTime', 'interrupts', 'oneWay', 'oneStream', 'dropped'].includes(verdict.kind),
    );
    if (text === undefined || !facts || slow.length === 0) return [];
    const source = readings.source('iperf.facts', name)?.good;
    const proof = (line: string): Evidence => ({
      text: line,
      probe: 'iperf.facts',
      host: name,
      ...(source && { at: source.at }),
    });
    return [
      {
        id: `iperf:interrupts:${name}`,
        system: 'iperf',
        kind: 'interrupts',
        severity: 'warning',
        subject: host(name),
        summary: cut(
          `${text}: holds ${slow.length === 1 ? (slow[0] ? arrow(slow[0]) : '') : `${slow.length} pairs`} down`,
          100,
        ),
        advice: 'Spread the queues over the cores and switch adaptive-rx off, then rerun the test.',
        evidence: [
          proof(text),
          ...(facts.adaptiveRx === undefined
            ? []
            : [
                proof(
                  `adaptive-rx is ${facts.adaptiveRx ? 'on' : 'off'}, rx-usecs ${facts.rxUsecs ?? 'not known'}`,
                ),
              ]),
          ...(facts.irqbalance === undefined
            ? []
            : [proof(`irqbalance ${facts.irqbalance ? 'runs' : 'does not run'}`)]),
          ...slow.map((flow) => evidenceOf(flow, `${arrow(flow)}: ${flow.verdict.text}`)),
        ],
        hurt: { nodes: new Set(slow.flatMap(({ from, to }) => [from, to])).size },
        remedies: [
          { action: 'host.irq-affinity', subjects: [host(name)] },
          ...(facts.adaptiveRx === true ? [{ action: 'host.coalescing', subjects: [host(name)] }] : []),
        ],
        since: Math.min(...slow.map(({ run }) => run.endedAt ?? run.startedAt)),
      },
    ];
  });

const sweepFinding = (judgement: Judgement): Finding[] => {
  const sweep = sweepOf(judgement);
  const best = sweep?.answer;
  if (!sweep || sweep.state === 'running' || !best || best.kind === 'none' || best.kind === 'unclear')
    return [];
  return [
    {
      id: `iperf:sweep:${best.host}`,
      system: 'iperf',
      kind: 'sweep',
      severity: 'warning',
      subject: host(best.host),
      summary: cut(
        `${best.host} is the slow one of ${sweep.hosts.length} hosts: ${best.text} (${best.sure} sure)`,
        100,
      ),
      advice: 'Look at its NIC, cable, port and kernel; a second sweep makes it surer.',
      evidence: sweep.lines.map((text) => ({ text })),
      hurt: { nodes: 1 },
      remedies: [],
      since: sweep.startedAt,
    },
  ];
};
