import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/commands/parse.ts';
import { loadFormats } from '../../src/registries/formats.ts';
import { sharedPath } from '../helpers/shared-folder.ts';
import { differences, parseExact } from './compare.ts';

const formats = await loadFormats();

/** Captures of real machines, kept beside the repository and never in it: some may not be copied. */
const fixtures = sharedPath('fixtures');

interface Entry {
  file: string | null;
  format: string;
  platform?: string;
  stderr?: string;
  exit?: number;
  expected: string;
}

const folders = fixtures === undefined ? [] : readdirSync(fixtures).map((name) => join(fixtures, name));

const entries = folders
  .filter((folder) => existsSync(join(folder, 'index.json')))
  .flatMap((folder) => {
    const list = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Entry[];
    return list.map((entry) => ({ ...entry, folder }));
  });

const known = entries.filter(({ format }) => Object.hasOwn(formats, format));
const unknown = entries.filter(({ format }) => !Object.hasOwn(formats, format));

if (unknown.length > 0) {
  const names = [...new Set(unknown.map(({ format }) => format))].sort().join(', ');
  process.stderr.write(
    `conformance: ${unknown.length} of ${entries.length} captures skipped, formats to come: ${names}\n`,
  );
}

/** What the program prints and how it exits, as a person would call it. */
const parse = async (
  entry: Entry & { folder: string },
): Promise<{ code: number; out: string; err: string }> => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const { format, file, platform, exit, stderr: errors, folder } = entry;
  const code = await run(
    {
      format,
      ...(file === null ? {} : { file: join(folder, file) }),
      ...(platform === undefined ? {} : { platform }),
      ...(exit === undefined ? {} : { exit }),
      ...(errors === undefined ? {} : { stderr: join(folder, errors) }),
    },
    { stdin, stdout, stderr, env: {} },
  );
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
};

describe.skipIf(known.length === 0)('captures', () => {
  it.for(known)('$format $file', async (entry) => {
    const { code, out, err } = await parse(entry);
    expect(err).toBe('');
    expect(code).toBe(0);
    const expected = parseExact(readFileSync(join(entry.folder, entry.expected), 'utf8'));
    expect(differences(parseExact(out), expected)).toEqual([]);
  });
});
