import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/audit/audit-line.ts';
import { hashOf } from '../../src/remedy/commands.ts';
import { holdEntry, intentEntry, leftOutEntry, refusedEntry, resultEntry } from '../../src/remedy/records.ts';
import type { Sent } from '../../src/remedy/send-steps.ts';
import { commandTo, preparedHold, preparedPlan, preparedTarget } from './prepared.ts';
import { node } from './world.ts';

const written = (script: string) => ({
  host: 'ctl1',
  script,
  sha256: sha256(script),
  deadlineMs: 10_000,
});
const reads = [{ probe: 'fake.nodes', host: 'ctl1' }];
const sent: Sent = { state: 'uncertain', text: 'lost', results: [], changed: false };

describe('the record of what is about to be done', () => {
  it('holds what another process needs to look at it and to undo it, and nothing that is not there', () => {
    const target = preparedTarget();
    const plan = preparedPlan({ targets: [target] });
    expect(intentEntry('run-1', plan, target, 'y', [])).toEqual({
      kind: 'intent',
      run: 'run-1',
      action: 'fake.resume',
      target: 'n1',
      detail: {
        plan: 'plan-1',
        planHash: plan.hash,
        title: 'resume n1',
        verb: 'resume',
        danger: 'reversible',
        subject: node('n1'),
        confirmed: 'y',
        because: ['because of the readings'],
        guards: [],
        exceeded: [],
        parameters: { reason: 'fan' },
        hash: hashOf(target.steps),
        commands: [written('scontrol resume')],
        // 10 s of the command, 3 s of grace.
        boundMs: 13_000,
        verify: { text: 'n1 is up', reads, deadlineMs: 30_000 },
        undo: null,
        undoText: 'drain it again',
        lockGroups: ['batch'],
      },
    });
  });

  it('holds the undo with its bytes, what was before, the object, and what the run undoes', () => {
    const dialect = { prompt: '#', pagerOff: [], errors: [] };
    const target = preparedTarget({
      object: 'te3/46',
      undo: [
        { ...commandTo('drain'), stdin: 'y\n' },
        { ...commandTo('typed'), dialect },
      ],
      was: { reason: 'fan' },
      before: ['up'],
      takesBack: 'plan-0',
    });
    const { detail } = intentEntry('run-2', preparedPlan({ undoes: 'run-1' }), target, 'n1', []);
    expect(detail).toMatchObject({
      object: 'te3/46',
      undo: [
        { ...written('scontrol drain'), stdin: 'y\n' },
        { ...written('scontrol typed'), dialect },
      ],
      was: { reason: 'fan' },
      before: ['up'],
      takesBack: 'plan-0',
      undoes: 'run-1',
    });
    // A value that was none is a value.
    expect(intentEntry('r', preparedPlan(), preparedTarget({ was: null }), 'y', []).detail['was']).toBeNull();
  });

  it('of a held change counts the time that the armed undo may take, and says that the change will be written', () => {
    const { detail } = intentEntry(
      'run-1',
      preparedPlan(),
      preparedTarget({ hold: preparedHold() }),
      'y',
      [],
    );
    // 13 s for the change, 13 s to arm it, 7 s to see that it is armed, 120 s until it comes.
    expect(detail['boundMs']).toBe(13_000 + 13_000 + 7_000 + 120_000);
    expect(detail['hold']).toEqual({
      by: 'timer',
      seconds: 120,
      text: 'a timer restores n1 after 120 s',
      writesChange: true,
      arm: [written('scontrol arm')],
      keep: [written('scontrol keep')],
      restore: [written('scontrol restore')],
      restored: { text: 'restored', reads, deadlineMs: 9_000 },
    });
  });
});

describe('the records of what came of it', () => {
  const plan = preparedPlan();
  const target = preparedTarget();
  const head = { run: 'run-1', action: 'fake.resume', target: 'n1' };

  it('of a held change name the phase, and what was sent where something was', () => {
    const of = { run: 'run-1', plan };
    expect(holdEntry(of, target, 'armed')).toEqual({
      kind: 'hold',
      ...head,
      detail: { phase: 'armed', subject: node('n1') },
    });
    expect(holdEntry(of, target, 'kept', { text: 'kept' }, sent)).toEqual({
      kind: 'hold',
      ...head,
      detail: { phase: 'kept', subject: node('n1'), text: 'kept', sent: 'uncertain', steps: [] },
    });
  });

  it('say what was sent, that it changed something, how long it was looked at, what it undoes', () => {
    expect(resultEntry('run-1', plan, target, 'refused', { text: 'not touched' })).toEqual({
      kind: 'result',
      ...head,
      outcome: 'refused',
      detail: { subject: node('n1'), text: 'not touched' },
    });
    const unchanged = resultEntry('run-1', plan, target, 'unknown', { text: 't', tookMs: 0 }, sent);
    expect(unchanged.detail).toEqual({
      subject: node('n1'),
      text: 't',
      sent: 'uncertain',
      steps: [],
      verifiedAfterMs: 0,
    });
    const undoing = preparedPlan({ undoes: 'run-0' });
    const changed = resultEntry('run-1', undoing, target, 'done', { text: 't' }, { ...sent, changed: true });
    expect(changed.detail).toMatchObject({ changed: true, undoes: 'run-0' });
  });

  it('of a refusal names the guard, and of what was left out each target with its reason', () => {
    expect(
      refusedEntry(
        { action: 'fake.resume', target: 'n1' },
        { guard: '4 ownership', reason: 'bob drained it' },
        { pid: 7 },
      ),
    ).toEqual({
      kind: 'refused',
      action: 'fake.resume',
      target: 'n1',
      outcome: 'refused',
      detail: { guard: '4 ownership', text: 'bob drained it', pid: 7 },
    });
    const leftOut = [
      { subject: node('n2'), reason: 'is up' },
      { subject: node('n3'), reason: 'is gone' },
    ];
    expect(leftOutEntry(preparedPlan({ leftOut }), 'run-1')).toEqual({
      kind: 'refused',
      run: 'run-1',
      action: 'fake.resume',
      target: 'n[2-3]',
      outcome: 'refused',
      detail: { guard: 'left out', text: 'n2: is up; n3: is gone', leftOut },
    });
  });

  it('of what was left out name 500 characters of targets at most: the reasons name them all', () => {
    const leftOut = Array.from({ length: 100 }, (_, at) => ({
      subject: node(`n${at * 7}-${'x'.repeat(at)}`),
      reason: 'r',
    }));
    const entry = leftOutEntry(preparedPlan({ leftOut }), 'run-1');
    expect(entry.target).toMatch(/^n0-,n7-x,.{491}<\+\d+ more>$/);
    expect(String(entry.detail['text']).split('; ')).toHaveLength(100);
  });
});
