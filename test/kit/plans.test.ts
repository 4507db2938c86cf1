import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { evidenceFrom, findingsOf } from '../../src/kit/findings.ts';
import {
  failGuard,
  refuseEmpty,
  passGuard,
  passUnless,
  refusal,
  waitUnless,
  beyondLimitPrompt,
  exceededGuard,
} from '../../src/kit/guards.ts';
import { planOf, noParameters, plainText } from '../../src/kit/offers.ts';
import { blank, figure, ageCell, worstSign } from '../../src/kit/rows.ts';
import { fraction, settingsReader, share } from '../../src/kit/settings.ts';
import { siteOf } from '../helpers/judging.ts';
import { context, guardOf, planFor, readings, subject, targetOf } from '../helpers/plans.ts';

describe('a plan', () => {
  it('has what most plans have nothing of', () => {
    expect(planFor()).toMatchObject({ action: 'x.do', parameters: {}, leftOut: [], exceeded: [] });
    const left = { subject, guard: '5 targets', reason: 'gone' };
    expect(
      planOf(
        { id: 'x.do', verb: 'do', danger: 'service', users: 'nothing' },
        {
          title: '',
          targets: [],
          because: [],
          afterwards: '',
          undoText: '',
          leftOut: [left],
          danger: 'access',
        },
      ),
    ).toMatchObject({ leftOut: [{ subject, reason: 'gone' }], danger: 'access' });
    expect(refuseEmpty([left, left])).toEqual(refusal('5 targets', 'h1: gone (and 1 more left out)'));
    expect(refuseEmpty([]).guard).toBe('5 targets');
  });

  it('exceeds a guard only with a reason, and only one that stands against it', () => {
    const tight = [targetOf({ guards: [guardOf({ absolute: false })] })];
    expect(exceededGuard('6', tight, 'must be', context)).toEqual([{ guard: '6 room', reason: 'must be' }]);
    expect(exceededGuard('6', tight, undefined, { ...context, exceed: { 6: 'so' } })).toHaveLength(1);
    expect(exceededGuard('6', tight, undefined, context)).toEqual([]);
    expect(exceededGuard('4', tight, 'must be', context)).toEqual([]);
    expect(exceededGuard('6', [targetOf()], 'must be', context)).toEqual([]);
    expect(beyondLimitPrompt('the limit').label).toBe('beyond the limit: why');
  });

  it('asks for nothing, or for plain text', () => {
    expect(noParameters.safeParse({ x: 1 }).success).toBe(false);
    expect(plainText.safeParse('`reboot`').success).toBe(false);
    expect(passUnless('bad', 'fine')).toEqual(failGuard('bad'));
    expect(passUnless(undefined, 'fine')).toEqual(passGuard('fine'));
    expect(waitUnless(false, 'not yet')).toEqual({ state: 'wait', text: 'not yet' });
  });
});

it('settings are read once, with the shares as numbers', () => {
  const schema = z.strictObject({ limit: share('20%') });
  const settingsOf = settingsReader('x', schema, ({ limit }) => ({ limit: fraction(limit) }));
  const site = siteOf([], { settings: { x: { limit: '7.5 %' } } });
  expect(settingsOf(site)).toEqual({ limit: 0.075 });
  expect(settingsOf(site)).toBe(settingsOf(site));
  expect(settingsOf(siteOf([]))).toEqual({ limit: 0.2 });
  expect(() => settingsOf(siteOf([], { settings: { x: { limit: '200%' } } }))).toThrow(/like 20%/);
});

it('findings carry their system, fit in a line and rest on readings', () => {
  const make = findingsOf('x');
  const evidence = [evidenceFrom(readings.source('a', 'h1'), 'seen')];
  expect(
    make({
      key: 'h1',
      kind: 'bad',
      severity: 'warning',
      subject,
      summary: 'y'.repeat(200),
      evidence,
      since: undefined,
    }),
  ).toEqual({
    id: 'x:bad:h1',
    system: 'x',
    kind: 'bad',
    severity: 'warning',
    subject,
    summary: `${'y'.repeat(99)}…`,
    evidence: [{ text: 'seen', probe: 'a', host: 'h1', at: readings.source('a', 'h1')?.good?.at }],
    hurt: {},
    remedies: [],
  });
  expect(evidenceFrom(undefined, 'said')).toEqual({ text: 'said' });
});

it('cells are sorted by what they stand for', () => {
  expect([figure(3), figure(0.5, '50 %')]).toEqual([
    { text: '3', sort: 3 },
    { text: '50 %', sort: 0.5 },
  ]);
  expect([ageCell(undefined), ageCell(7)]).toEqual([blank, { text: '', age: 7, sort: 7 }]);
  expect([worstSign([]), worstSign([undefined, 'notice', 'unknown'])]).toEqual(['fine', 'unknown']);
});
