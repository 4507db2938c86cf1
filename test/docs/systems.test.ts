import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { System } from '../../src/model/system.ts';
import { subjectKinds } from '../../src/model/subject.ts';
import { actionSets } from '../../src/registries/actions.ts';
import { findingsIndex } from '../../scripts/readme.ts';
import { systems } from '../../src/registries/systems.ts';
import { chapter, codeIn, rowsOf, spansOf, top } from './markdown.ts';
import { sourcesOf } from './sources.ts';

/** `10 s`, `2 min`, `on demand`: as the chapters write an interval. */
const interval = (ms: number): string =>
  ms === 0 ? 'on demand' : ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} min`;

const tests = sourcesOf('test').map(({ text }) => text);

/** Kinds that the sources write as a word beside a severity, and those that tests name in an id. */
const kindsIn = ({ id }: Pick<System, 'id'>): Set<string> => {
  const own = sourcesOf(`probes/${id}`).filter(({ name }) => !/simulat/.test(name));
  const beside = own.flatMap(({ text }) =>
    [...text.matchAll(/\bkind: '([A-Za-z-]+)'/g)].flatMap((match) => {
      const around = text.slice(Math.max(0, match.index - 300), match.index + 300);
      return /severity/.test(around) ? [match[1] ?? ''] : [];
    }),
  );
  const ids = own.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`[\`']${id}:([A-Za-z-]+):`, 'g'))].map((match) => match[1] ?? ''),
  );
  const subjects: readonly string[] = subjectKinds;
  return new Set([...beside, ...ids].filter((kind) => !subjects.includes(kind)));
};

const causesOf = ({ causes = [] }: System): string[] => [...new Set(causes.map(({ name }) => name))];

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
}

/** `check.command`: keys of a section as far as they are fixed. */
const settingsIn = ({ properties = {} }: JsonSchema): string[] =>
  Object.entries(properties).flatMap(([key, value]) =>
    value.properties ? settingsIn(value).map((rest) => `${key}.${rest}`) : [key],
  );

const sections = (JSON.parse(readFileSync(join(top, 'schema/site.schema.json'), 'utf8')) as JsonSchema)
  .properties;

describe.each(systems.map((system) => ({ page: `${system.id}.md`, system })))(
  'docs/systems/$page',
  ({ system }) => {
    const page = chapter(`docs/systems/${system.id}.md`);
    const words = new Set(spansOf(page));

    test('names every probe, how often it is asked and what it touches', () => {
      const rows = rowsOf(page, 'probe');
      expect(rows.flatMap(({ probe }) => codeIn(probe)).toSorted()).toEqual(
        system.probes.map(({ id }) => id).toSorted(),
      );
      for (const row of rows) {
        const probe = system.probes.find(({ id }) => id === codeIn(row['probe'])[0]);
        expect(row['every'], probe?.id).toBe(interval(probe?.everyMs ?? 0));
        if (row['touches'] !== undefined) expect(row['touches'], probe?.id).toBe(probe?.touches);
      }
      for (const { id, touches } of system.probes)
        if (touches !== 'nothing') expect(page.text, `${id} touches ${touches}`).toContain(touches);
    });

    test('names every action, with its class', () => {
      const actions = actionSets.find((set) => set.system === system.id)?.actions ?? [];
      const rows = [...rowsOf(page, 'action'), ...rowsOf(page, 'rung')];
      const named = rows.flatMap((row) =>
        codeIn(row['action'] ?? row['rung']).map((id) => `${id} ${row['class']}`),
      );
      expect(named.toSorted()).toEqual(actions.map(({ id, danger }) => `${id} ${danger}`).toSorted());
    });

    test('names every kind of finding that the sources make', () => {
      const named = rowsOf(page, 'kind').flatMap(({ kind }) => codeIn(kind));
      expect([...kindsIn(system)].filter((kind) => !named.includes(kind))).toEqual([]);
      for (const { causes } of system.causes ?? []) for (const kind of causes) expect(named).toContain(kind);
    });

    test('says of each finding how bad it is, what it says and what it rests on', () => {
      const rows = rowsOf(page, 'kind').filter(({ kind = '' }) => kind.startsWith('`'));
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows)
        for (const column of ['severity', 'what it says', 'what it rests on'])
          expect(row[column], `${row['kind']}, ${column}`).toMatch(/\S/);
    });

    test('its findings are in the index of README (node scripts/readme.ts)', () => {
      const line = chapter('README.md')
        .text.split('\n')
        .find((one) => one.includes(`${system.id}.md#findings)`));
      const kinds = rowsOf(page, 'kind').flatMap(({ kind }) => codeIn(kind));
      expect(codeIn(line)).toEqual(kinds);
      expect(findingsIndex().split('\n')).toContain(line);
    });

    test('names no kind that the sources do not know', () => {
      const own = sourcesOf(`probes/${system.id}`)
        .map(({ text }) => text)
        .join('\n');
      const unknown = rowsOf(page, 'kind')
        .flatMap(({ kind }) => codeIn(kind))
        .filter((kind) => {
          const parts = [kind, ...kind.split('-').map((_, at) => kind.split('-').slice(at).join('-'))];
          return (
            !parts.some((part) => own.includes(`'${part}'`)) &&
            !tests.some((text) => text.includes(`:${kind}:`))
          );
        });
      expect(unknown).toEqual([]);
    });

    test('names every setting', () => {
      expect(
        rowsOf(page, 'setting')
          .flatMap(({ setting }) => codeIn(setting))
          .toSorted(),
      ).toEqual(settingsIn(sections?.[system.id] ?? {}).toSorted());
    });

    test('names every cause, role and fact', () => {
      for (const name of causesOf(system))
        expect([...words, ...rowsOf(page, 'kind').flatMap(({ kind }) => codeIn(kind))]).toContain(name);
      for (const role of system.roles) expect([...words]).toContain(role);
    });
  },
);

test('every system has a chapter', () => {
  for (const { id } of systems) expect(() => chapter(`docs/systems/${id}.md`)).not.toThrow();
});
