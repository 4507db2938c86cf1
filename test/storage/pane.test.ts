import { describe, expect, it } from 'vitest';
import type { ArraysReading, ControllersReading, ReadArray, UpsUnit } from '../../probes/storage/readings.ts';
import { view } from '../../probes/storage/view/pane.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Block, TableBlock } from '../../src/model/view.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const array = (at: number, state: 'good' | 'missing' = 'good'): ReadArray => ({
  id: `md${at}`,
  level: 'raid6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [{ disk: `sd${'abcdefgh'[at]}`, state }, { state: 'good' }, { state: 'good' }, { state: 'good' }],
  usable: true,
});

interface Given {
  arrays?: readonly ReadArray[];
  tools?: ControllersReading['tools'];
  unit?: UpsUnit;
}

const judge = ({ arrays = [], tools, unit }: Given): Judgement => {
  const sources = new Sources();
  const reading: ArraysReading = { arrays: [...arrays], disks: [], unread: {} };
  sources.good('storage.arrays', 'a1', reading, start);
  if (tools) sources.good('storage.controllers', 'a1', { tools }, start);
  if (unit) sources.good('storage.ups', 'a1', { units: [unit] }, start);
  const ups = [{ host: 'a1', name: 'rack3', lifeYears: 3 }];
  const site = siteOf([{ name: 'a1', roles: ['storage', 'ups'] }], { settings: { storage: { ups } } });
  return judgementOf({ readings: sources, site });
};

const tableOf = (live: Judgement, id: string): TableBlock => {
  const found = view(live).blocks.find((block: Block) => block.id === id);
  if (found?.type !== 'table') throw new Error(`no table ${id}`);
  return found;
};
const texts = ({ rows }: TableBlock, column: string): (string | undefined)[] =>
  rows.map(({ cells }) => cells[column]?.text);

type Tool = ControllersReading['tools'][number];

const tool = (caches: Tool['caches'], batteries: Tool['batteries'] = []): ControllersReading['tools'] => [
  { tool: 'megacli', arrays: [], caches, batteries, suspects: [] },
];
const unit: UpsUnit = { name: 'rack3', status: ['OL'], onBattery: false, batteryDate: '2026/01/01' };

describe('the pane of storage', () => {
  it('folds whole arrays of a host below one row, behind what is not whole', () => {
    const many = [0, 1, 2, 3, 4].map((at) => array(at));
    const table = tableOf(judge({ arrays: [...many, array(5, 'missing')] }), 'arrays');
    expect(texts(table, 'array')).toEqual(['md5', '5 arrays', 'md0', 'md1', 'md2', 'md3', 'md4']);
    expect(table.rows.map(({ under }) => under)).toEqual([
      undefined,
      undefined,
      ...many.map(() => 'a1:whole'),
    ]);
    const few = tableOf(judge({ arrays: many.slice(1) }), 'arrays');
    expect(few.rows.every(({ under }) => under === undefined)).toBe(true);
  });

  it('counts the whole ones without the row that stands for them', () => {
    const { wall, sign } = view(judge({ arrays: [0, 1, 2, 3, 4].map((at) => array(at)) }));
    expect([wall, sign]).toEqual(['5/5 arrays whole', 'fine']);
  });

  it('shows what each write cache does, and is itself as bad as the worst of them', () => {
    const off = judge({
      tools: tool([{ controller: '0', array: 'c0/0', said: 'x', writes: 'through', wanted: 'back' }]),
    });
    expect(texts(tableOf(off, 'caches'), 'cache')).toEqual(['off']);
    expect(texts(tableOf(off, 'caches'), 'battery')).toEqual(['none of its own']);
    expect(view(off).sign).toBe('warning');
    const back = judge({ tools: tool([{ controller: '0', said: 'x', writes: 'back', wanted: 'back' }]) });
    expect(texts(tableOf(back, 'caches'), 'cache')).toEqual(['writes back']);
    const set = judge({ tools: tool([{ controller: '0', said: 'set to "RWBD"', wanted: 'back' }]) });
    expect(texts(tableOf(set, 'caches'), 'cache')).toEqual(['not known: set to "RWBD"']);
  });

  it('takes a setting for what is done only while the battery is good', () => {
    const shown = (battery: object, wanted: 'back' | 'through' = 'back') => {
      const caches = [{ controller: '0', said: 'set to "RWBD"', wanted }];
      const live = judge({ tools: tool(caches, [{ controller: '0', said: 'CacheVault', ...battery }]) });
      return [texts(tableOf(live, 'caches'), 'cache')[0], view(live).sign];
    };
    expect(shown({ good: true })).toEqual(['set to write back', 'fine']);
    expect(shown({ good: true, learning: true })[0]).toMatch(/^not known/);
    expect(shown({})[0]).toMatch(/^not known/);
    expect(shown({ good: true }, 'through')[0]).toMatch(/^not known/);
  });

  it('shows the end of a battery where it is near or over, and says nothing of others', () => {
    const battery = (batteryDate: string): [string | undefined, string | undefined] => {
      const live = judge({ unit: { ...unit, batteryDate } });
      const [row] = tableOf(live, 'ups').rows;
      return [row?.cells['battery']?.text, row?.sign];
    };
    expect(battery('2026/01/01')).toEqual(['2026/01/01', 'fine']);
    expect(battery('2023/12/10')).toEqual(['2023/12/10, ends 2026-12-09', 'warning']);
    expect(battery('2023/11/01')).toEqual(['2023/11/01, past its life', 'critical']);
  });
});
