import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DiskArray, Layout, Slot, SlotState } from '../../probes/storage/arrays.ts';
import { redundancyOf } from '../../probes/storage/judge/groups.ts';
import { chooseSafeSet, type Candidate, type SafeSite } from '../../probes/storage/judge/safe-set.ts';
import { harmOf, lostNow, survives } from './survival.ts';

const raid6: Layout = { kind: 'parity', tolerance: 2 };
const raid5: Layout = { kind: 'parity', tolerance: 1 };
const mirror: Layout = { kind: 'mirror' };

/** `gg-g`: good, missing (`x`: with its disk, `-`: without), filling (`f`), unknown (`?`). Disks are called by array and slot: md6.0 */
const array = (id: string, layout: Layout, pattern: string, rest: Partial<DiskArray> = {}): DiskArray => {
  const states: Readonly<Record<string, SlotState>> = { g: 'good', f: 'filling', '?': 'unknown' };
  return {
    id,
    layout,
    usable: true,
    slots: [...pattern].map((letter, at): Slot => {
      const state = states[letter] ?? 'missing';
      return letter === '-' ? { state } : { disk: `${id}.${at}`, state };
    }),
    ...rest,
  };
};

const want = (disk: string, rest: Partial<Candidate> = {}): Candidate => ({
  disk,
  urgency: 0,
  certain: true,
  ...rest,
});

const choose = (
  arrays: DiskArray[],
  disks: (string | Candidate)[],
  rest: Partial<SafeSite> = {},
): { now: string[]; later: string[] } => {
  const candidates = disks.map((disk) => (typeof disk === 'string' ? want(disk) : disk));
  const { now, later } = chooseSafeSet({ arrays, candidates, ...rest });
  return {
    now: now.map(({ disk }) => disk),
    later: later.map(({ disk, instead, why }) => `${disk}: ${instead}: ${why}`),
  };
};

/** Which two slots of so many must not be lost together. */
const fatalPairs = (layout: Layout, count: number): string[] => {
  const pairs: string[] = [];
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const pattern = [...'g'.repeat(count)].map((letter, at) => (at === a || at === b ? '-' : letter));
      const left = redundancyOf(array('m', layout, pattern.join('')))?.left ?? -1;
      if (left < 0) pairs.push(`${a}-${b}`);
    }
  return pairs;
};

// What the kernel loses for each pair that is taken away: tried with md of Linux 6.1.
describe('pairs of md RAID10', () => {
  const copies = (near: number, far: number): Layout => ({ kind: 'copies', near, far });

  it.each([
    ['near 4', copies(2, 1), 4, ['0-1', '2-3']],
    ['far or offset 4', copies(1, 2), 4, ['0-1', '0-3', '1-2', '2-3']],
    ['near 3', copies(2, 1), 3, ['0-1', '0-2', '1-2']],
    ['near 5', copies(2, 1), 5, ['0-1', '0-4', '1-2', '2-3', '3-4']],
    ['offset 5', copies(1, 2), 5, ['0-1', '0-4', '1-2', '2-3', '3-4']],
    ['far 6', copies(1, 2), 6, ['0-1', '0-5', '1-2', '2-3', '3-4', '4-5']],
    ['near=3 6', copies(3, 1), 6, []],
  ] as const)('%s', (_name, layout, count, pairs) => {
    expect(fatalPairs(layout, count).toSorted()).toEqual([...pairs].toSorted());
  });
});

describe('the next safe disks', () => {
  it('takes one disk of each of 36 volumes, and never a second of one', () => {
    const volumes = Array.from({ length: 36 }, (_one, at) => array(`lun${at}`, raid6, 'gggggggggg'));
    const all = volumes.flatMap(({ id }) => [`${id}.3`, `${id}.7`]);
    const { now, later } = choose(volumes, all);
    expect(now).toHaveLength(36);
    expect(new Set(now.map((disk) => disk.split('.')[0])).size).toBe(36);
    expect(later).toHaveLength(36);
    expect(later[0]).toBe('lun0.7: wait: lun0: after lun0.3, one at a time');
  });

  it('waits for a rebuild, and for one that waits itself', () => {
    const { now, later } = choose(
      [
        array('lun12', raid6, 'gggfg', { work: 'rebuild', workPct: 43.8 }),
        array('lun4', raid6, 'ggg-g'),
        array('md1', raid6, 'ggggg', { work: 'resync' }),
      ],
      ['lun12.0', 'lun4.0', 'md1.0'],
    );
    expect(now).toEqual([]);
    expect(later).toEqual([
      'lun12.0: wait: lun12: rebuild 43 %, wait',
      'lun4.0: wait: lun4: would leave 0 of 2',
      'md1.0: wait: md1: resync, wait',
    ]);
  });

  it('replaces working members of RAID1 and RAID5 in place, and never pulls one of RAID0', () => {
    const arrays = [
      array('md1', mirror, 'gg'),
      array('md5', raid5, 'ggg'),
      array('md0', { kind: 'stripe' }, 'gg'),
    ];
    expect(choose(arrays, ['md1.0', 'md5.0', 'md0.0'])).toEqual({
      now: [],
      later: [
        'md0.0: replace in place: md0: would leave 0 of 0',
        'md1.0: replace in place: md1: would leave 0 of 1',
        'md5.0: replace in place: md5: would leave 0 of 1',
      ],
    });
    expect(choose([array('m3', mirror, 'ggg')], ['m3.0', 'm3.1']).now).toEqual(['m3.0']);
  });

  it('pulls what failed already even where nothing is left, one at a time and only where the slot is certain', () => {
    const gone = array('md6', raid6, 'gxxgg');
    expect(choose([gone], ['md6.1', 'md6.2'])).toEqual({
      now: ['md6.1'],
      later: ['md6.2: wait: md6: after md6.1, one at a time'],
    });
    expect(choose([gone], [want('md6.1', { certain: false })]).now).toEqual([]);
    expect(choose([array('md6', raid6, 'g--gg', { out: ['old'] })], ['old']).now).toEqual(['old']);
  });

  it('pulls nothing of an array that is lost: what failed may hold the newest copy', () => {
    expect(choose([array('md6', raid6, 'gxxxg')], ['md6.1', 'md6.0']).now).toEqual([]);
    expect(choose([array('md1', mirror, 'gx', { usable: false })], ['md1.1']).later).toEqual([
      'md1.1: never: md1: lost; what failed may hold the newest copy',
    ]);
  });

  it('asks every array that a disk is in', () => {
    const shared: DiskArray = {
      ...array('md1', mirror, 'gg'),
      slots: [
        { disk: 'md6.0', state: 'good' },
        { disk: 'b', state: 'good' },
      ],
    };
    expect(choose([array('md6', raid6, 'ggggg'), shared], ['md6.0']).later).toEqual([
      'md6.0: replace in place: md1: would leave 0 of 1',
    ]);
    const twice: DiskArray = {
      ...array('md6', raid6, 'gggg'),
      slots: [0, 0, 1, 2].map((at) => ({ disk: `d${at}`, state: 'good' })),
    };
    expect(choose([twice], ['d0', 'd1'])).toMatchObject({ now: ['d1'] });
  });

  it('takes one of each span, and nothing where a span is not named', () => {
    const spans = (named: boolean): DiskArray => {
      const made = array('vd', { kind: 'spans', of: 'parity', tolerance: 2 }, 'gggggggg');
      return {
        ...made,
        slots: made.slots.map((slot, at) => ({ ...slot, ...(named && { span: Math.floor(at / 4) }) })),
      };
    };
    expect(choose([spans(true)], ['vd.0', 'vd.1', 'vd.4']).now).toEqual(['vd.0', 'vd.4']);
    expect(choose([spans(false)], ['vd.0']).now).toEqual([]);
  });

  it('counts a child of dRAID whose distributed spare is filled as there', () => {
    const draid: Layout = { kind: 'declustered', tolerance: 2 };
    expect(choose([array('draid', draid, 'ggggggggg')], ['draid.3']).now).toEqual(['draid.3']);
    expect(choose([array('draid', draid, 'gggg-gggg')], ['draid.3']).now).toEqual([]);
  });

  it.each([
    ['a level that nobody knows', array('x', { kind: 'unknown', word: 'RAID7' }, 'gggg')],
    ['a disk whose state is not known', array('x', raid6, 'gggg?')],
    ['an array whose state is not known', { ...array('x', raid6, 'ggggg'), usable: undefined }],
    [
      'tables that contradict each other',
      array('x', raid6, 'ggggg', { doubt: 'TOPOLOGY says Optl, the list Dgrd' }),
    ],
    ['another array', array('y', raid6, 'ggggg')],
  ])('is never safe: %s', (_name, given) => {
    const { usable, ...rest } = given;
    const { now, later } = choose([usable === undefined ? rest : { ...rest, usable }], ['x.0']);
    expect(now).toEqual([]);
    expect(later[0]).toMatch(/^x\.0: cannot say: /);
  });

  it('says nothing safe of two disks that bear one name, and keeps to the limit of a drawer', () => {
    expect(choose([array('x', raid6, 'ggggg')], ['x.0', 'x.0']).now).toEqual([]);
    const arrays = ['a', 'b', 'c'].map((id) => array(id, raid6, 'ggggg'));
    const drawer = arrays.map(({ id }) => want(`${id}.0`, { place: 'drawer 3' }));
    expect(choose(arrays, drawer, { perPlace: 2 })).toEqual({
      now: ['a.0', 'b.0'],
      later: ['c.0: wait: drawer 3: 2 of it out already'],
    });
  });

  it('begins where least is left, then with what fails soonest', () => {
    const arrays = [array('a', raid6, 'ggggg'), array('b', raid6, 'ggggg'), array('c', raid6, 'gxxgg')];
    const disks = [want('a.0', { urgency: 1 }), want('b.0', { urgency: 5 }), want('c.1')];
    expect(choose(arrays, disks).now).toEqual(['c.1', 'b.0', 'a.0']);
  });
});

/** Sites of all layouts, states and works, with disks that several arrays share. */
const sites = ((): fc.Arbitrary<SafeSite> => {
  const layout = fc.oneof(
    fc.constant<Layout>({ kind: 'stripe' }),
    fc.constant(mirror),
    fc.integer({ min: 1, max: 3 }).map((tolerance): Layout => ({ kind: 'parity', tolerance })),
    fc.integer({ min: 1, max: 3 }).map((tolerance): Layout => ({ kind: 'declustered', tolerance })),
    fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
      .map(([near, far]): Layout => ({ kind: 'copies', near, far })),
    fc
      .tuple(
        fc.constantFrom('stripe' as const, 'mirror' as const, 'parity' as const),
        fc.integer({ min: 1, max: 2 }),
      )
      .map(([of, tolerance]): Layout => ({ kind: 'spans', of, tolerance })),
    fc.constant<Layout>({ kind: 'unknown', word: 'RAID7' }),
  );
  const slot = fc.record({
    // A few names only, so that arrays share disks.
    disk: fc.option(
      fc.integer({ min: 0, max: 30 }).map((at) => `d${at}`),
      { nil: undefined, freq: 12 },
    ),
    state: fc.oneof(
      { weight: 60, arbitrary: fc.constant<SlotState>('good') },
      { weight: 5, arbitrary: fc.constant<SlotState>('missing') },
      { weight: 1, arbitrary: fc.constantFrom<SlotState>('filling', 'unknown') },
    ),
    span: fc.integer({ min: 0, max: 2 }),
  });
  const one = fc.record({
    layout,
    slots: fc.array(slot, { minLength: 1, maxLength: 10, size: 'max' }),
    usable: fc.constantFrom(...Array<true>(12).fill(true), false, undefined),
    work: fc.constantFrom(...Array<undefined>(10).fill(undefined), 'rebuild' as const, 'resync' as const),
    out: fc.array(
      fc.integer({ min: 0, max: 40 }).map((at) => `d${at}`),
      { maxLength: 1 },
    ),
    doubt: fc.constantFrom(...Array<undefined>(14).fill(undefined), 'contradicting tables'),
  });
  const made = fc.array(one, { minLength: 1, maxLength: 5 }).map((arrays) =>
    arrays.map(({ usable, work, doubt, slots, ...rest }, at): DiskArray => ({
      id: `array${at}`,
      ...rest,
      ...(usable !== undefined && { usable }),
      ...(work !== undefined && { work }),
      ...(doubt !== undefined && { doubt }),
      slots: slots.map(({ disk, ...more }) => ({ ...more, ...(disk !== undefined && { disk }) })),
    })),
  );
  const candidate = fc.record({
    disk: fc.integer({ min: 0, max: 43 }).map((at) => `d${at}`),
    urgency: fc.integer({ min: 0, max: 3 }),
    certain: fc.constantFrom(true, true, true, false),
  });
  // Two of one name are the exception.
  const wanted = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.uniqueArray(candidate, { selector: ({ disk }) => disk, maxLength: 40, size: 'max' }),
    },
    { weight: 1, arbitrary: fc.array(candidate, { maxLength: 20, size: 'max' }) },
  );
  return fc.record({ arrays: made, candidates: wanted });
})();

describe('against the model of what each layout survives', () => {
  it('no answer leaves an array below its floor, on 10,000 random sites', () => {
    let chosen = 0;
    fc.assert(
      fc.property(sites, (site) => {
        const now = chooseSafeSet(site).now.map(({ disk }) => disk);
        chosen += now.length;
        expect(harmOf(site.arrays, now)).toEqual([]);
        const asked = site.candidates.filter(({ disk }) => now.includes(disk));
        expect(asked.every(({ certain }) => certain)).toBe(true);
        expect(now.every((disk) => site.arrays.some((one) => namesDisk(one, disk)))).toBe(true);
      }),
      { numRuns: 10_000, seed: 21 },
    );
    // An answer that is always empty would pass, too.
    expect(chosen).toBeGreaterThan(2000);
  });

  it('counts what is left as the model does', () => {
    fc.assert(
      fc.property(sites, ({ arrays }) => {
        for (const one of arrays) {
          const found = redundancyOf(one);
          const alive = survives(one, lostNow(one));
          if (found !== undefined && alive !== undefined) expect(found.left >= 0).toBe(alive);
        }
      }),
      { numRuns: 2000, seed: 22 },
    );
  });
});

const namesDisk = ({ slots, out }: DiskArray, disk: string): boolean =>
  slots.some((slot) => slot.disk === disk) || out?.includes(disk) === true;
