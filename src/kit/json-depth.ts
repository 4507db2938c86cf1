import { ParseError } from '../model/errors.ts';

/** Devices and tools nest a dozen levels; a hostile answer may nest so deep that walking through it fails, or takes as long as all others. */
const DEEPEST = 200;

const [QUOTE, ESCAPE] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const [OPENING, CLOSING] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];

/** By this bit alone `[` differs from `{`, and `]` from `}`, in their codes. */
const SQUARE = OPENING - '['.charCodeAt(0);

/** Where JSON text opens one level too many, in characters; undefined: nowhere. Brackets within strings are none. */
export const findTooDeep = (json: string): number | undefined => {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = findStringEnd(json, at);
    else if ((code | SQUARE) === OPENING) depth += 1;
    else if ((code | SQUARE) === CLOSING) depth -= 1;
    if (depth > DEEPEST) return at;
  }
  return undefined;
};

/** Where the string that begins at `start` ends; the end of the text where it does not. An even number of backslashes escapes no quote. */
const findStringEnd = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === ESCAPE) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
};

/** JSON text of which the depth is bounded, as it was given: what a reader of JSON alone calls first. Throws ParseError. */
export const requireShallow = (json: string): string => {
  const at = findTooDeep(json);
  if (at === undefined) return json;
  const from = Math.max(0, at - 60);
  throw new ParseError(
    `JSON nested more than ${DEEPEST} levels deep`,
    `position ${at}`,
    json.slice(from, at + 60),
  );
};
