import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { actionSets } from '../../src/registries/actions.ts';
import type { SiteView } from '../../src/model/site.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { cases } from './all-actions.ts';
import { forge } from '../remedy/forge.ts';
import { carryOut, consolesOn, waitFor } from './acting.ts';
import { askWith, demoSite } from './whole-site.ts';

const undoable = new Set(
  actionSets.flatMap(({ actions }) => actions.flatMap(({ id, undoOf }) => (undoOf ? [id] : []))),
);

describe('the undo of a run, made anew by a later console', () => {
  let site: SiteView;
  beforeAll(async () => {
    site = await demoSite();
  });

  it('has a case for every action that has one', () => {
    const known = new Set(cases.map(({ action }) => action));
    expect([...undoable].filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(cases.filter(({ action }) => undoable.has(action)))(
    '$action: the very bytes that were logged, and it puts back what was',
    async (one) => {
      const clock = createFakeClock();
      const collector = await askWith(site, one.incidents, { clock });
      const { audit, next } = consolesOn(collector);
      const engine = next();
      if (one.first)
        expect((await carryOut(engine, clock, { subject: one.subject, ...one.first })).state).toBe('done');
      const view = await carryOut(engine, clock, one);
      expect(view.state, view.result).toBe('done');
      const { records } = await audit.read();
      const undo = records.findLast(({ kind }) => kind === 'intent')?.detail['undo'];
      const planned = await waitFor(clock, next().plan(`undo:${view.id}`, [], {}));
      if ('refused' in planned) throw new Error(planned.refused.reason);
      expect(planned.card.because.slice(1)).toEqual([]);
      expect(undo).toBeInstanceOf(Array);
      const whole = readFileSync(audit.file, 'utf8');
      const head = readFileSync(`${audit.file}.head`, 'utf8');
      forge(audit.file, (detail, record) => {
        delete detail['was'];
        record.console = { ...record.console, version: '0.0.9' };
      });
      const older = await waitFor(clock, next().plan(`undo:${view.id}`, [], {}));
      if (one.byHand)
        expect(older).toMatchObject({
          refused: { reason: expect.stringContaining('by hand if you want it, as it was logged: ') },
        });
      else
        expect(older).toMatchObject({
          card: { commands: planned.card.commands.map(({ host }) => ({ host })) },
        });
      writeFileSync(audit.file, whole);
      writeFileSync(`${audit.file}.head`, head);
      const undone = await carryOut(next(), clock, { action: `undo:${view.id}`, subject: one.subject });
      expect(undone.state, undone.result).toBe('done');
    },
  );

  it.each([
    ['slurm.drain', 'reason', 'another reason'],
    ['lustre.qos', 'threshold', 31],
  ])(
    '%s with a forged %s, which its schema takes: nothing of the site is as that run would have left it',
    async (action, name, value) => {
      const one = cases.find((known) => known.action === action);
      if (!one) throw new Error(action);
      const clock = createFakeClock();
      const { audit, next } = consolesOn(await askWith(site, one.incidents, { clock }));
      const { id } = await carryOut(next(), clock, one);
      forge(audit.file, (detail) => void (detail['parameters'] = { ...one.set, [name]: value, hours: 24 }));
      expect(await waitFor(clock, next().plan(`undo:${id}`, [], {}))).toMatchObject({
        refused: { reason: expect.stringMatching(/no longer as the run left it|can't be made/) },
      });
    },
  );
});
