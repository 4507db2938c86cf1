import type { Outcome } from '../model/action.ts';
import type { RunView, StepState } from '../model/run.ts';
import { makeSafe } from '../text/safe.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import { worstOutcome } from '../audit/log-entries.ts';
import { isLeft, type Recovered } from './recover.ts';

/** An action of an earlier console as a run on the screen: what was begun, by whom, and what is true of it now. */
export const recoveredView = (one: LoggedAction, now: Recovered, at: number): RunView => {
  const state = { done: 'verified', undone: 'undone', failed: 'failed', unknown: 'unknown' } as const;
  const { operator, console } = one.intent;
  const was = one.outcome === undefined ? 'was left without a result' : 'was not known';
  const undo =
    isLeft(one, now.outcome) && one.detail.undo !== null && one.detail.undoes === undefined
      ? `; it can be undone: undo:${one.run}`
      : '';
  return {
    id: one.run,
    title: makeSafe(`${one.detail.verb} ${one.subject.id}`),
    state: now.outcome,
    startedAt: Date.parse(one.intent.at),
    endedAt: at,
    targets: [{ id: makeSafe(one.subject.id), state: state[now.outcome], text: makeSafe(now.text) }],
    result: makeSafe(
      `${one.action} on ${one.subject.id}, begun by ${operator} (pid ${console.pid}), ${was}: ${now.text}${undo}`,
      2_000,
    ),
    left: true,
  };
};

/** The same while the undo that was armed for it is still to come. */
export const waitingView = (one: LoggedAction, leftMs: number, at: number): RunView => {
  const { operator, console } = one.intent;
  return {
    id: one.run,
    title: makeSafe(`${one.detail.verb} ${one.subject.id}`),
    state: 'running',
    startedAt: Date.parse(one.intent.at),
    targets: [
      {
        id: makeSafe(one.subject.id),
        state: 'reading back',
        text: 'undone unless it was kept',
        endsAt: at + leftMs,
      },
    ],
    result: makeSafe(
      `left by ${operator} (pid ${console.pid}), whose console ended while the change was held: it is undone by itself unless it was kept; then it is read again. It can't be kept from here.`,
      2_000,
    ),
    left: true,
  };
};

const outcomes: Partial<Record<StepState, Outcome>> = {
  verified: 'done',
  nothing: 'nothing',
  undone: 'undone',
  failed: 'failed',
  unknown: 'unknown',
  refused: 'refused',
  'not reached': 'refused',
};

/** A run of which one target was looked at again. */
export const mergeView = (known: RunView | undefined, view: RunView): RunView => {
  if (known === undefined) return view;
  const [now] = view.targets;
  if (now === undefined) return known;
  const at = known.targets.findIndex(({ id }) => id === now.id);
  const targets = at < 0 ? [...known.targets, now] : known.targets.with(at, now);
  const isOver = targets.every(({ state }) => outcomes[state] !== undefined);
  const { hold: _, ...rest } = known;
  return {
    ...(known.left ? view : rest),
    targets,
    state: isOver ? worstOutcome(targets.flatMap(({ state }) => outcomes[state] ?? [])) : 'running',
    ...(view.endedAt !== undefined && { endedAt: view.endedAt }),
    ...(view.result !== undefined && { result: view.result }),
  };
};
