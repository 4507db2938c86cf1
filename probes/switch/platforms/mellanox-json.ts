import { at, isRecord, listed, textOf, type Json } from '../parse-json.ts';

/** `Eth1/1: ...` as pairs of a port and what is said of it: a list with `header`s, or an object by ports. */
export const onyxEntries = (json: Json | undefined): readonly (readonly [string, Json])[] => {
  const lists = Array.isArray(json) ? json : [json];
  return lists.flatMap((one): (readonly [string, Json])[] => {
    const header = textOf(at(one, 'header'));
    if (header !== undefined) return [[header, one ?? {}]];
    if (!isRecord(one)) return [];
    return Object.entries(one).flatMap(([name, inner]) =>
      listed(inner)
        .filter(isRecord)
        .map((each) => [name, each] as const),
    );
  });
};
