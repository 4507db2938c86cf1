import { at, isRecord, listed, textOf, type Json } from '../parse-json.ts';

/** One record of several: newer releases part what they say of a port. */
const merged = (value: Json): Json => Object.assign({}, ...listed(value).filter(isRecord)) as Json;

/** `Rx` and `Tx` may be records or lists of one. */
const flat = (one: Json): Json =>
  isRecord(one)
    ? Object.fromEntries(
        Object.entries(one).map(
          ([key, inner]) => [key, Array.isArray(inner) ? merged(inner) : inner] as const,
        ),
      )
    : one;

/** `Eth1/1: ...` as pairs of a port and what is said of it: a list with `header`s, or an object by ports. */
export const onyxEntries = (json: Json | undefined): readonly (readonly [string, Json])[] =>
  listed(json).flatMap((one): readonly (readonly [string, Json])[] => {
    const header = textOf(at(one, 'header'));
    if (header !== undefined) return [[header, flat(one)]];
    if (!isRecord(one)) return [];
    return Object.entries(one)
      .filter(([, inner]) => listed(inner).some(isRecord))
      .map(([name, inner]) => [name, flat(merged(inner))] as const);
  });
