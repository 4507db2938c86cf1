import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';

/** The part of esbuild's metafile that says what ends up where. */
interface Meta {
  outputs: Record<
    string,
    {
      entryPoint?: string;
      inputs: Record<string, unknown>;
      imports: { path: string; kind: string; external?: boolean }[];
    }
  >;
}

const root = join(import.meta.dirname, '../..');
let folder: string;
let meta: Meta;

beforeAll(() => {
  folder = emptyFolder('build');
  mkdirSync(join(folder, 'empty'));
  execFileSync(process.execPath, ['scripts/build.ts', join(folder, 'dist')], { cwd: root });
  meta = JSON.parse(readFileSync(join(folder, 'dist/meta.json'), 'utf8')) as Meta;
});

/** The built program, from an empty folder, with nothing of this one in reach. */
const faultline = (words: readonly string[], input = '') =>
  spawnSync(process.execPath, [join(folder, 'dist/faultline.mjs'), ...words], {
    cwd: join(folder, 'empty'),
    env: { PATH: '/usr/bin:/bin', HOME: folder, TMPDIR: folder },
    encoding: 'utf8',
    input,
  });

/** All modules that a bundled entry can come to load, now or later; with `false` only those that it can't begin without. */
const modulesOf = (entry: string, later = true): string[] => {
  const byName = new Map(Object.entries(meta.outputs).map(([path, output]) => [basename(path), output]));
  const start = [...byName].find(([, output]) => output.entryPoint === entry)?.[0];
  if (start === undefined) throw new Error(`${entry} is no entry of the bundle`);
  const seen = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const imports = (byName.get(name)?.imports ?? []).filter(
      ({ kind }) => later || kind !== 'dynamic-import',
    );
    open.push(...imports.map(({ path, external }) => (external ? path : basename(path))));
  }
  return [...seen].flatMap((name) => Object.keys(byName.get(name)?.inputs ?? { [name]: {} }));
};

const remedies = (modules: readonly string[]): string[] =>
  modules.filter((path) =>
    /^src\/remedy\/|^src\/registries\/actions\.ts|^src\/assemble\/remedy\.ts|^probes\/[^/]+\/act\/|^probes\/.*\/shut\.ts/.test(
      path,
    ),
  );

describe('the bundle', () => {
  it('runs from an empty folder', () => {
    const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
      .version;
    expect(faultline(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('brings the licence text of every package in it', () => {
    const inputs = Object.values(meta.outputs).flatMap((output) => Object.keys(output.inputs));
    const names = new Set(
      inputs.flatMap(
        (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1] ?? [],
      ),
    );
    const texts = readFileSync(join(folder, 'dist/LICENCES.txt'), 'utf8').split(/^-{80}$/m);
    expect(names.size).toBeGreaterThan(30);
    for (const name of names) {
      const own = texts.filter((text) => text.trimStart().startsWith(`${name} `));
      expect(own, name).not.toEqual([]);
      for (const text of own) expect(text).toMatch(/permission|licen[cs]e|public domain/i);
      for (const text of own) expect(text.length, name).toBeGreaterThan(400);
    }
  });

  it('parses, exits and complains as from source', () => {
    const devices = '  0 UP mgc MGC10.0.0.1@tcp 8bd9c3a1-0000-0000-0000-000000000001 5\n';
    expect(JSON.parse(faultline(['parse', 'lustre.devices'], devices).stdout)).toMatchObject({
      devices: [{ refs: 5 }],
    });
    expect(faultline(['parse', 'gluster.volumes'], 'prose').status).toBe(65);
    expect(faultline(['statsu']).status).toBe(64);
    expect(faultline(['status']).status).toBe(78);
    expect(faultline([])).toMatchObject({ status: 64, stderr: expect.stringContaining('terminal') });
  });

  it('starts the demo, with its thread and its SSH servers', () => {
    const { status, stdout } = faultline(['doctor', '--demo', '--incident', 'quiet', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ site: 'demo' });
    expect(status).toBe(0);
  });

  it('is quiet when the reader has seen enough', () => {
    const command = `${process.execPath} ${join(folder, 'dist/faultline.mjs')} --help | head -1`;
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({
      stdout: 'Usage: faultline [--site FILE] [--read-only]\n',
      stderr: '',
    });
  });
});

describe('the module graph', () => {
  it.each(['src/threads/worker-readonly.ts', 'src/commands/wall.ts', 'src/threads/parse-worker.ts'])(
    'of %s holds no remedy code',
    (entry) => {
      expect(remedies(modulesOf(entry))).toEqual([]);
    },
  );

  it('of the other worker does: the look-out above is no empty one', () => {
    const found = remedies(modulesOf('src/threads/worker.ts'));
    for (const place of [
      'src/remedy/engine.ts',
      'src/registries/actions.ts',
      'src/assemble/remedy.ts',
      'probes/slurm/act/drain.ts',
      'probes/switch/platforms/dell-ftos/shut.ts',
    ])
      expect(found).toContain(place);
  });

  it('of the first frame holds nothing of the collecting, no schema and no cryptography', () => {
    const entries = [
      'src/faultline.ts',
      'src/main.ts',
      'src/commands/console-on-sites.ts',
      'src/commands/known-site.ts',
      'src/site/find.ts',
      'components/console.ts',
      'components/mirror.ts',
      'components/start.tsx',
      'components/theme.ts',
    ];
    const loaded = entries.flatMap((entry) => modulesOf(entry, false));
    expect(loaded.filter((path) => /node_modules\/ink\//.test(path)).length).toBeGreaterThan(10);
    const unwanted =
      /node_modules\/(ssh2|zod|yaml|execa|fast-xml-parser)\/|^probes\/(?!\w+\/help\.ts)|^node:(crypto|https?|sqlite)$/;
    expect(loaded.filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('of all threads holds no languages of zod but English: `import { z }` brings every one into each of them', () => {
    const languages = Object.values(meta.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => path.includes('node_modules/zod/v4/locales/')),
    );
    expect(languages.map((path) => basename(path))).toEqual(['en.js']);
  });

  it('of the first step loads neither ssh2 nor the parsers', () => {
    const first = Object.values(meta.outputs).find(({ entryPoint }) => entryPoint === 'src/main.ts');
    expect(
      Object.keys(first?.inputs ?? {}).filter((path) =>
        /node_modules\/ssh2|^probes\/(?!\w+\/help\.ts)/.test(path),
      ),
    ).toEqual([]);
  });
});
