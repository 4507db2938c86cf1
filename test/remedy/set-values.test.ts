import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parametersProblem, parseParameters } from '../../src/remedy/parameters.ts';
import { findExceeded, isOfLocks, splitReserved } from '../../src/remedy/reserved.ts';
import { exitCodeOf, resultText } from '../../src/remedy/result-text.ts';
import type { TargetEnd } from '../../src/remedy/run-context.ts';
import { isNothing, outputOf, sendSteps, nothingSent } from '../../src/remedy/send-steps.ts';
import { answer, fakeAction, lostAnswer, transportsOf } from './world.ts';

describe('what is wrong with --set', () => {
  const action = fakeAction({
    parameters: z.object({ reason: z.string().min(3, 'is too short'), count: z.string() }) as never,
  });
  const wrong = (set: Record<string, string>) => parametersProblem(action, set);

  it.each([
    [{ reason: 'mount lost', count: '2' }, undefined],
    [{ reason: 'mount lost', count: '2', exceed6: 'agreed with facilities' }, undefined],
    [{ reason: 'mount lost' }, 'fake.resume: parameter count: is needed'],
    [{ reason: 'x', count: '2' }, 'fake.resume: parameter reason: is too short'],
    [{ reson: 'mount lost' }, 'fake.resume has no parameter reson; is reason meant?'],
    [{ zzzzzz: 'x' }, 'fake.resume has no parameter zzzzzz; it has reason, count'],
    [{ exceed6: 'no' }, 'exceed6 needs a reason of 3 to 200 plain characters'],
  ])('%j', (set, said) => {
    expect(wrong(set)).toBe(said);
  });

  it('shows of a long name no more than 40 characters', () => {
    const said = wrong({ ['z'.repeat(41)]: 'x' });
    expect(said).toContain('z'.repeat(39));
    expect(said).not.toContain('z'.repeat(41));
  });

  it('is nothing where all is well, and names what is nested by its whole path', () => {
    const nested = fakeAction({
      prompts: [{ name: 'list', label: '', required: true }],
      parameters: z
        .unknown()
        .superRefine((_, on) => on.addIssue({ code: 'custom', path: ['list', 'first'] })) as never,
    });
    expect(parametersProblem(nested, { list: 'x' })).toBe('fake.resume: parameter list.first: is needed');
    expect(parseParameters(action, { reason: 'mount lost', count: '2' })).toEqual({
      ok: true,
      value: { reason: 'mount lost', count: '2' },
    });
  });

  it('of an action without parameters is every one', () => {
    const bare = fakeAction({ prompts: [], parameters: z.object({}) as never });
    expect(parametersProblem(bare, { zzz: 'x' })).toBe('fake.resume has no parameter zzz; it has none');
  });
});

describe('typed reasons', () => {
  it('have 3 to 200 plain characters, blanks around them left out', () => {
    const said = (text: string) => splitReserved({ breakLock: text });
    expect(said('  off  ')).toEqual({ exceed: {}, own: {}, breakLock: 'off' });
    expect(said('x'.repeat(200))).toMatchObject({ breakLock: 'x'.repeat(200) });
    for (const text of ['no', ' no ', 'x'.repeat(201), 'a\u200bbc'])
      expect(said(text)).toMatchObject({ refused: true, guard: 'parameters' });
  });

  it('about locks are those of two names', () => {
    expect(isOfLocks({ breakLock: 'x', exceed12: 'x' })).toBe(true);
    expect(isOfLocks({ breakLock: 'x' })).toBe(true);
    expect(isOfLocks({ exceed12: 'x', exceed6: 'x' })).toBe(false);
  });

  it('an action exceeds no absolute guard by itself, and none is exceeded twice', () => {
    const used = { guard: '6 members', reason: 'by the action' };
    const plan = (absolute: boolean) => ({
      exceeded: [used],
      targets: [
        {
          guards: [
            { id: '4 ownership', absolute: true },
            { id: '6 members', absolute },
          ],
        },
      ],
    });
    const why = { own: {}, exceed: { '6': 'agreed with facilities' } };
    expect(findExceeded(plan(true), { own: {}, exceed: {} })).toMatchObject({
      refused: true,
      guard: '6 members',
    });
    expect(findExceeded(plan(false), why)).toEqual([used]);
    expect(
      findExceeded({ exceeded: [used], targets: [] }, { own: {}, exceed: { '4': 'why' } }),
    ).toMatchObject({
      refused: true,
    });
  });
});

describe('the sentence at the end of a run', () => {
  const ended = (outcome: TargetEnd['outcome'], text: string = outcome): TargetEnd => ({
    outcome,
    text,
  });
  const plan = (count: number, leftOut = 0) =>
    ({
      title: 'Drain',
      targets: Array.from({ length: count }, (_, at) => ({ subject: { kind: 'node', id: `n${at + 1}` } })),
      leftOut: Array.from({ length: leftOut }, () => ({})),
    }) as never;

  it.each([
    [[ended('done', 'drained')], false, 0, 'Drain: done and verified: drained'],
    [[ended('done'), ended('done')], false, 0, 'Drain: 2 of 2 done and verified'],
    [
      [ended('nothing'), ended('done')],
      false,
      1,
      'Drain: 1 of 2 done and verified; 1 of 2 already in that state; 1 left out',
    ],
    [[ended('nothing'), ended('nothing')], false, 0, 'Drain: 2 of 2 already in that state'],
    [[ended('failed', 'no'), undefined], false, 0, 'Drain: n1 failed: no; 1 not reached'],
    [
      [ended('done'), undefined],
      true,
      0,
      'Drain: 1 of 2 done and verified; 1 not reached, stopped by the operator',
    ],
    [
      [ended('done'), ended('unknown', 'silent')],
      false,
      0,
      'Drain: 1 of 2 done and verified; n2 outcome unknown: silent; unknown outcomes are read again, by an open console or the next act, until they are known',
    ],
  ] as const)('%#', (ends, stopped, leftOut, text) => {
    expect(resultText(plan(ends.length, leftOut), ends, stopped)).toBe(text);
  });

  it('what is begun and not over is not called done', () => {
    const begun = (left: string): TargetEnd => ({
      ...ended('done', `reads draining, ${left}`),
      goesOn: left,
    });
    expect(resultText(plan(1), [begun('2 jobs still run')], false)).toBe(
      'Drain: begun, not finished: reads draining, 2 jobs still run',
    );
    expect(resultText(plan(2), [ended('done'), begun('1 job still runs')], false)).toBe(
      'Drain: 1 of 2 done and verified; 1 of 2 begun, not finished (n2: 1 job still runs)',
    );
    const many = Array.from({ length: 5 }, () => begun('1 job still runs'));
    expect(resultText(plan(5), many, false)).toBe(
      'Drain: 5 of 5 begun, not finished (n1: 1 job still runs, n2: 1 job still runs, n3: 1 job still runs and 2 more)',
    );
  });

  it('says each remark once; the program ends with the code of its outcome', () => {
    expect(resultText(plan(1), [ended('done')], false, ['look', 'look'])).toBe(
      'Drain: done and verified: done; look',
    );
    expect((['done', 'nothing', 'refused', 'failed', 'undone', 'unknown'] as const).map(exitCodeOf)).toEqual([
      0, 0, 4, 5, 5, 6,
    ]);
  });
});

describe('commands on their way', () => {
  const command = (script: string) => ({ host: 'ctl1', script, deadlineMs: 5_000 });
  const sendAll = (...answers: (ReturnType<typeof answer> | Error)[]) =>
    sendSteps(
      answers.map((_, at) => command(`c${at}`)),
      transportsOf(async () => {
        const next = answers.shift();
        if (next === undefined || next instanceof Error) throw next ?? new Error('none is left');
        return next;
      }),
    );
  const unended = { ...lostAnswer(), lost: false };
  const away = {
    ...unended,
    notConnected: { kind: 'unreachable' as const, message: 'no route to ctl1' },
  };

  it.each([
    ['exit 0', [answer()], 'accepted', true, 'accepted'],
    ['no connection', [away], 'notSent', false, 'no route to ctl1'],
    ['no connection for the second', [answer(), away], 'rejected', true, 'no route to ctl1'],
    ['a key is awaited', [{ ...unended, stoppedAt: 'Sure?' }], 'uncertain', false, 'it stopped at "Sure?"'],
    ['no end', [answer({ timedOut: true, exitCode: 124 })], 'uncertain', false, 'no end within 5 s'],
    ['lost', [lostAnswer()], 'uncertain', false, 'the connection to ctl1 was lost'],
    [
      'cut with an exit code',
      [answer({ cancelled: true, exitCode: 1 })],
      'uncertain',
      false,
      'was lost after',
    ],
    [
      'words',
      [answer({ exitCode: 2, stderr: ' \n  no such node \n' })],
      'uncertain',
      false,
      'exit 2: no such node',
    ],
    ['none', [answer({ exitCode: 2 })], 'uncertain', false, 'exit 2'],
    ['a fault of the transport', [new Error('broken pipe')], 'uncertain', false, 'broken pipe'],
  ] as const)('%s', async (_, answers, state, changed, text) => {
    const sent = await sendAll(...answers);
    expect(sent).toMatchObject({ state, changed, text: expect.stringContaining(text) });
    expect(sent.results).toHaveLength(answers.length);
    expect(sent.results.at(-1)?.error).toBe(answers.at(-1) instanceof Error ? text : undefined);
  });

  it('one that only writes down goes last, and not at all where nothing was done', async () => {
    const note = { ...command('logger x'), note: true as const };
    const go = (...answers: ReturnType<typeof answer>[]) => {
      const scripts: string[] = [];
      const transports = transportsOf(async ({ script }) => {
        scripts.push(script);
        return answers.shift() ?? answer();
      });
      return sendSteps([note, command('do')], transports).then((sent) => ({ ...sent, scripts }));
    };
    const both = await go();
    expect(both).toMatchObject({ state: 'accepted', changed: true, scripts: ['do', 'logger x'] });
    expect([both.results.length, 'unwritten' in both]).toEqual([2, false]);
    expect(await go(answer(), answer({ exitCode: 1, stderr: 'no logger' }))).toMatchObject({
      state: 'accepted',
      unwritten: 'exit 1: no logger',
    });
    expect(await go(lostAnswer())).toMatchObject({ state: 'uncertain', scripts: ['do', 'logger x'] });
    expect(await go(away)).toMatchObject({ state: 'notSent', scripts: ['do'] });
    const missing = answer({ exitCode: 127, stderr: 'sh: do: not found' });
    const refusals = [{ tool: 'sh', lines: [{ text: 'sh: do: not found', source: 'a test' }] }];
    const refused = await sendSteps(
      [note, { ...command('do'), refusals }],
      transportsOf(async () => missing),
    );
    expect(refused).toMatchObject({ state: 'rejected', changed: false });
    expect(refused.results).toHaveLength(1);
    expect(isNothing(refused)).toBe(true);
    expect(nothingSent('no log')).toEqual({ state: 'notSent', changed: false, text: 'no log', results: [] });
    expect(isNothing({ state: 'rejected', changed: true })).toBe(false);
    expect(isNothing({ state: 'uncertain', changed: false })).toBe(false);
  });

  it('what they said is kept, at most 4 KiB of each stream; the screen gets lines that say something', async () => {
    const { results } = await sendAll(
      answer({ stdout: 'one\n \ntwo\n', stderr: 'warning' }),
      answer({ exitCode: 1, signal: 'KILL', stdout: 'x'.repeat(5000) }),
    );
    expect(results[0]).toMatchObject({ exitCode: 0, stdout: { bytes: 10, text: 'one\n \ntwo\n' } });
    expect(Object.keys(results[0] ?? {})).not.toEqual(expect.arrayContaining(['signal']));
    expect(results[1]).toMatchObject({ signal: 'KILL', stdout: { bytes: 5000, text: 'x'.repeat(4096) } });
    expect(outputOf(results.slice(0, 1))).toBe('one\ntwo\nwarning');
    expect(outputOf([{ host: 'ctl1', sha256: '', error: 'broken pipe' }])).toBe('');
    expect((await sendAll(lostAnswer())).results[0]).toMatchObject({ lost: true });
    expect((await sendAll(answer({ timedOut: true }))).results[0]).toMatchObject({ timedOut: true });
  });
});
