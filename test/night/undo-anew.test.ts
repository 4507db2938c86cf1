import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { actionSets } from '../../src/actions.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Subject } from '../../src/model/subject.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { forge } from '../remedy/forge.ts';
import { carryOut, consolesOn, waitFor } from './acting.ts';
import { askWith, demoSite } from './whole-site.ts';

interface Case {
  action: string;
  incidents: readonly string[];
  subject: Subject;
  set?: Record<string, string>;
  /** Done before, so that there is something to do. */
  first?: string;
  /** Without its values it is not made: what it was before stands nowhere else. */
  byHand?: true;
}

const node = (id: string): Subject => ({ kind: 'node', id });
const ost = (id: string): Subject => ({ kind: 'ost', id });
const host = (id: string): Subject => ({ kind: 'host', id });
const port = (id: string): Subject => ({ kind: 'port', id });

const cases: readonly Case[] = [
  { action: 'slurm.resume', incidents: ['hdfs-lost'], subject: node('node12') },
  { action: 'slurm.drain', incidents: [], subject: node('node20'), set: { reason: 'bad DIMM' } },
  { action: 'slurm.undrain', incidents: ['hdfs-lost'], subject: node('node12') },
  { action: 'slurm.reboot', incidents: [], subject: node('node20'), set: { reason: 'new kernel' } },
  { action: 'lustre.stop-creates', incidents: [], subject: ost('scratch-OST0003') },
  {
    action: 'lustre.resume-creates',
    incidents: [],
    subject: ost('scratch-OST0003'),
    first: 'lustre.stop-creates',
  },
  { action: 'lustre.degrade', incidents: [], subject: ost('scratch-OST0003') },
  { action: 'lustre.undegrade', incidents: [], subject: ost('scratch-OST0003'), first: 'lustre.degrade' },
  { action: 'lustre.deactivate', incidents: [], subject: ost('scratch-OST0003') },
  { action: 'lustre.activate', incidents: [], subject: ost('scratch-OST0003'), first: 'lustre.deactivate' },
  { action: 'lustre.drain', incidents: [], subject: ost('scratch-OST0003'), first: 'lustre.stop-creates' },
  { action: 'lustre.files-on-ost', incidents: [], subject: ost('scratch-OST0003') },
  {
    action: 'lustre.qos',
    incidents: [],
    subject: { kind: 'volume', id: 'scratch' },
    set: { threshold: '30' },
  },
  { action: 'host.irq-affinity', incidents: ['bimodal'], subject: host('wn-d-04') },
  { action: 'host.coalescing', incidents: ['bimodal'], subject: host('wn-d-04'), byHand: true },
  { action: 'switch.shut', incidents: ['sfp'], subject: port('core3:te3/46') },
];

describe('the undo of a run, made anew by a later console', () => {
  let site: SiteView;
  beforeAll(async () => {
    site = await demoSite();
  });

  it('has a case here for every action that has one', () => {
    const known = new Set(cases.map(({ action }) => action));
    const undoable = actionSets.flatMap(({ actions }) => actions).filter(({ undoOf }) => undoOf);
    expect(undoable.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(cases)('$action: the very bytes that were logged, and it puts back what was', async (one) => {
    const clock = createFakeClock();
    const collector = await askWith(site, one.incidents, clock);
    const { audit, next } = consolesOn(collector);
    const engine = next();
    if (one.first !== undefined)
      expect((await carryOut(engine, clock, { action: one.first, subject: one.subject })).state).toBe('done');
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
        refused: { reason: expect.stringContaining('by hand, as it was logged: ') },
      });
    else
      expect(older).toMatchObject({
        card: { commands: planned.card.commands.map(({ host }) => ({ host })) },
      });
    writeFileSync(audit.file, whole);
    writeFileSync(`${audit.file}.head`, head);
    const undone = await carryOut(next(), clock, { action: `undo:${view.id}`, subject: one.subject });
    expect(undone.state, undone.result).toBe('done');
  });

  it.each([
    ['slurm.drain', 'reason', 'another reason'],
    ['lustre.qos', 'threshold', 31],
  ])(
    '%s with a forged %s, which its schema takes: nothing of the site is as that run would have left it',
    async (action, name, value) => {
      const one = cases.find((known) => known.action === action);
      if (!one) throw new Error(action);
      const clock = createFakeClock();
      const { audit, next } = consolesOn(await askWith(site, one.incidents, clock));
      const { id } = await carryOut(next(), clock, one);
      forge(audit.file, (detail) => void (detail['parameters'] = { ...one.set, [name]: value, hours: 24 }));
      expect(await waitFor(clock, next().plan(`undo:${id}`, [], {}))).toMatchObject({
        refused: { reason: expect.stringMatching(/no longer as the run left it|can't be made/) },
      });
    },
  );
});
