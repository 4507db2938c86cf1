/** What a world said of one situation. */
export interface Verdict {
  name: string;
  verdict: 'right' | 'wrong' | 'silent' | 'noise' | 'false alarm' | 'not judged';
  why: string;
}

const words = 'right|wrong|silent|noise|false alarm|not judged';

/** The verdicts in the lines of a world's runner: `wrong   just_up  rc=1 ...`, with its reason behind it or on the next line. */
export const verdictsIn = (output: string): Verdict[] => {
  const found: Verdict[] = [];
  for (const line of output.split('\n')) {
    const [, verdict, name, rest = ''] = new RegExp(`^(${words}) +([a-z]\\S*) +(.*)$`).exec(line) ?? [];
    const last = found.at(-1);
    const more = /^ +-> (.*)$/.exec(line)?.[1];
    if (verdict !== undefined && name !== undefined)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the words of the pattern
      found.push({ name, verdict: verdict as Verdict['verdict'], why: rest.replace(/^\S+ s +/, '') });
    else if (more !== undefined && last) last.why = more;
  }
  return found;
};

/** A situation that has no verdict (its runner broke off) is not judged, and never right. */
export const withMissing = (names: readonly string[], found: readonly Verdict[]): Verdict[] =>
  names.map(
    (name) =>
      found.find((one) => one.name === name) ?? {
        name,
        verdict: 'not judged',
        why: 'its world said nothing',
      },
  );

/** What must not be so: wrong ones that nobody listed, and listed ones that are right, so that the list gets shorter. */
export const faultsIn = (
  verdicts: readonly Verdict[],
  knownWrong: Readonly<Record<string, string>>,
): readonly string[] =>
  verdicts.flatMap(({ name, verdict, why }) => {
    const listed = Object.hasOwn(knownWrong, name);
    if (verdict === 'right')
      return listed ? [`${name} is right: take it off the list of known-wrong.ts`] : [];
    return listed ? [] : [`${name} is ${verdict}: ${why}`];
  });

/** `27 right, 2 wrong (1 known), 1 silent of 30`. */
export const totalOf = (
  verdicts: readonly Verdict[],
  knownWrong: Readonly<Record<string, string>>,
): string => {
  const groups = Map.groupBy(verdicts, ({ verdict }) => verdict);
  const counts = [...groups].map(([verdict, group]) => `${group.length} ${verdict}`);
  const known = verdicts.filter(
    ({ name, verdict }) => verdict !== 'right' && Object.hasOwn(knownWrong, name),
  );
  return `${counts.join(', ')} of ${verdicts.length}${known.length > 0 ? `, ${known.length} of them known` : ''}`;
};
