import type { DiskArray } from '../arrays.ts';

/** Slots that protect each other, and how many of them may be missing. */
export interface Group {
  slots: readonly number[];
  tolerance: number;
}

/** What is left of a group: how many more may be lost before data are. Below nought they are lost. */
export interface Redundancy {
  left: number;
  tolerance: number;
  missing: number;
}

const range = (count: number): number[] => Array.from({ length: count }, (_one, at) => at);

/** One group for each set of slots that hold the copies of one chunk. */
const copyGroups = (count: number, near: number, far: number): Group[] => {
  const sets = range(count).map((chunk) => {
    const start = chunk * near;
    // Near copies follow each other; each far section begins as many slots further on as there are near copies.
    return new Set(range(near * far).map((copy) => (start + copy) % count));
  });
  const distinct = new Map(sets.map((set) => [[...set].toSorted((a, b) => a - b).join(','), set]));
  return [...distinct.values()].map((set) => ({ slots: [...set], tolerance: set.size - 1 }));
};

const spanGroups = (
  { slots }: DiskArray,
  of: 'stripe' | 'mirror' | 'parity',
  tolerance: number,
): Group[] | undefined => {
  if (slots.some(({ span }) => span === undefined)) return undefined;
  const spans = Map.groupBy(slots.keys(), (at) => slots[at]?.span);
  return [...spans.values()].map((members) => ({
    slots: members,
    tolerance: of === 'stripe' ? 0 : of === 'mirror' ? members.length - 1 : tolerance,
  }));
};

/**
 * The groups of an array: the pairs of a RAID10 by its layout, the spans of a controller, else all slots. Undefined where the
 * layout is not known, or names no place for a slot.
 */
export const groupsOf = (array: DiskArray): readonly Group[] | undefined => {
  const { layout, slots } = array;
  const all = range(slots.length);
  if (slots.length === 0) return undefined;
  switch (layout.kind) {
    case 'stripe':
      return [{ slots: all, tolerance: 0 }];
    case 'mirror':
      return [{ slots: all, tolerance: slots.length - 1 }];
    case 'parity':
    case 'declustered':
      return [{ slots: all, tolerance: layout.tolerance }];
    case 'copies':
      return layout.near >= 1 && layout.far >= 1 && layout.near * layout.far <= slots.length
        ? copyGroups(slots.length, layout.near, layout.far)
        : undefined;
    case 'spans':
      return spanGroups(array, layout.of, layout.tolerance);
    case 'unknown':
      return undefined;
  }
};

/** What does not hold its data now: a slot that is being filled does not, and one that nobody knows may not. */
const isMissing = (array: DiskArray, at: number): boolean => array.slots[at]?.state !== 'good';

export const redundancyIn = (array: DiskArray, group: Group): Redundancy => {
  const missing = group.slots.filter((at) => isMissing(array, at)).length;
  return { left: group.tolerance - missing, tolerance: group.tolerance, missing };
};

/** The redundancy of the weakest group; undefined where the layout is not known. */
export const redundancyOf = (array: DiskArray): Redundancy | undefined =>
  groupsOf(array)
    ?.map((group) => redundancyIn(array, group))
    .reduce((weakest, one) => (one.left < weakest.left ? one : weakest));
