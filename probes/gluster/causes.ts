import { saysWhyNotRead } from '../../src/kit/not-read.ts';
import type { Cause } from '../../src/model/cause.ts';

/** What explains what of Gluster's own making. */
export const causes: readonly Cause[] = [
  saysWhyNotRead([
    'glusterd-down',
    'glusterd-silent',
    'glusterd-stopped',
    'glusterd-hook',
    'glusterd-starting',
  ]),
  {
    name: 'peer-unreachable',
    causes: ['glusterd-down', 'glusterd-silent', 'glusterd-stopped'],
    effects: ['peer-disconnected'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id ? `glusterd of ${cause.subject.id} answers nobody` : undefined,
  },
  {
    name: 'not-healed',
    causes: ['brick-down', 'self-heal-down'],
    effects: ['heal-pending'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id
        ? `${cause.subject.id} cannot heal while part of it is away`
        : undefined,
  },
];
