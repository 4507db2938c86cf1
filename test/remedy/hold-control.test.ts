import { describe, expect, it } from 'vitest';
import { createHoldControl, keepHeld, restoreHeld } from '../../src/remedy/hold-control.ts';

describe('the wish of the operator', () => {
  it('is taken once; to leave stays, whatever is wished after it', () => {
    const control = createHoldControl();
    expect([control.state, control.secondsLeft(), control.take()]).toEqual(['none', 0, undefined]);
    control.wish('keep');
    expect([control.take(), control.take()]).toEqual(['keep', undefined]);
    control.wish('leave');
    control.wish('keep');
    expect([control.take(), control.take()]).toEqual(['leave', 'leave']);
  });

  it('wakes who sleeps: at once while it is not taken, again at the next, and for good to leave', () => {
    const control = createHoldControl();
    const first = control.signal();
    expect([first.aborted, control.signal() === first]).toEqual([false, true]);
    control.wish('keep');
    expect([first.aborted, control.signal().aborted]).toEqual([true, true]);
    control.take();
    expect(control.signal().aborted).toBe(false);
    control.wish('leave');
    control.take();
    expect(control.signal().aborted).toBe(true);
  });

  it('to keep is refused where nothing waits, where another word was typed, and when it is too late', () => {
    const control = createHoldControl();
    const notHeld = { refused: { guard: '9 armed undo', reason: 'no change of this run is held now' } };
    expect([keepHeld(undefined, 'keep'), restoreHeld(undefined)]).toEqual([notHeld, notHeld]);
    expect([keepHeld(control, 'keep'), restoreHeld(control)]).toEqual([notHeld, notHeld]);
    control.state = 'waiting';
    control.secondsLeft = () => 5;
    expect(keepHeld(control, 'yes')).toEqual({
      refused: { guard: '8 confirmation', reason: 'not kept: type "keep"' },
    });
    control.secondsLeft = () => 4;
    expect(keepHeld(control, 'keep')).toMatchObject({
      refused: { reason: expect.stringMatching(/^too late/) },
    });
    expect(control.take()).toBeUndefined();
    control.secondsLeft = () => 5;
    expect(keepHeld(control, 'keep')).toEqual({ keeping: true });
    expect(control.take()).toBe('keep');
    expect(restoreHeld(control)).toEqual({ restoring: true });
    expect(control.take()).toBe('restore');
  });
});
