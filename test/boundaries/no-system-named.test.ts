import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { actionSets } from '../../src/registries/actions.ts';
import { loadFormats } from '../../src/registries/formats.ts';
import { systems } from '../../src/registries/systems.ts';
import { NOT_READ } from '../../src/model/finding.ts';
import { chapter, codeIn, rowsOf } from '../docs/markdown.ts';

const formats = await loadFormats();

/** Rooms that know no system by name: what they know of one, they are told by it. */
const rooms = ['src/collect', 'src/remedy', 'components', 'src/commands'];

const files = rooms.flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`));

/**
 * A file without its comments and without the names of properties in types (`Pick<SiteView, 'hosts'>`): what the program compares, shows
 * or makes names of.
 */
const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\b(?:Pick|Omit)<[^<>]*>/g, '');

/** The texts in quotes of such code. */
const literalsOf = (code: string): string[] =>
  [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? (template ?? '').replace(/\$\{[^}]*\}/g, '$'),
  );

const ids = [...new Set([...systems.map(({ id }) => id), ...actionSets.map(({ system }) => system)])];

/** Kinds of findings, from the chapters of the systems, which a test holds against their sources. */
const kinds = [
  ...new Set(
    ids.flatMap((id) =>
      globSync(`docs/systems/${id}.md`)
        .flatMap((path) => rowsOf(chapter(path), 'kind'))
        .flatMap(({ kind }) => codeIn(kind)),
    ),
  ),
];

/** Kinds that no other word is spelled like. */
const isTelling = (kind: string): boolean => /[-A-Z]/.test(kind);

/** Kinds of failures and of lines in the shared folder have these names, too. */
const othersToo = new Set(['unreachable', 'unreadable', 'window']);

/** The rest (`locks`, `failed`) are words that others use as well: there only a comparison with a kind counts. */
const plainKinds = kinds.filter((kind) => !isTelling(kind) && !othersToo.has(kind));
const comparesKind = new RegExp(`\\bkind\\s*[!=]==?\\s*['"](?:${plainKinds.join('|')})['"]`);

describe('no system is known by name', () => {
  it('the lists hold what there is', () => {
    expect(ids).toEqual(expect.arrayContaining(['slurm', 'switch', 'lustre', 'gluster', 'iperf', 'hosts']));
    expect(kinds).toEqual(expect.arrayContaining(['drained-group', 'bad-link', 'host-unreachable']));
    expect(Object.keys(formats).length).toBeGreaterThan(10);
    expect(files.length).toBeGreaterThan(200);
  });

  it.each(files)('%s', (path) => {
    const code = codeOf(readFileSync(path, 'utf8'));
    const literals = literalsOf(code);
    const named = new RegExp(`(?<![A-Za-z0-9-])(?:${ids.join('|')})[.:](?=[a-zA-Z$*])`);
    expect(literals.filter((literal) => named.test(literal))).toEqual([]);
    expect(literals.filter((literal) => ids.includes(literal))).toEqual([]);
    expect(
      literals.filter((literal) => literal !== NOT_READ && isTelling(literal) && kinds.includes(literal)),
    ).toEqual([]);
    expect(comparesKind.exec(code)?.[0]).toBeUndefined();
    expect(/(?:from|import)\b\s*\(?\s*['"`][^'"`]*probes\//.exec(code)?.[0]).toBeUndefined();
  });

  it('finds what it is to find', () => {
    expect(literalsOf(codeOf("const a: Pick<S, 'hosts'> = b('slurm:x');\n// 'lustre'"))).toEqual(['slurm:x']);
    expect(comparesKind.test("finding.kind === 'locks'")).toBe(true);
    expect(comparesKind.test("subject.kind === 'host'")).toBe(false);
  });
});
