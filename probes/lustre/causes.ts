import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Cause } from '../../src/model/dependency.ts';

/** What explains what of Lustre's own making. */
export const causes: readonly Cause[] = [
  saysWhyNotRead(['unread']),
  {
    // I/O on the OSTs of a lost OSS waits, and so does every command that touches them: it ends by its time, not by itself.
    name: 'client-hangs',
    causes: ['unreachable', 'mdt-unreachable', 'unserved'],
    effects: ['unread'],
    explain: (_, { evidence }) =>
      evidence.some(({ values }) => values?.['timedOut'] === true)
        ? 'commands there wait for targets that are out of reach'
        : undefined,
  },
  {
    // An OST that is kept empty is the one by which space is uneven.
    name: 'emptied-ost',
    causes: ['flag-ignored', 'flags'],
    effects: ['imbalance'],
    explain: ({ members, subject }, { evidence }) => {
      const flagged = new Set((members ?? [subject]).map(({ id }) => id));
      const emptiest = evidence.flatMap(({ about = [] }) => about).find(({ id }) => flagged.has(id));
      return emptiest && `${emptiest.id} is the emptiest because it gets no new objects`;
    },
  },
];
