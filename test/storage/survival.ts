import type { DiskArray } from '../../probes/storage/arrays.ts';

/**
 * Which sets of lost slots an array survives, worked out from where each chunk of data is put: written from the
 * definitions of the layouts (md(4) for RAID10, the RAID levels, OpenZFS's dRAID), before the chooser and without it.
 */

/** Chunks as sets of slots, of which each needs at least `needs` that are not lost. */
interface Piece {
  slots: readonly number[];
  needs: number;
}

/**
 * md(4): near copies lie on consecutive devices, chunk after chunk; far and offset copies lie once more on the devices
 * that follow, shifted by the number of near copies each time.
 */
const copiesOf = (count: number, near: number, far: number): Piece[] =>
  // After `count` chunks the pattern begins again.
  Array.from({ length: count }, (_chunk, chunk) => {
    const first = Array.from({ length: near }, (_copy, copy) => (chunk * near + copy) % count);
    const all = Array.from({ length: far }, (_section, section) =>
      first.map((slot) => (slot + section * near) % count),
    );
    return { slots: all.flat(), needs: 1 };
  });

/** A stripe with parity lies on all slots; of n slots with p for parity, n - p have to be there. */
const stripeOf = (slots: readonly number[], parity: number): Piece => ({
  slots,
  needs: Math.max(0, slots.length - parity),
});

const spansOf = ({ slots }: DiskArray): number[][] => {
  const bySpan = new Map<number | undefined, number[]>();
  for (const [at, { span }] of slots.entries()) bySpan.set(span, [...(bySpan.get(span) ?? []), at]);
  return [...bySpan.values()];
};

/** Undefined: nobody can say. */
const piecesOf = (array: DiskArray): Piece[] | undefined => {
  const { layout, slots } = array;
  const all = [...slots.keys()];
  switch (layout.kind) {
    case 'stripe':
      return all.map((slot) => ({ slots: [slot], needs: 1 }));
    case 'mirror':
      return [{ slots: all, needs: 1 }];
    case 'parity':
    case 'declustered':
      return [stripeOf(all, layout.tolerance)];
    case 'copies':
      return copiesOf(slots.length, layout.near, layout.far);
    case 'spans':
      return spansOf(array).flatMap((span): Piece[] =>
        layout.of === 'mirror'
          ? [{ slots: span, needs: 1 }]
          : layout.of === 'parity'
            ? [stripeOf(span, layout.tolerance)]
            : span.map((slot) => ({ slots: [slot], needs: 1 })),
      );
    case 'unknown':
      return undefined;
  }
};

/** Whether all data can be read while these slots are lost; undefined: nobody can say. */
export const survives = (array: DiskArray, lost: ReadonlySet<number>): boolean | undefined =>
  piecesOf(array)?.every(({ slots, needs }) => {
    // A device that holds two copies of one chunk counts once.
    const distinct = [...new Set(slots)];
    const there = distinct.filter((slot) => !lost.has(slot)).length;
    return there >= Math.min(needs, distinct.length);
  });

/** Slots without their data now: empty, failed, or not yet filled. */
export const lostNow = ({ slots }: DiskArray): Set<number> =>
  new Set([...slots.keys()].filter((at) => slots[at]?.state !== 'good'));

/** Whether two disks of these slots share a stripe or a copy. */
const shareOne = (array: DiskArray, hit: readonly number[]): boolean =>
  piecesOf(array)?.some(({ slots }) => {
    const disks = hit.filter((at) => slots.includes(at)).map((at) => array.slots[at]?.disk);
    return new Set(disks).size > 1;
  }) ?? true;

/** Why this set of disks must not be pulled at once, one line each; empty: it may. */
export const harmOf = (arrays: readonly DiskArray[], pulled: readonly string[]): string[] =>
  arrays.flatMap((array) => {
    const hit = [...array.slots.keys()].filter((at) => pulled.includes(array.slots[at]?.disk ?? ''));
    const out = (array.out ?? []).filter((disk) => pulled.includes(disk));
    if (hit.length + out.length === 0) return [];
    const before = lostNow(array);
    const after = new Set([...before, ...hit]);
    const said = (why: string): string[] => [`${array.id}: ${why}`];
    if (array.doubt !== undefined) return said(array.doubt);
    if (array.work !== undefined) return said(`pulled during a ${array.work}`);
    if (array.slots.some(({ state }) => state === 'unknown')) return said('a slot is not known');
    if (array.usable !== true) return said('it does not work, or nobody knows');
    const alive = survives(array, before);
    if (alive === undefined) return said('its level is not known');
    if (!alive) return said('it is lost already: what failed may hold the newest copy');
    if (out.length > 1 || (out.length > 0 && hit.length > 0)) return said('two disks of one array');
    if (hit.length > 1 && shareOne(array, hit)) return said('two disks that share data');
    if (after.size === before.size) return [];
    if (survives(array, after) !== true) return said('its data would be lost at once');
    // A slot whose loss was fatal before, too, says nothing of what is pulled.
    const fatal = [...array.slots.keys()].find(
      (at) => survives(array, new Set([...before, at])) && !survives(array, new Set([...after, at])),
    );
    return fatal === undefined ? [] : said(`would not survive the loss of slot ${fatal} any more`);
  });
