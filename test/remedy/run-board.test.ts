import { describe, expect, it } from 'vitest';
import type { HoldView, RunView } from '../../src/model/run.ts';
import { createRunBoard } from '../../src/remedy/run-board.ts';
import { madePlan, madeTarget } from './made.ts';
import { node } from './world.ts';

const board = () => {
  const forgotten: string[] = [];
  return { forgotten, ...createRunBoard((run) => forgotten.push(run)) };
};
const ended = (id: string): RunView => ({ id, title: 'Do', state: 'done', startedAt: 0, targets: [] });
const plan = madePlan({
  targets: [madeTarget(), madeTarget({ subject: node('n2') })],
});

describe('what runs show', () => {
  it('begins with targets that wait, and goes on target by target', () => {
    const { begin, showTarget, of } = board();
    begin(plan, 'r-1', 7);
    const waiting = { id: 'n2', state: 'waiting', text: '' };
    expect(of('r-1')).toEqual({
      id: 'r-1',
      title: 'Do n1',
      state: 'running',
      startedAt: 7,
      targets: [{ id: 'n1', state: 'waiting', text: '' }, waiting],
    });
    const [first] = plan.targets;
    if (!first) throw new Error('the plan has a target');
    showTarget(plan, 'r-1')(first, 'verified', 'it is so', { ms: 12 });
    expect(of('r-1')?.targets).toEqual([{ id: 'n1', state: 'verified', text: 'it is so', ms: 12 }, waiting]);
    showTarget(plan, 'r-2')(first, 'verified', 'of a run that is not shown');
    expect(of('r-2')).toBeUndefined();
  });

  it('tells when what is read back ends, where that is known, and only while it is read back', () => {
    const { begin, showTarget, of } = board();
    const timed = madeTarget();
    const test = { ...timed, verify: { ...timed.verify, endsAt: 99 } };
    const one = madePlan({ targets: [test] });
    begin(one, 'r-1', 0);
    const show = (target: typeof timed, state: 'sent' | 'reading back') => {
      showTarget(one, 'r-1')(target, state, '');
      return of('r-1')?.targets[0];
    };
    expect(show(test, 'reading back')).toHaveProperty('endsAt', 99);
    expect(show(test, 'sent')).not.toHaveProperty('endsAt');
    const plain = madePlan();
    begin(plain, 'r-2', 0);
    const [target] = plain.targets;
    if (!target) throw new Error('the plan has a target');
    showTarget(plain, 'r-2')(target, 'reading back', '');
    expect(of('r-2')?.targets[0]).not.toHaveProperty('endsAt');
  });

  it('shows a hold as long as there is one', () => {
    const { begin, showHold, of } = board();
    const hold = { target: 'n1', state: 'waiting', secondsLeft: 3 } as HoldView;
    begin(plan, 'r-1', 0);
    showHold('r-1', hold);
    expect(of('r-1')?.hold).toBe(hold);
    showHold('r-1', undefined);
    expect(of('r-1')).not.toHaveProperty('hold');
    showHold('r-2', hold);
    expect(of('r-2')).toBeUndefined();
  });

  it('keeps the last 50 that have ended, and each that runs, newest first', () => {
    const { begin, set, views, forgotten } = board();
    begin(plan, 'r-0', 0);
    for (let at = 1; at <= 50; at++) set(ended(`r-${at}`));
    expect([views().length, forgotten]).toEqual([51, []]);
    set(ended('r-51'));
    expect(forgotten).toEqual(['r-1']);
    expect(views().map(({ id }) => id)).toEqual([
      ...Array.from({ length: 50 }, (_, at) => `r-${51 - at}`),
      'r-0',
    ]);
  });

  it('tells each listener of each change, until it listens no more', () => {
    const { begin, stir, onChange } = board();
    const heard: string[] = [];
    const off = onChange(() => heard.push('a'));
    onChange(() => heard.push('b'));
    begin(plan, 'r-1', 0);
    off();
    stir();
    expect(heard).toEqual(['a', 'b', 'b']);
  });
});
