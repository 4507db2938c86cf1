/** What is to be tried. */
export interface TrialOptions {
  /** All of them, which takes hours, in place of CI's choice. */
  long: boolean;
  /** Names of kinds; none: all. */
  only: readonly string[];
  /** Of each kind these alone. */
  seeds?: readonly number[];
  /** Where the counts go, in the form of vitest's JSON reporter. */
  json?: string;
}

const USAGE = `npm run test:trials [-- --long] [--only KIND]... [--seed N[-M]] [--json FILE]

  --long       all trials, by hand; without it CI's choice
  --only KIND  trials of this kind only
  --seed N-M   only those with these seeds: how one that broke is tried again
  --json FILE  writes the counts there, too`;

/** `7` or `7-12`. */
const seedsOf = (text: string): number[] => {
  const [first = 1, last = first] = text.split('-').map(Number);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
};

/** Throws with what is wrong with the words. */
export const optionsOf = (words: readonly string[], kinds: readonly string[]): TrialOptions => {
  const options: { -readonly [key in keyof TrialOptions]: TrialOptions[key] } = { long: false, only: [] };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--long') {
      options.long = true;
      continue;
    }
    const value = rest.shift();
    if (value === undefined) throw new Error(`${word} is unknown or wants a value\n\n${USAGE}`);
    if (word === '--only' && kinds.includes(value)) options.only = [...options.only, value];
    else if (word === '--only') throw new Error(`no kind "${value}"; there are: ${kinds.join(' ')}`);
    else if (word === '--seed' && /^[1-9]\d*(-[1-9]\d*)?$/.test(value)) options.seeds = seedsOf(value);
    else if (word === '--json') options.json = value;
    else throw new Error(`${word} ${value} is not understood\n\n${USAGE}`);
  }
  return options;
};
