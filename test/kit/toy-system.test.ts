import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it, vi } from 'vitest';
import type { Collector } from '../../src/collect/collector.ts';
import { readDetail } from '../../src/collect/night-requests.ts';
import { paneOf } from '../../src/collect/pane-head.ts';
import { needsOf } from '../../src/commands/doctor/needs.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { reportOf } from '../../src/commands/status/report.ts';
import { incidents } from '../../src/demo/start.ts';
import type { SiteView } from '../../src/model/site.ts';
import { systems } from '../../src/registries/systems.ts';
import { createFakeClock, type FakeClock } from '../collect/helpers/fake-clock.ts';
import { carryOut, consolesOn } from '../night/acting.ts';
import { askWith, demoSite } from '../night/whole-site.ts';
import { ups } from './toy-system/index.ts';

// One line in each registry; nothing else knows of it.
vi.mock('../../src/registries/systems.ts', async (original) => {
  const known = await original<{ systems: readonly object[] }>();
  return { ...known, systems: [...known.systems, (await import('./toy-system/index.ts')).ups] };
});
vi.mock('../../src/registries/actions.ts', async (original) => {
  const known = await original<{ actionSets: readonly object[] }>();
  return { ...known, actionSets: [...known.actionSets, (await import('./toy-system/act.ts')).upsActions] };
});
vi.mock('../../src/registries/simulators.ts', async (original) => {
  const known = await original<{ createSimulators(given?: object): object[] }>();
  const { createUpsSimulator } = await import('./toy-system/simulate.ts');
  return { createSimulators: (given?: object) => [...known.createSimulators(given), createUpsSimulator()] };
});

let site: SiteView;
let collector: Collector;
let clock: FakeClock;
beforeAll(async () => {
  site = await demoSite();
  clock = createFakeClock();
  collector = await askWith(site, ['power-cut'], { clock });
});

const subject = { kind: 'host', id: 'ups1' } as const;

it('a system is one folder of at most 150 lines', () => {
  const files = globSync('test/kit/toy-system/*.ts').map((path) => readFileSync(path, 'utf8'));
  expect(files.join('').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('has a pane, findings in status, and a cause that folds one under the other', () => {
  const { head, tables } = paneOf(collector, ups);
  expect(head).toMatchObject({ title: 'UPS', summary: '1 UPS', sign: 'critical' });
  expect(tables[0]?.rows.map(({ key }) => key)).toEqual(['ups1']);
  const { document, exitCode } = reportOf(collector, new Set(), 1000);
  expect(document.findings.map(({ id, explainedBy }) => [id, explainedBy])).toEqual([
    ['ups:on-battery:ups1', undefined],
    ['ups:low:ups1', 'ups:on-battery:ups1'],
  ]);
  expect(document.readings.filter(({ system }) => system === 'ups')).toMatchObject([{ state: 'fresh' }]);
  expect(exitCode).toBe(2);
});

it('has a detail, and what can be done stands in the menu', async () => {
  const engine = consolesOn(collector).next();
  const known = {
    audit: async () => [],
    menu: async () => engine.menu([subject], 'ups'),
  };
  const blocks = await readDetail(collector, { system: 'ups', subject }, known);
  expect(JSON.stringify(blocks)).toContain('ups1');
  expect(await engine.menu([subject], 'ups')).toEqual(
    expect.arrayContaining([expect.objectContaining({ action: 'ups.mute', available: true })]),
  );
});

it('is acted on, and what was done is verified', async () => {
  const engine = consolesOn(collector).next();
  expect(await carryOut(engine, clock, { action: 'ups.mute', subject })).toMatchObject({ state: 'done' });
  expect((await carryOut(engine, clock, { action: 'ups.mute', subject })).state).toBe('nothing');
});

it('is known to doctor, the demo and the site file', () => {
  const host = site.host('ups1');
  if (!host) throw new Error('the demo has no ups1');
  expect(needsOf(host, systems, site).commands).toEqual(expect.arrayContaining(['upsc', 'upscmd']));
  expect(incidents().map(({ name }) => name)).toContain('power-cut');
  expect(knowledge.rules).toContain('battery-drains');
  expect(site.settings).toHaveProperty('ups');
});
