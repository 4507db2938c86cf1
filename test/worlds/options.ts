/** Which situations are tried. */
export interface WorldOptions {
  /** By real daemons, and by the console, too: by hand, an hour and more. */
  all: boolean;
  /** Names of situations; none: all. */
  only: readonly string[];
  /** Every `of`-th situation from the `part`-th on. */
  part?: { part: number; of: number };
}

const USAGE = `npm run test:worlds [-- --only NAME]... [--part N/M] [--all]

  --only NAME  this situation only
  --part N/M   every M-th situation, from the N-th on; "day/M": another part each day
  --all        by real daemons and by the console, too (an hour and more)

FAULTLINE_SHARED names the folder with the worlds (default ../shared), FAULTLINE_PYTHON a Python with their requirements.`;

/** `2/4`; `day/4` goes by the day of the year, so that four days try all. */
const partOf = (text: string, day: number): WorldOptions['part'] => {
  const [, which = '', of = ''] = /^(day|[1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? [];
  const part = which === 'day' ? (day % Number(of)) + 1 : Number(which);
  if (of === '' || part > Number(of)) throw new Error(`--part ${text} is not understood\n\n${USAGE}`);
  return { part, of: Number(of) };
};

/** Throws with what is wrong with the words. `day`: of the year. */
export const optionsOf = (words: readonly string[], day: number): WorldOptions => {
  const only: string[] = [];
  let all = false;
  let part: WorldOptions['part'];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--all') {
      all = true;
      continue;
    }
    const value = rest.shift();
    if (value === undefined || (word !== '--only' && word !== '--part'))
      throw new Error(`${word} is unknown or wants a value\n\n${USAGE}`);
    if (word === '--part') part = partOf(value, day);
    else only.push(value);
  }
  return { all, only, ...(part && { part }) };
};

/** The situations of a list that these options choose. */
export const chosen = (names: readonly string[], { only, part }: WorldOptions): readonly string[] =>
  names
    .filter((_, at) => !part || at % part.of === part.part - 1)
    .filter((name) => only.length === 0 || only.includes(name));
