import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Probe } from '../../src/model/system.ts';
import { systems } from '../../src/registries/systems.ts';
import { chapter, codeIn, rowsOf, top } from './markdown.ts';

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
}

/** `osps.prealloc`: every value that a reading carries; lists and unions are looked through. */
const valuesIn = ({ properties, items, anyOf, oneOf }: Shape, path = ''): string[] => {
  if (properties)
    return Object.entries(properties).flatMap(([key, shape]) =>
      valuesIn(shape, path === '' ? key : `${path}.${key}`),
    );
  const inner = [...(items ? [items] : []), ...(anyOf ?? []), ...(oneOf ?? [])];
  const below = inner.flatMap((shape) => valuesIn(shape, path));
  return below.length > 0 ? below : [path];
};

/** What a system makes of its readings: its code without that which reads, or plays the daemons. */
const codeBeside = (id: string): string =>
  readdirSync(join(top, 'probes', id), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^(?:read|simulate)\/|^readings/.test(path))
    .map((path) => readFileSync(join(top, 'probes', id, path), 'utf8'))
    .join('\n');

const told = systems.filter(({ id }) => rowsOf(chapter(`docs/systems/${id}.md`), 'value').length > 0);

/** A value that is read and that nobody looks at is a question nobody asked: each has its row, with the finding or why there is none. */
describe.each(told)('values read of $id', (system) => {
  const page = chapter(`docs/systems/${system.id}.md`);
  const rows = rowsOf(page, 'value');
  const named = rows.flatMap(({ value }) => codeIn(value));

  test('each value of each reading has its row', () => {
    const valuesOf = (probes: readonly Probe[]): string[] =>
      probes.flatMap(({ id, schema }) =>
        valuesIn(z.toJSONSchema(schema, { unrepresentable: 'any' }) as Shape).map(
          (path) => `${id.slice(system.id.length + 1)}.${path}`,
        ),
      );
    const possible = new Set(valuesOf(system.probes));
    // What two probes read by one schema may have one row.
    const needed = valuesOf(
      system.probes.filter(
        ({ schema }, at) => system.probes.findIndex((other) => other.schema === schema) === at,
      ),
    );
    expect(needed.filter((value) => !named.includes(value))).toEqual([]);
    expect(named.filter((value) => !possible.has(value))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  test('what is told or shown of a value is made of it', () => {
    const code = codeBeside(system.id);
    const unused = rows
      .filter((row) => row['told by']?.startsWith('none: ') !== true)
      .flatMap(({ value }) => codeIn(value))
      .filter((value) => !new RegExp(`\\b${value.split('.').at(-1)}\\b`).test(code));
    expect(unused).toEqual([]);
  });

  test('each row names findings that exist, or says why there is none', () => {
    const kinds = rowsOf(page, 'kind').flatMap(({ kind }) => codeIn(kind));
    for (const row of rows) {
      const by = row['told by'] ?? '';
      if (/^(shown|used|none): \S+/.test(by)) continue;
      expect(codeIn(by), row['value']).not.toEqual([]);
      for (const kind of codeIn(by)) expect(kinds, row['value']).toContain(kind);
    }
  });
});

test('each system says it of its own', () => {
  expect(told).toEqual(systems);
});
