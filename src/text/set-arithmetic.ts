import { expand, MOST_NAMES, tooManyError } from './nodeset.ts';

/** What `@name` and `@source:name` stand for. */
export interface Groups {
  /** The members of a group, named without its `@`. Throws RangeError that says why they are not known. */
  members(name: string): readonly string[];
}

/** Of a group that its source tells only once it was asked: the set may be good, and is not known yet. */
export class NotYetKnown extends RangeError {}

/** What stands before a term: union, difference, intersection, symmetric difference. */
const operators = [',', '!', '&', '^'] as const;

type Operator = (typeof operators)[number];

interface Term {
  operator: Operator;
  text: string;
}

/** Whether it stands for names that it does not spell out: `node[12-14]`, `n1,n2`, `@gpu!node5`. */
export const isSet = (text: string): boolean => /[[\],!&^]|^\s*@/.test(text);

/**
 * `@compute!node5,login1` to its names, with ClusterShell's meaning: `,` `!` `&` `^` from left to right, none before another, no
 * parentheses (NodeSet's extended patterns). Each name once, in the order in which it came in; without groups and operators other
 * than `,` it is `expand`. Throws RangeError naming what is wrong.
 */
export const expandSet = (expression: string, groups: Groups): string[] => {
  if (!/[!&^]|(?:^|,)\s*@/.test(expression)) return expand(expression);
  const found = new Set<string>();
  const terms = termsOf(expression);
  // All terms are asked for before the first is missed: what is fetched from elsewhere is fetched in one go.
  const sides = terms.map(({ text }) => sideOf(text, groups));
  const wrong = sides.filter((side) => side instanceof RangeError);
  // What is wrong for good goes before what is not known yet.
  const worst = wrong.find((side) => !(side instanceof NotYetKnown)) ?? wrong[0];
  if (worst) throw worst;
  for (const [at, { operator }] of terms.entries()) {
    const side = sides[at];
    if (side === undefined || side instanceof RangeError) continue;
    combine(found, operator, new Set(side));
    if (found.size > MOST_NAMES) throw tooManyError(expression);
  }
  return [...found];
};

/** Its terms at the operators that stand in no bracket, each with the one before it. */
const termsOf = (expression: string): Term[] => {
  const terms: Term[] = [];
  let operator: Operator = ',';
  let from = 0;
  let depth = 0;
  for (let at = 0; at <= expression.length; at++) {
    const char = expression[at];
    if (char === '[') depth += 1;
    if (char === ']') depth -= 1;
    const next = operators.find((one) => one === char);
    if (char !== undefined && (next === undefined || depth > 0)) continue;
    const text = expression.slice(from, at).trim();
    if (text === '') throw new RangeError(lacking(expression, next ?? operator));
    terms.push({ operator, text });
    operator = next ?? ',';
    from = at + 1;
  }
  return terms;
};

const lacking = (expression: string, operator: Operator): string =>
  `a name is missing beside "${operator}" in "${expression.slice(0, 60)}"`;

const sideOf = (text: string, groups: Groups): readonly string[] | RangeError => {
  try {
    return text.startsWith('@') ? membersOf(text.slice(1), groups) : expand(text);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
};

/** `rack[1-3]` is the groups rack1, rack2 and rack3. */
const membersOf = (group: string, groups: Groups): readonly string[] => {
  const all = new Set<string>();
  for (const name of expand(group)) {
    for (const member of groups.members(name)) all.add(member);
    if (all.size > MOST_NAMES) throw tooManyError(`@${group}`);
  }
  return [...all];
};

const combine = (found: Set<string>, operator: Operator, side: ReadonlySet<string>): void => {
  if (operator === '&') {
    for (const name of found) if (!side.has(name)) found.delete(name);
    return;
  }
  for (const name of side) {
    const isOut = operator === '!' || (operator === '^' && found.has(name));
    if (isOut) found.delete(name);
    else found.add(name);
  }
};
