import { commandOf, hashOf, type Command } from '../../src/remedy/commands.ts';
import {
  commandsOf,
  type Prepared,
  type PreparedHold,
  type PreparedTarget,
} from '../../src/remedy/prepared.ts';
import { node } from './world.ts';

/** `scontrol update n1 resume` on ctl1, which takes 10 s at most and the grace of 3 s. */
export const commandTo = (...words: readonly string[]): Command =>
  commandOf({ host: 'ctl1', argv: ['scontrol', ...words] });

const verification = (text: string, deadlineMs: number) => ({
  text,
  reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
  deadlineMs,
  check: () => ({ state: 'yes' as const, text }),
});

/** A prepared target that changes n1, with one command. */
export const preparedTarget = (over: Partial<PreparedTarget> = {}): PreparedTarget => ({
  subject: node('n1'),
  steps: [commandTo('resume')],
  undo: null,
  guards: [],
  whyAlreadyDone: () => undefined,
  verify: verification('n1 is up', 30_000),
  lockGroups: ['batch'],
  whyStale: () => undefined,
  ...over,
});

/** A timer that restores n1 after 120 s. */
export const preparedHold = (over: Partial<PreparedHold> = {}): PreparedHold => ({
  by: 'timer',
  seconds: 120,
  text: 'a timer restores n1 after 120 s',
  arm: [commandTo('arm')],
  armed: verification('armed', 7_000),
  keep: [commandTo('keep')],
  kept: verification('kept', 8_000),
  restore: [commandTo('restore')],
  restored: verification('restored', 9_000),
  watch: [],
  watching: () => [],
  checkKeeping: () => ({ ok: true, text: '' }),
  ...over,
});

/** A plan over these targets, as it waits for its confirmation. */
export const preparedPlan = (over: Partial<Prepared> = {}): Prepared => {
  const { targets = [preparedTarget()] } = over;
  return {
    id: 'plan-1',
    action: 'fake.resume',
    title: 'resume n1',
    verb: 'resume',
    danger: 'reversible',
    targets,
    leftOut: [],
    users: 'nothing',
    because: ['because of the readings'],
    afterwards: 'reads back',
    undoText: 'drain it again',
    parameters: { reason: 'fan' },
    exceeded: [],
    hash: hashOf(targets.flatMap(commandsOf)),
    confirmText: 'y',
    armedAfterMs: 0,
    madeAt: { mono: 0, wall: 0 },
    shownAt: 0,
    ...over,
  };
};
