import { beforeEach, describe, expect, it } from 'vitest';
import type { Guard, GuardResult } from '../../src/model/action.ts';
import { checkTarget, readsBefore } from '../../src/remedy/check-target.ts';
import type { Live } from '../../src/remedy/live.ts';
import type { PreparedTarget } from '../../src/remedy/prepared.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';
import { madeTarget } from './made.ts';

const READS = [{ probe: 'a', host: 'h1' }];
let readings: Sources;
beforeEach(() => {
  readings = new Sources();
  readings.good('a', 'h1', 1, start + 1_000, 0);
});

const live = (): Live => ({ ok: true, judgement: judgementOf({ readings, site: siteOf([]), mono: 1_000 }) });
const guardOf = (id: string, said: GuardResult, over: Partial<Guard> = {}): Guard => ({
  id,
  text: '',
  reads: READS,
  absolute: false,
  check: () => said,
  ...over,
});
const fine = guardOf('4 ownership', { ok: true, text: 'ours' });
const limit = guardOf('6 limit', { ok: false, text: 'too many' });
const check = (over: Partial<PreparedTarget>, exceeded: string[] = [], read = live(), since = 500) =>
  checkTarget(
    { exceeded: exceeded.map((guard) => ({ guard, reason: 'why' })) },
    { ...madeTarget(), ...over },
    read,
    since,
  );

describe('what is read before a target is touched', () => {
  const verify = { ...madeTarget().verify, reads: [{ probe: 'v', host: 'h2' }] };

  it('is what its guards look at, each once; without any, what will verify it', () => {
    expect(readsBefore({ guards: [fine, limit], verify })).toEqual(READS);
    expect(readsBefore({ guards: [], verify })).toEqual(verify.reads);
    expect(readsBefore({ guards: [{ ...fine, reads: [] }], verify })).toEqual(verify.reads);
  });
});

describe('the last look before a byte is sent', () => {
  it('goes, with what each guard said', () => {
    expect(check({ guards: [fine] })).toEqual({ state: 'go', notes: [{ id: '4 ownership', text: 'ours' }] });
  });

  it('is refused by the first guard that fails, unless just that one is exceeded and may be', () => {
    const refused = { state: 'refused', guard: '6 limit', text: 'too many' };
    expect(check({ guards: [fine, limit] })).toEqual(refused);
    expect(check({ guards: [limit] }, ['4 ownership', '13 cool-down'])).toEqual(refused);
    expect(check({ guards: [limit, fine] }, ['13 cool-down', '6 blast radius'])).toEqual({
      state: 'go',
      notes: [
        { id: '6 limit', text: 'too many', exceeded: true },
        { id: '4 ownership', text: 'ours' },
      ],
    });
    expect(check({ guards: [{ ...limit, absolute: true }] }, ['6 limit'])).toEqual(refused);
  });

  it('has nothing to do where it is so already, whatever the guards say', () => {
    expect(check({ guards: [limit], whyAlreadyDone: () => 'n1 is so' })).toEqual({
      state: 'nothing',
      text: 'n1 is so',
    });
  });

  it('is stale where it was not read since, with the reason why nothing was asked before that of its age', () => {
    const stale = (text: unknown) => ({ state: 'refused', guard: '3 plan is stale', text });
    expect(check({ guards: [fine] }, [], live(), 2_000)).toEqual(
      stale(expect.stringMatching(/^the plan could not be checked again: h1 gave no fresh answer to a/)),
    );
    const late: Live = { ok: false, judgement: live().judgement, missing: 'late' };
    expect(check({ guards: [fine] }, [], { ...late, notAsked: 'a is not asked on h1' }, 2_000)).toEqual(
      stale('the plan could not be checked again: a is not asked on h1'),
    );
    expect(check({ guards: [fine] }, [], late, 2_000)).toEqual(
      stale(expect.stringMatching(/^the plan could not be checked again: h1 gave no fresh answer/)),
    );
    // What this target does not look at is no reason against it.
    expect(check({ guards: [fine] }, [], late)).toMatchObject({ state: 'go' });
  });

  it('is stale where the plan would be another one, or could not be checked', () => {
    expect(check({ whyStale: () => 'other commands' })).toEqual({
      state: 'refused',
      guard: '3 plan is stale',
      text: 'other commands',
    });
    const already = (): never => {
      throw new Error('a defect');
    };
    expect(check({ whyAlreadyDone: already })).toMatchObject({
      guard: '3 plan is stale',
      text: 'the plan could not be checked: a defect',
    });
  });
});
