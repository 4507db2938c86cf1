import type { EvidenceDraft, FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { cut } from '../../../src/text/width.ts';
import { cappedGroups, type Capped } from './capped.ts';
import { gbit } from '../read/result.ts';
import { sweepFinding } from './find-sweep.ts';
import { linkSpeedFindings } from './link-speed.ts';
import { crowdedText } from './host-facts.ts';
import { factsOf, type Flow, flowsOf } from './pairs.ts';
import type { VerdictKind } from './verdict.ts';

const finding = findingsOf('iperf');
const pair = (id: string): Subject => ({ kind: 'pair', id });
const host = (id: string): Subject => ({ kind: 'host', id });

/** What is wrong between hosts, by the last test of each direction. An old verdict stays until it is tested again. */
export const findings = (judgement: Judgement): FindingDraft[] => {
  const flows = flowsOf(judgement);
  const groups = cappedGroups(flows, judgement);
  const capped = new Set(groups.flatMap((group) => group.flows.map(({ id }) => id)));
  return [
    ...groups.map((group) =>
      finding({
        kind: 'capped',
        key: String(group.share),
        severity: 'warning',
        subject: pair(group.flows[0]?.id ?? ''),
        members: group.flows.map(({ id }) => pair(id)),
        summary: `${cut(fold(group.hosts), 40)} at ${group.share} % of line rate (${count(group.flows.length, 'pair')}): ${sharedText(group)}`,
        advice: capAdvice(group),
        evidence: [
          ...group.hosts
            .slice(0, 4)
            .map((name) =>
              evidenceFrom(
                judgement.readings.source('iperf.facts', name),
                `${name}: ${group.shared.map((fact) => `${fact.name} ${fact.value}`).join(', ')}`,
              ),
            ),
          ...group.flows
            .slice(0, 12)
            .map((flow) => evidenceOf(flow, `${arrow(flow)} ${gbit(flow.verdict.bps)} Gbit/s`)),
        ],
        suspects: group.hosts.map((id) => ({
          subject: host(id),
          cause: (group.shared[0]?.name ?? '').toLowerCase(),
          confidence: 'medium' as const,
        })),
        hurt: { nodes: group.hosts.length },
      }),
    ),
    ...linkSpeedFindings(flows, judgement),
    ...interruptFindings(flows, judgement),
    ...flows
      .filter(({ id, verdict }) => isTrouble(verdict.kind) && !capped.has(id))
      .map((flow) => flowFinding(flow, flows)),
    ...pathMtuFinding(flows, judgement),
    ...sweepFinding(judgement),
  ];
};

/** `all run kernel 2.6.32`, `all have MTU 1500`. */
const sharedText = ({ shared }: Capped): string => {
  const verb = shared.some(({ name }) => ['kernel', 'driver', 'firmware'].includes(name)) ? 'run' : 'have';
  return `all ${verb} ${shared.map(({ name, value }) => `${name} ${value}`).join(', ')}`;
};

/** A driver comes with its kernel: of several facts that is the one to change first. */
const capAdvice = ({ hosts, shared }: Capped): string => {
  const one = `one of ${cut(fold(hosts), 40)}`;
  const isKernel = shared.some(({ name }) => name === 'kernel');
  const names = shared.map(({ name }) => name).join(' and ');
  const change = isKernel ? `Boot ${one} with the kernel` : `Give ${one} the ${names}`;
  return `${change} of a fast host and test it again; the same share on all pairs rules out a cable.`;
};

const isTrouble = (kind: VerdictKind): boolean => !['lineRate', 'steady', 'noData'].includes(kind);

/** Nothing is known of the link then. */
const notices: ReadonlySet<VerdictKind> = new Set(['failed', 'shared']);

/** Verdicts that a bad link on the way brings about. */
const overLinks: ReadonlySet<VerdictKind> = new Set(['bimodalPort', 'loss']);

const arrow = ({ from, to }: Flow): string => `${from} → ${to}`;

const advices: Partial<Record<VerdictKind, string>> = {
  failed: 'The link is not judged until a test gets through.',
  shared: 'Rerun the test when the others have ended; `sar -n DEV` or the switch pane shows who they are.',
  bimodalTime:
    'Look at the interrupts and coalescing of both NICs, then rerun; a rerun with -P 2 shows whether one flow or the whole link is slow.',
  bimodalPort: 'One hash bucket or member link is slow: check the members of the uplinks on the switch pane.',
  mtu: 'Compare the MTU of both hosts and of every switch port between them: the smallest one counts. Until then lower that of the hosts.',
  cpu: 'The network is not the limit: test with several streams (iperf3 from 3.16 on uses a core for each), or see what else runs there.',
  loss: 'Check the ports of this path for errors on the switch pane.',
  window: 'Raise tcp_rmem and tcp_wmem, or test with several streams.',
  oneStream: 'One flow is held by one core, queue or member link; several are not.',
  interrupts: 'Spread the interrupts over the cores.',
  oneWay: 'Compare what sends in this direction with the other: transmit side, receive interrupts, shaping.',
  dropped: 'Find what changed since on either host: kernel, firmware, coalescing.',
};

const flowFinding = (flow: Flow, flows: readonly Flow[]): FindingDraft => {
  const { id, from, to, verdict } = flow;
  const back = flows.find((other) => other.id === `${to}:${from}`);
  const side =
    back === undefined
      ? ''
      : isTrouble(back.verdict.kind)
        ? '; the other direction is slow too'
        : '; the other direction is fine';
  const named = verdict.kind === 'oneWay' ? '' : side;
  return finding({
    kind: verdict.kind,
    key: id,
    severity: notices.has(verdict.kind) ? 'notice' : 'warning',
    subject: pair(id),
    summary: `${from} → ${to} ${verdict.text}${named}`,
    advice:
      advices[verdict.kind] ?? 'Rerun the test, reversed and with two streams, before you trust the verdict.',
    evidence: [
      ...verdict.evidence.map((text) => evidenceOf(flow, text)),
      ...(back ? [evidenceOf(back, `${arrow(back)}: ${back.verdict.text}`)] : []),
    ],
    // Of two directions the slower one first.
    ...(back && { loss: Math.max(0, 1 - verdict.bps / Math.max(verdict.bps, back.verdict.bps, 1)) }),
    lacks: overLinks.has(verdict.kind) ? [{ what: 'data', of: [host(from)], from: [host(to)] }] : undefined,
    suspects: verdict.suspects?.map(({ host: id, cause }) => ({
      subject: host(id),
      cause,
      confidence: 'high' as const,
    })),
    hurt: { nodes: 2 },
    remedies: rerunsOf(flow),
    since: flow.run.endedAt ?? flow.run.startedAt,
    sinceIs: 'seen',
  });
};

/** The next test that tells most. */
const rerunsOf = ({ id, from, to, run }: Flow): Remedy[] => [
  { action: 'iperf.run', subjects: [pair(id)] },
  ...(run.streams === 1 ? [{ action: 'iperf.run', subjects: [pair(id)], set: { streams: '2' } }] : []),
  { action: 'iperf.run', subjects: [pair(`${to}:${from}`)] },
];

const evidenceOf = ({ run }: Flow, text: string): EvidenceDraft => ({
  text,
  probe: 'iperf.results',
  host: run.client,
  at: run.endedAt ?? run.startedAt,
});

/** A host that holds tests down by its interrupts: the cause, named where it can be cured. */
const interruptFindings = (flows: readonly Flow[], { readings, site }: Judgement): FindingDraft[] =>
  site.hostsWithRole('iperf').flatMap(({ name }): FindingDraft[] => {
    const facts = factsOf(readings, name);
    const text = crowdedText(name, facts);
    const slow = flows.filter(
      ({ to, from, verdict }) =>
        (to === name || from === name) &&
        ['bimodalTime', 'interrupts', 'oneWay', 'oneStream', 'dropped'].includes(verdict.kind),
    );
    if (text === undefined || !facts || slow.length === 0) return [];
    const source = readings.source('iperf.facts', name);
    const proof = (line: string): EvidenceDraft => evidenceFrom(source, line);
    return [
      finding({
        kind: 'interrupts',
        key: name,
        severity: 'warning',
        subject: host(name),
        summary: `${text}: slows ${slow.length === 1 ? (slow[0] ? arrow(slow[0]) : '') : `${slow.length} pairs`}`,
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
        sinceIs: 'seen',
      }),
    ];
  });

/**
 * Paths that pass less than the MTU of both ends while data comes all the same, in smaller segments (RFC 4821, or an MSS that a router
 * sets): no fault of the test, and a setting to know of. Both small pings were answered and no large one; pings that get lost here
 * and there prove nothing.
 */
const pathMtuFinding = (flows: readonly Flow[], { readings }: Judgement): FindingDraft[] => {
  const held = flows.filter(
    ({ run: { mtu = 0, fullPings, standardPings, client, server, status }, verdict }) =>
      status === 'ok' &&
      verdict.kind !== 'mtu' &&
      verdict.bps > 0 &&
      fullPings === 0 &&
      standardPings === 2 &&
      mtu > 1500 &&
      [client, server].every((name) => (factsOf(readings, name)?.mtu ?? 0) >= mtu),
  );
  const [first] = held;
  if (!first) return [];
  return [
    finding({
      kind: 'pathMtu',
      key: 'paths',
      severity: 'notice',
      subject: pair(first.id),
      members: held.map(({ id }) => pair(id)),
      summary: `${held.length === 1 ? arrow(first) : `${held.length} pairs`}: both ends have an MTU of ${first.run.mtu ?? '?'}, the path passes no more than 1500`,
      advice:
        'TCP gets through in smaller segments; large datagrams (NFS over UDP, storage) do not. Compare the MTU of the switch ports between them, or lower that of the hosts.',
      evidence: held
        .slice(0, 12)
        .map((flow) =>
          evidenceOf(
            flow,
            `${flow.run.client} to ${flow.run.server}: of 2 pings of ${flow.run.mtu ?? '?'} bytes with DF none is answered, of 1500 bytes both; ${gbit(flow.verdict.bps)} Gbit/s`,
          ),
        ),
    }),
  ];
};
