import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { actionSets } from '../../src/registries/actions.ts';
import { formats } from '../../src/registries/formats.ts';
import { systems } from '../../src/registries/systems.ts';
import { chapter, codeIn, rowsOf } from '../docs/markdown.ts';

/** Rooms that know no system by name: what they know of one, they are told by it. */
const rooms = ['src/collect', 'src/remedy', 'components', 'src/commands'];

const files = rooms.flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`));

/** The texts in quotes of a file, without its comments: what the program compares, shows or makes names of. */
const literalsOf = (text: string): string[] => {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? (template ?? '').replace(/\$\{[^}]*\}/g, '$'),
  );
};

const ids = [...new Set([...systems.map(({ id }) => id), ...actionSets.map(({ system }) => system)])];

/**
 * Kinds of findings, from the chapters of the systems, which a test holds against their sources. Those of a single word (`locks`, `failed`)
 * are words that others use too; who compares a finding's kind with one is found by the system's id.
 */
const kinds = [
  ...new Set(
    ids.flatMap((id) =>
      globSync(`docs/systems/${id}.md`)
        .flatMap((path) => rowsOf(chapter(path), 'kind'))
        .flatMap(({ kind }) => codeIn(kind)),
    ),
  ),
].filter((kind) => kind.includes('-'));

describe('no system is known by name', () => {
  it('the lists hold what there is', () => {
    expect(ids).toEqual(expect.arrayContaining(['slurm', 'switch', 'lustre', 'gluster', 'iperf', 'hosts']));
    expect(kinds).toEqual(expect.arrayContaining(['drained-group', 'bad-link', 'host-unreachable']));
    expect(Object.keys(formats).length).toBeGreaterThan(10);
    expect(files.length).toBeGreaterThan(200);
  });

  it.each(files)('%s', (path) => {
    const text = readFileSync(path, 'utf8');
    const literals = literalsOf(text);
    const named = new RegExp(`(?<![A-Za-z0-9-])(?:${ids.join('|')})[.:](?=[a-zA-Z$*])`);
    expect(literals.filter((literal) => named.test(literal))).toEqual([]);
    expect(literals.filter((literal) => literal !== 'hosts' && ids.includes(literal))).toEqual([]);
    expect(literals.filter((literal) => kinds.includes(literal))).toEqual([]);
    expect(text).not.toMatch(/from '[^']*probes\//);
  });
});
