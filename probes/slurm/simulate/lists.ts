/** `node[1-3,7]` for names that end in a number: how Slurm prints a list of hosts. */
export const compress = (names: readonly string[]): string => {
  const byHead = new Map<string, number[]>();
  for (const name of names) {
    const digits = /\d+$/.exec(name)?.[0] ?? '';
    const head = name.slice(0, name.length - digits.length);
    byHead.set(head, [...(byHead.get(head) ?? []), Number(digits)]);
  }
  return [...byHead].map(([head, numbers]) => head + ranges(numbers.toSorted((a, b) => a - b))).join(',');
};

const ranges = (numbers: readonly number[]): string => {
  const parts: [number, number][] = [];
  for (const number of numbers) {
    const last = parts.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else parts.push([number, number]);
  }
  const text = parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
  return numbers.length === 1 ? text : `[${text}]`;
};

/** The names in what somebody typed: `node1,node[3-5]`. */
export const uncompress = (list: string): string[] =>
  [...list.matchAll(/([^,[]+)(?:\[([^\]]*)\])?,?/g)].flatMap(([, head = '', inside]) =>
    inside === undefined
      ? [head]
      : inside.split(',').flatMap((part) => numbersOf(part).map((number) => head + number)),
  );

const numbersOf = (part: string): number[] => {
  const [from = 0, to = from] = part.split('-').map(Number);
  return Array.from({ length: Math.max(0, Math.min(to - from + 1, 100_000)) }, (_, at) => from + at);
};

/** `2026-11-20T21:54:23`: Slurm's own time format; the demo's hosts live in UTC. */
export const slurmTime = (at: number): string => new Date(at).toISOString().slice(0, 19);

/** `1-02:03:04`. */
export const slurmSpan = (ms: number): string => {
  const padTwo = (value: number): string => String(value).padStart(2, '0');
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const rest = `${padTwo(Math.floor((seconds % 3600) / 60))}:${padTwo(seconds % 60)}`;
  if (days > 0) return `${days}-${padTwo(hours)}:${rest}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0/, '');
};
