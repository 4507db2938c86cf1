import { describe, expect, it } from 'vitest';
import { storage } from '../../probes/storage/index.ts';
import type { ArraysReading, ReadArray, SmartDisk } from '../../probes/storage/readings.ts';
import { readDraft, type Finding, type FindingDraft } from '../../src/model/finding.ts';
import { makeSafeDeep } from '../../src/text/safe.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

/** `gxf`: in sync, failed, being filled; the disks are a0, a1 of md `a`. */
const raid6 = (id: string, pattern: string, more: Partial<ReadArray> = {}): ReadArray => ({
  id,
  level: 'raid6',
  layout: { kind: 'parity', tolerance: 2 },
  slots: [...pattern].map((letter, at) => ({
    disk: `${id}${at}`,
    state: letter === 'g' ? 'good' : letter === 'f' ? 'filling' : 'missing',
  })),
  usable: true,
  spares: 0,
  ...more,
});

const sick = (name: string, more: Partial<SmartDisk> = {}): SmartDisk => ({
  name,
  serial: `SN-${name}`,
  pending: 3,
  ...more,
});

const found = (
  arrays: readonly ReadArray[],
  smart: readonly SmartDisk[] = [],
  more: Partial<ArraysReading> = {},
): readonly FindingDraft[] => {
  const names = arrays.flatMap(({ slots }) => slots.flatMap(({ disk }) => disk ?? []));
  const sources = new Sources();
  sources.good(
    'storage.arrays',
    'array1',
    {
      arrays: [...arrays],
      disks: names.map((name) => ({ name, serial: `SN-${name}` })),
      unread: {},
      ...more,
    } satisfies ArraysReading,
    start,
  );
  sources.good('storage.smart', 'array1', { disks: [...smart], unread: {} }, start);
  const site = siteOf([{ name: 'array1', roles: ['storage'] }]);
  return storage.findings(judgementOf({ readings: sources, site }));
};

const orders = (...given: Parameters<typeof found>): readonly FindingDraft[] =>
  found(...given).filter(({ kind }) => kind === 'disks-to-replace');

const read = (draft: FindingDraft): Finding => readDraft(makeSafeDeep(draft));

/** Which of the findings the order explains. */
const explained = (findings: readonly FindingDraft[]): string[] => {
  const cause = storage.causes?.find(({ name }) => name === 'storage-disk-in-order');
  const order = findings.find(({ kind }) => kind === 'disks-to-replace');
  if (!cause || !order) return [];
  const site = { mayCross: () => 'not known' as const, switchesOf: () => [] };
  return findings
    .filter(({ kind }) => cause.effects !== 'any' && cause.effects.includes(kind))
    .filter((one) => cause.explain(read(order), read(one), site) !== undefined)
    .map(({ id }) => id);
};

describe('disks to replace', () => {
  it('say which may be pulled now and the order of the others, with the reason of each', () => {
    const [one] = orders(
      [raid6('a', 'ggggxg'), raid6('b', 'gggggg'), raid6('c', 'fggggg', { work: 'rebuild', workPct: 43.4 })],
      [sick('b1'), sick('b2'), sick('c5', { passed: false })],
    );
    expect(one?.summary).toBe('array1: 4 failed or suspect disks; pull now: a4, b1; then c5, b2');
    expect(one?.severity).toBe('critical');
    expect(one?.evidence.map(({ text }) => text)).toEqual([
      'now: a4, serial SN-a4: a: out already, 1 of 2 left, no spare takes over',
      'now: b1, serial SN-b1: b: still works, 1 of 2 left, no spare takes over',
      '3. wait: c5, serial SN-c5: c: rebuild 43 %, wait',
      '4. wait: b2, serial SN-b2: b: after b1, one at a time',
    ]);
  });

  it('are none where one disk alone is bad, or none is', () => {
    expect(orders([raid6('a', 'gggggg')])).toEqual([]);
    expect(orders([raid6('a', 'gggggx')])).toEqual([]);
    expect(orders([raid6('a', 'gggggg')], [sick('a2')])).toEqual([]);
    expect(orders([raid6('a', 'gggggg')], [sick('a2', { pending: 0 }), sick('a3', { pending: 0 })])).toEqual(
      [],
    );
  });

  it('pull nothing where nobody knows, and say so first', () => {
    const [one] = orders([raid6('a', 'ggggxg', { doubt: 'not in sysfs' })], [sick('a1')]);
    expect(one?.summary).toBe('array1: 2 failed or suspect disks; none may be pulled now; then a4, a1');
    expect(one?.advice).toMatch(/^Pull none of them now\./);
    const [hidden] = orders([raid6('a', 'ggggxg')], [sick('a1')], { unread: { zpool: 'no answer' } });
    expect(hidden?.summary).toContain('none may be pulled now');
  });

  it('tell to take out first what still works, and speak of others only where there are some', () => {
    const adviceOf = (arrays: readonly ReadArray[], smart: readonly SmartDisk[]): string =>
      orders(arrays, smart)[0]?.advice ?? '';
    const others = 'Take the others in this order';
    const works = adviceOf([raid6('a', 'ggggxg'), raid6('b', 'gggggg')], [sick('b1')]);
    expect(works).toMatch(/Take one that still works out of its array first\.$/);
    const out = adviceOf([raid6('a', 'ggggxg'), raid6('b', 'ggggxx')], []);
    expect(out).not.toContain('still works');
    expect(out).toContain(others);
  });

  it('name the reading that says so: what a controller said is minutes old', () => {
    const sources = new Sources();
    const own = { arrays: [], disks: [], unread: {} } satisfies ArraysReading;
    sources.good('storage.arrays', 'array1', own, start);
    const tool = { tool: 'storcli', caches: [], batteries: [], suspects: [] };
    const said = { tools: [{ ...tool, arrays: [raid6('c0/0', 'ggggxg'), raid6('c0/1', 'gggxgg')] }] };
    sources.good('storage.controllers', 'array1', said, start - 480_000);
    const site = siteOf([{ name: 'array1', roles: ['storage'] }]);
    const order = storage
      .findings(judgementOf({ readings: sources, site }))
      .find(({ kind }) => kind === 'disks-to-replace');
    expect(order?.evidence.map(({ probe, at }) => [probe, at])).toEqual([
      ['storage.controllers', start - 480_000],
      ['storage.controllers', start - 480_000],
    ]);
  });

  it('explain what is said of these disks and their arrays, and nothing of others', () => {
    const all = found(
      [raid6('a', 'ggggxg'), raid6('b', 'ggggxx'), raid6('c', 'fggggg', { work: 'rebuild', workPct: 1 })],
      [sick('a1')],
    );
    expect(all.map(({ id }) => id)).toContain('storage:no-redundancy:array1:b');
    expect(explained(all).toSorted()).toEqual([
      'storage:disk-predicted:array1:SN-a1',
      'storage:redundancy-reduced:array1:a',
    ]);
  });
});
