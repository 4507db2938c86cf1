import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../probes/switch/platforms/index.ts';
import { platforms as ofTheSiteFile } from '../../src/site/platforms.ts';

const root = join(import.meta.dirname, '../..');
const room = join(root, 'probes/switch');

/** Every module that a module is made of, those of a type left out. */
const modulesOf = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import(?! type )|export)[^;]*? from '(\.[^']+\.tsx?)';/gm,
  ))
    modulesOf(join(dirname(file), path), found);
  return found;
};

const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

describe('platforms of switches', () => {
  it('are those that the site file may name', () => {
    expect(platforms.map(({ id }) => id).toSorted()).toEqual([...ofTheSiteFile].toSorted());
  });

  it.each(['src/registries/systems.ts', 'probes/switch/read/formats.ts'])(
    'what reads them knows nothing that shuts or plays one: %s',
    (entry) => {
      const known = [...modulesOf(join(root, entry))].map((file) => relative(room, file));
      expect(known.filter((file) => file.startsWith('platforms/')).length).toBeGreaterThan(40);
      expect(known.filter((file) => /^platforms\/.*(?:shut|simulate)|^simulate\//.test(file))).toEqual([]);
    },
  );

  it('no name of one is compared outside of its folder', () => {
    const names = new RegExp(`[!=]== '(?:${platforms.map(({ id }) => id).join('|')})'`);
    expect(files.filter((name) => names.test(readFileSync(join(room, name), 'utf8')))).toEqual([]);
  });

  it('only registries, simulators and the table of what devices say of themselves name them', () => {
    const names = new RegExp(`'(?:${platforms.map(({ id }) => id).join('|')})'`);
    const naming = files.filter(
      (name) => !/^platforms\/[^/]+\//.test(name) && names.test(readFileSync(join(room, name), 'utf8')),
    );
    expect(naming).toEqual(['platforms/described.ts', 'platforms/shut.ts', 'simulate/index.ts']);
  });
});
