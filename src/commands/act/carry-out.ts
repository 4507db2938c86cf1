import { createInterface } from 'node:readline/promises';
import type { Outcome } from '../../model/action.ts';
import type { Clock } from '../../model/ports.ts';
import type { PlanCard, RunView } from '../../model/run.ts';
import type { Subject } from '../../model/subject.ts';
import type { Engine } from '../../remedy/engine.ts';
import { worstOutcome } from '../../remedy/result-text.ts';
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
  const { card } = planned;
  const leftOut: readonly Outcome[] = card.leftOut.length > 0 ? ['refused'] : [];
  if (!options.json) for (const text of cardLines(card)) line(io.stdout, text);
  if (options.dryRun) {
    engine.drop(card.id);
    return { outcome: worstOutcome(leftOut), card, shown: true };
  }
  const typed = options.confirm ?? (await ask(card, options, io));
  if (typed === undefined) {
    engine.drop(card.id);
    const reason = `not confirmed; ${confirmLine(card)}`;
    return { outcome: 'refused', card, refused: { guard: '8 confirmation', reason } };
  }
  const since = task.clock.mono();
  while (task.clock.mono() - since < card.armedAfterMs) await task.clock.sleep(card.armedAfterMs);
  const confirmed = await engine.confirm(card.id, typed);
  if ('refused' in confirmed) return { outcome: 'refused', card, refused: confirmed.refused };
  const run = await follow(task, confirmed.run);
  return { outcome: worstOutcome([...leftOut, run.state === 'running' ? 'unknown' : run.state]), card, run };
};

/** On a terminal a reversible action asks; everything else wants its text on the command line. */
const ask = async (card: PlanCard, options: ActOptions, io: Io): Promise<string | undefined> => {
  if (card.danger !== 'reversible' || options.json || io.stdin.isTTY !== true || io.stdout.isTTY !== true)
    return undefined;
  const readline = createInterface({ input: io.stdin, output: io.stdout });
  try {
    const typed = (await readline.question(`${card.confirmText} to go on, anything else leaves it: `)).trim();
    return typed === card.confirmText ? typed : undefined;
  } finally {
    readline.close();
  }
};

/** Prints each target as it ends. The first signal stops before the next target; what is under way is verified, what is held restored. */
const follow = async ({ engine, options, io }: Task, id: string): Promise<RunView> => {
  const printed = new Set<number>();
  const held = followHold(engine, options, io, id);
  const print = (): void => {
    const view = engine.runs().find((one) => one.id === id);
    held(view?.hold);
    for (const [at, target] of (view?.targets ?? []).entries()) {
      const over = !['waiting', 'checking', 'sent', 'reading back', 'held'].includes(target.state);
      if (!over || printed.has(at) || options.json) continue;
      printed.add(at);
      line(io.stdout, targetLine(target));
    }
  };
  const quiet = engine.onChange(print);
  const calm = onEndingSignal(() => {
    engine.stop(id);
    void engine.restore(id);
    line(io.stderr, 'stopping before the next target; the one under way is read back first');
  });
  try {
    const view = await engine.ended(id);
    print();
    return view;
  } finally {
    quiet();
    calm();
  }
};
