import { expect, it } from 'vitest';
import * as z from 'zod';
import { systems } from '../../src/registries/systems.ts';
import { siteJsonSchema } from '../../src/site/schema.ts';

const node = z.object({
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** Keys below one that say too little: `hosts[].names: no description`. */
const undescribed = (schema: unknown, path: string): string[] => {
  const { properties, items, additionalProperties: free } = node.parse(schema);
  // A map with names of the site's own.
  const inMap = typeof free === 'object' && free !== null ? undescribed(free, `${path}.NAME`) : [];
  const inItems = items === undefined ? [] : undescribed(items, `${path}[]`);
  const inProperties = Object.entries(properties ?? {}).flatMap(([name, value]) => {
    const key = path === '' ? name : `${path}.${name}`;
    const {
      description,
      examples,
      default: initial,
      properties: below,
      items: each,
      additionalProperties: map,
    } = node.parse(value);
    const holdsMore =
      below !== undefined ||
      (typeof map === 'object' && map !== null && node.parse(map).properties !== undefined) ||
      (each !== undefined && node.parse(each).properties !== undefined);
    const isSection = path === '' && systems.some(({ id }) => id === name);
    return [
      ...(description === undefined && !isSection ? [`${key}: no description`] : []),
      ...(!holdsMore && initial === undefined && examples === undefined
        ? [`${key}: no default, no example`]
        : []),
      ...undescribed(value, key),
    ];
  });
  return [...inItems, ...inMap, ...inProperties];
};

it('every key of the site file is described, with its default or an example', () =>
  expect(undescribed(JSON.parse(siteJsonSchema({ systems })), '')).toEqual([]));
