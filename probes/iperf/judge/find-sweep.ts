import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { findingsOf } from '../../../src/kit/findings.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { sweepOf } from '../sweep/state.ts';

const finding = findingsOf('iperf');

/** The slow host, or the two, among all that a sweep has tested. */
export const sweepFinding = (judgement: Judgement): FindingDraft[] => {
  const sweep = sweepOf(judgement);
  const best = sweep?.answer;
  const names = best?.kind === 'host' ? [best.host] : best?.kind === 'hosts' ? best.hosts : [];
  if (!sweep || !best || sweep.state === 'running' || names.length === 0) return [];
  return [
    finding({
      kind: 'sweep',
      key: names.join(','),
      severity: 'warning',
      subject: { kind: 'host', id: fold(names) },
      ...(names.length > 1 && { members: names.map((id) => ({ kind: 'host' as const, id })) }),
      summary: `${fold(names)} slow among ${sweep.hosts.length} hosts: ${best.text} (${best.sure} sure)`,
      advice:
        names.length === 1
          ? 'Check NIC, cable, port and kernel of that host; a second sweep makes the answer surer.'
          : 'The others are fine among themselves. See what these two share (switch, kernel, NIC), then each by itself; a second sweep makes the answer surer.',
      evidence: sweep.lines.map((text) => ({ text })),
      hurt: { nodes: names.length },
      since: sweep.startedAt,
      sinceIs: 'seen',
    }),
  ];
};
