import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const top = join(import.meta.dirname, '../..');

/** `nodes.reasonAt`, `sdiag.rpcs.count`: every value that a reading of this schema carries. */
export const valuesIn = (name: string, schema: z.ZodType): string[] => {
  if (schema instanceof z.ZodOptional) return valuesIn(name, schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return valuesIn(name, schema.element as z.ZodType);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, inner]) =>
      valuesIn(`${name}.${key}`, inner),
    );
  return [name];
};

export interface ValueRow {
  value: string;
  /** What the chapter says becomes of it. */
  outcome: string;
}

/** The rows of the chapter's table "What becomes of each value": a row may name several values. */
export const valueRows = (system: string): ValueRow[] => {
  const text = readFileSync(join(top, `docs/systems/${system}.md`), 'utf8');
  const section = /^## What becomes of each value\n([\s\S]*?)(?=^## )/m.exec(text)?.[1] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const cells = line.split('|').map((cell) => cell.trim());
      const outcome = cells[3] ?? '';
      return [...(cells[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, value = '']) => ({ value, outcome }));
    });
};

/** Kinds that the chapter's table of findings lists. */
const findingKinds = (system: string): ReadonlySet<string> => {
  const text = readFileSync(join(top, `docs/systems/${system}.md`), 'utf8');
  const section = /^## Findings\n([\s\S]*?)(?=^## )/m.exec(text)?.[1] ?? '';
  return new Set([...section.matchAll(/^\| `([^`]+)`/gm)].map(([, kind = '']) => kind));
};

/** All code of a system that decides or shows, in one text. */
export const codeOf = (system: string): string =>
  ['judge', 'view', 'act', 'ask', 'sweep']
    .flatMap((stage) => {
      const folder = join(top, 'probes', system, stage);
      try {
        return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
      } catch {
        return [];
      }
    })
    .join('\n');

/** What is wrong with a row: an outcome of none of the three kinds, a finding that is not there, a value that no code reads. */
export const problemWith = (
  { value, outcome }: ValueRow,
  system: string,
  code: string,
): string | undefined => {
  const kinds = [...outcome.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => kind);
  const unknown = kinds.filter((kind) => !findingKinds(system).has(kind));
  if (unknown.length > 0) return `${value}: no finding ${unknown.join(', ')}`;
  if (outcome.startsWith('ignored: ')) return undefined;
  const key = value.split('.').at(-1) ?? '';
  if (!new RegExp(`\\b${key}\\b`).test(code)) return `${value} is read by no code of ${system}`;
  return kinds.length > 0 || /^(?:shown|used)/.test(outcome) ? undefined : `${value}: ${outcome}`;
};
