import type { Cause } from '../../src/model/dependency.ts';
import { type Finding, NOT_READ } from '../../src/model/finding.ts';
import { memoPer } from '../../src/kit/memo.ts';
import { saysWhyNotRead } from '../../src/kit/unread.ts';
import type { Severity, Subject } from '../../src/model/subject.ts';

const outOfService = ['not-responding', 'down-group'];

const weight: Readonly<Record<Severity, number>> = { notice: 0, warning: 1, critical: 2 };

const namesOf = (subjects: readonly Subject[]): ReadonlySet<string> => new Set(subjects.map(({ id }) => id));

/** Gathered once for a finding, not for each effect. */
const membersOf = memoPer(({ members, subject }: Finding) => namesOf(members ?? [subject]));

const covers = (cause: Finding, subjects: ReadonlySet<string>): boolean =>
  subjects.size > 0 && subjects.isSubsetOf(membersOf(cause));

/** What explains what of Slurm's own making. */
export const causes: readonly Cause[] = [
  saysWhyNotRead(
    ['controller-down', 'controller-standby', 'controller-hung', 'controller-auth'],
    'everywhere',
  ),
  saysWhyNotRead(['controller-unreachable', 'not-permitted', 'not-readable']),
  {
    // A node that is known to be out of service need not be reachable.
    name: 'out-of-service',
    causes: ['lost-together', ...outOfService, 'rebooting', 'drained-group'],
    effects: 'any',
    explain: (cause, { system, kind, lacks = [] }) =>
      // Nodes of one name in two clusters are two nodes; Slurm's own groups have none in common.
      (system !== cause.system || kind === NOT_READ) &&
      lacks.some(({ what, of, from }) => what === 'reach' && !from && covers(cause, namesOf(of)))
        ? 'Slurm knows these nodes to be out of service'
        : undefined,
  },
  {
    // The controller waits for each silent node in turn.
    name: 'controller-waits',
    causes: ['lost-together'],
    effects: ['controller-slow'],
    explain: () => 'slurmctld waits for each silent node in turn',
  },
  {
    name: 'controller-waits',
    causes: ['not-responding'],
    effects: ['controller-slow'],
    explain: () => 'slurmctld waits for each silent node in turn',
  },
  ...['lost-together', 'drained-group', ...outOfService].map((kind): Cause => ({
    name: 'partition-share',
    causes: [kind],
    effects: ['partition-below-limit'],
    explain: (cause, effect) =>
      effect.evidence.some(({ values }) => values?.['toldByOthers'] === true) &&
      !membersOf(cause).isDisjointFrom(membersOf(effect)) &&
      weight[cause.severity] >= weight[effect.severity]
        ? 'they are nodes of this partition'
        : undefined,
  })),
  {
    name: 'says-why-not-read',
    causes: ['accounting-down'],
    effects: [NOT_READ],
    explain: (_cause, { evidence }) =>
      evidence.every(({ probe }) => probe === 'slurm.accounting') ? 'slurmdbd is down' : undefined,
  },
  {
    name: 'slurmdbd',
    causes: ['accounting-down'],
    effects: ['accounting-behind'],
    explain: (cause, effect) =>
      cause.subject.id === effect.subject.id && weight[cause.severity] >= weight[effect.severity]
        ? 'the records wait for slurmdbd'
        : undefined,
  },
  {
    name: 'same-drain',
    causes: ['drained-group'],
    effects: ['draining', 'stuck-completing'],
    explain: (cause, effect) =>
      covers(cause, membersOf(effect)) && weight[cause.severity] >= weight[effect.severity]
        ? 'the same nodes are drained for the same reason'
        : undefined,
  },
];
