import type { Cause } from '../../src/model/cause.ts';

/** What explains what between hosts. */
export const causes: readonly Cause[] = [
  {
    name: 'interrupts',
    causes: ['interrupts'],
    effects: ['bimodalTime', 'interrupts', 'oneWay', 'oneStream', 'dropped'],
    explain: ({ subject: { kind, id } }, effect) =>
      kind === 'host' && effect.subject.kind === 'pair' && effect.subject.id.split(':').includes(id)
        ? `${id} is one end of this pair`
        : undefined,
  },
];
