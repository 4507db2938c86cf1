import type { Cause } from '../../src/model/dependency.ts';
import type { Finding } from '../../src/model/finding.ts';

/** Whether a finding is about pairs that all have this host as one end, or about the host itself. */
const isEndOf = (host: string, { subject, members }: Finding): boolean =>
  (members ?? [subject]).every(({ kind, id }) =>
    kind === 'pair' ? id.split(':').includes(host) : id === host,
  );

/** What explains what between hosts. */
export const causes: readonly Cause[] = [
  {
    name: 'interrupts',
    causes: ['interrupts'],
    effects: ['bimodalTime', 'interrupts', 'oneWay', 'oneStream', 'dropped', 'sweep'],
    explain: ({ subject: { kind, id } }, effect) =>
      kind === 'host' && isEndOf(id, effect) ? `${id} is one end of this pair` : undefined,
  },
  {
    name: 'link-speed',
    causes: ['linkSpeed'],
    effects: ['slow', 'oneWay', 'dropped', 'loss', 'capped', 'sweep'],
    explain: ({ subject: { id } }, effect) =>
      isEndOf(id, effect) ? `the port of ${id} came up slower than it should` : undefined,
  },
  {
    name: 'sweep',
    causes: ['sweep'],
    effects: ['slow', 'oneWay', 'dropped', 'loss', 'bimodalTime', 'window', 'cpu', 'mtu', 'failed', 'shared'],
    explain: ({ subject, members = [subject] }, effect) =>
      (effect.members ?? [effect.subject]).every(({ id }) =>
        members.some((slow) => id.split(':').includes(slow.id)),
      )
        ? `the sweep names ${subject.id}, one end of this pair`
        : undefined,
  },
];
