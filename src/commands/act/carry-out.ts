import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { Outcome } from '../../model/action.ts';
import type { Clock } from '../../model/ports.ts';
import type { PlanCard, RunView } from '../../model/run.ts';
import type { Subject } from '../../model/subject.ts';
import type { Engine } from '../../remedy/engine.ts';
import { worstOutcome } from '../../audit/log-entries.ts';
import { makeSafe } from '../../text/safe.ts';
import { isSet } from '../../text/set-arithmetic.ts';
import { count } from '../../text/units.ts';
import { onEndingSignal, line, type Io } from '../io.ts';
import type { ActOptions } from '../options.ts';
import { followHold } from './hold.ts';
import { cardLines, confirmLine, targetLine } from './text.ts';

/** What came of it, for the text, the JSON and the exit code. */
export interface Done {
  outcome: Outcome;
  card?: PlanCard;
  refused?: { guard: string; reason: string };
  run?: RunView;
  /** The plan was only shown. */
  shown?: true;
}

interface Task {
  engine: Engine;
  options: ActOptions;
  subjects: readonly Subject[];
  set: Readonly<Record<string, string>>;
  io: Io;
  clock: Clock;
}

/** Plans, shows, confirms, runs. A target that the plan leaves out was asked for by name, so it counts as refused. */
export const carryOut = async (task: Task): Promise<Done> => {
  const { engine, options, subjects, set, io } = task;
  const planned = await engine.plan(options.action, subjects, set);
  if ('refused' in planned) return { outcome: 'refused', refused: planned.refused };
  const asked = planned.card.confirmText;
  // Of a set --confirm wants what it stands for, too.
  const isExpanded = options.targets.some(isSet);
  const card = isExpanded ? { ...planned.card, confirmText: setText(asked, subjects) } : planned.card;
  const leftOut: readonly Outcome[] = card.leftOut.length > 0 ? ['refused'] : [];
  if (!options.json) for (const text of cardLines(card)) line(io.stdout, text);
  if (options.dryRun) {
    engine.drop(card.id);
    return { outcome: worstOutcome(leftOut), card, shown: true };
  }
  // Who is asked here has seen what the set stands for; --confirm may have been written for another expansion.
  const typed = options.confirm ?? ((await ask(planned.card, options, io)) && card.confirmText);
  const isOtherSet = isExpanded && typed !== card.confirmText;
  if (typed === undefined || isOtherSet) {
    engine.drop(card.id);
    const given =
      typed === undefined ? '' : `: "${makeSafe(typed, 80)}" is not the confirmation text of these targets`;
    const reason = `not confirmed${given}; ${confirmLine(card)}`;
    return { outcome: 'refused', card, refused: { guard: '8 confirmation', reason } };
  }
  const since = task.clock.mono();
  while (task.clock.mono() - since < card.armedAfterMs) await task.clock.sleep(card.armedAfterMs);
  const confirmed = await engine.confirm(card.id, isExpanded ? asked : typed);
  if ('refused' in confirmed) return { outcome: 'refused', card, refused: confirmed.refused };
  const run = await follow(task, confirmed.run);
  return { outcome: worstOutcome([...leftOut, run.state === 'running' ? 'unknown' : run.state]), card, run };
};

/** `y 3 nodes 1f0c2a9b`: what the plan asks for, how many targets, and a hash of their names in order of the alphabet. */
const setText = (asked: string, subjects: readonly Subject[]): string => {
  const counted = count(subjects.length, subjects[0]?.kind ?? 'target');
  const names = subjects.map(({ id }) => id).toSorted();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 8);
  return [asked, ...(asked === counted ? [] : [counted]), hash].join(' ');
};

/** On a terminal a reversible action asks; everything else wants its text on the command line. */
const ask = async (card: PlanCard, options: ActOptions, io: Io): Promise<string | undefined> => {
  if (card.danger !== 'reversible' || options.json || io.stdin.isTTY !== true || io.stdout.isTTY !== true)
    return undefined;
  const readline = createInterface({ input: io.stdin, output: io.stdout });
  try {
    const typed = (await readline.question(`${card.confirmText} to go on, anything else cancels: `)).trim();
    return typed === card.confirmText ? typed : undefined;
  } finally {
    readline.close();
  }
};

/** Prints each target as it ends. The first signal stops before the next target; what is under way is verified, what is held restored. */
const follow = async ({ engine, options, io }: Task, id: string): Promise<RunView> => {
  const printed = new Set<number>();
  const noteHold = followHold(engine, options, io, id);
  const print = (): void => {
    const view = engine.runs().find((one) => one.id === id);
    noteHold(view?.hold);
    for (const [at, target] of (view?.targets ?? []).entries()) {
      const over = !['waiting', 'checking', 'sent', 'reading back', 'held'].includes(target.state);
      if (!over || printed.has(at) || options.json) continue;
      printed.add(at);
      line(io.stdout, targetLine(target));
    }
  };
  const ignoreEnd = engine.onChange(print);
  const stopNoise = onEndingSignal(() => {
    engine.stop(id);
    void engine.restore(id);
    line(io.stderr, 'stopping before the next target; the one under way is read back first');
  });
  try {
    const view = await engine.awaitEnd(id);
    print();
    return view;
  } finally {
    ignoreEnd();
    stopNoise();
  }
};
