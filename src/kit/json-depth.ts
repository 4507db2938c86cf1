import { ParseError } from '../model/errors.ts';

/** Devices and tools nest a dozen levels; a hostile answer may nest so deep that walking through it fails, or takes as long as all others. */
const DEEPEST = 200;

const codes = (chars: string): ReadonlySet<number> => new Set([...chars].map((char) => char.charCodeAt(0)));
const [quote, escape] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
const opening = codes('{[');
const closing = codes('}]');

/** Where JSON text opens one level too many, in characters; undefined: nowhere. Brackets within strings are none. */
export const tooDeepAt = (json: string): number | undefined => {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) quoted = !quoted;
    else if (quoted) at += code === escape ? 1 : 0;
    else if (opening.has(code)) depth += 1;
    else if (closing.has(code)) depth -= 1;
    if (depth > DEEPEST) return at;
  }
  return undefined;
};

/** JSON text of which the depth is bounded, as it was given: what a reader of JSON alone calls first. Throws ParseError. */
export const shallowJson = (json: string): string => {
  const at = tooDeepAt(json);
  if (at === undefined) return json;
  const from = Math.max(0, at - 60);
  throw new ParseError(
    `JSON nested more than ${DEEPEST} levels deep`,
    `position ${at}`,
    json.slice(from, at + 60),
  );
};
