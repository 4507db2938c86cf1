import { nearestWord } from '../text/nearest.ts';
import type { Path, Problem } from './problem.ts';

/** The part of a JSON Schema that says which keys there are. */
export interface Shape {
  properties?: Readonly<Record<string, Shape | boolean>> | undefined;
  additionalProperties?: Shape | boolean | undefined;
  items?: Shape | boolean | readonly (Shape | boolean)[] | undefined;
  anyOf?: readonly (Shape | boolean)[] | undefined;
  oneOf?: readonly (Shape | boolean)[] | undefined;
  allOf?: readonly (Shape | boolean)[] | undefined;
}

/**
 * A copy of the value without the keys that its JSON Schema does not name, and a warning for each, with the nearest key
 * that there is. A schema with `additionalProperties: {...}` is a map with free keys: every key is known.
 */
export const dropUnknownKeys = (value: unknown, schema: Shape): { value: unknown; warnings: Problem[] } => {
  const warnings: Problem[] = [];
  return { value: walk(value, [schema], [], warnings), warnings };
};

/** Whether every key of a value is still there after a schema has read it: then none was unknown. */
export const hasKeptKeys = (before: unknown, after: unknown): boolean => {
  if (typeof before !== 'object' || before === null) return true;
  if (typeof after !== 'object' || after === null) return false;
  return Object.entries(before).every(
    ([key, value]) => Object.hasOwn(after, key) && hasKeptKeys(value, Reflect.get(after, key)),
  );
};

const isShape = (shape: Shape | boolean): shape is Shape => typeof shape === 'object';

const alternatives = (shape: Shape): Shape[] => [
  shape,
  ...[shape.anyOf, shape.oneOf, shape.allOf].flatMap((some) =>
    (some ?? []).filter(isShape).flatMap(alternatives),
  ),
];

const walk = (value: unknown, shapes: readonly Shape[], path: Path, warnings: Problem[]): unknown => {
  const all = shapes.flatMap(alternatives);
  if (Array.isArray(value)) {
    const items = all.flatMap((shape) => shape.items ?? []).filter(isShape);
    return items.length === 0 ? value : value.map((item, at) => walk(item, items, [...path, at], warnings));
  }
  const maps = all.filter((shape) => shape.properties ?? shape.additionalProperties);
  if (typeof value !== 'object' || value === null || maps.length === 0) return value;
  const free = maps.flatMap((shape) => shape.additionalProperties ?? []).filter(isShape);
  const open = free.length > 0 || maps.some((shape) => shape.additionalProperties === true);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const here = [...path, key];
    const own = maps.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? (properties[key] ?? []) : [],
    );
    if (own.length === 0 && !open) {
      warnings.push({ path: here, atKey: true, text: unknownKey(key, maps) });
      return [];
    }
    return [[key, walk(one, own.length > 0 ? own.filter(isShape) : free, here, warnings)] as const];
  });
  return Object.fromEntries(entries);
};

const unknownKey = (key: string, maps: readonly Shape[]): string => {
  const known = maps.flatMap((shape) => Object.keys(shape.properties ?? {}));
  const near = nearestWord(key, known);
  const right = near === undefined ? `known here: ${known.join(', ')}` : `did you mean "${near}"?`;
  return `unknown key "${key}", ignored; ${right}`;
};
