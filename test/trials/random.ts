/** Chance that can be repeated: everything that a trial draws comes from its seed. */
export interface Chance {
  /** From 0 to below 1. */
  share(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<const T>(of: readonly [T, ...T[]]): T;
}

/** The same numbers for the same seed (mulberry32). */
export const chanceOf = (seed: number): Chance => {
  let state = (seed * 0x9e3779b1) >>> 0;
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  return { share, whole, pick: (of) => of[whole(0, of.length - 1)] ?? of[0] };
};

/** Goes through `of` in turn as seeds go up: so many seeds as there are kinds try every kind. */
export const inTurn = <const T>(of: readonly [T, ...T[]], seed: number): T =>
  of[(seed - 1) % of.length] ?? of[0];
