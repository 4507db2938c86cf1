import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError, jsonText } from '../../src/commands/io.ts';
import { run } from '../../src/commands/parse.ts';
import type { ParseOptions } from '../../src/commands/options.ts';
import { loadFormat, loadFormats } from '../../src/registries/formats.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { fakeIo } from './fake-io.ts';

const formats = await loadFormats();

let folder: string;
beforeAll(() => {
  folder = emptyFolder('parse');
});

const parse = async (options: ParseOptions, stdin: string | Uint8Array = '') => {
  const fake = fakeIo(stdin);
  const code = await run(options, fake.io);
  return { code, out: fake.out(), err: fake.err() };
};

const devices = '  0 UP mgc MGC10.0.0.1@tcp 8bd9c3a1-0000-0000-0000-000000000001 5\n';

describe('parse', () => {
  it.each(Object.keys(formats))('loads the readers of one system for %s', async (name) => {
    expect(await loadFormat(name)).toBe(formats[name]);
  });

  it.each(['', 'slurm', 'slurm.', 'slurm.toString', '__proto__.x', 'constructor.name'])(
    'has no format %j',
    async (name) => {
      expect(await loadFormat(name)).toBeUndefined();
    },
  );

  it('prints one JSON document, from standard input or a file', async () => {
    const file = join(folder, 'dl.txt');
    writeFileSync(file, devices);
    const { code, out, err } = await parse({ format: 'lustre.devices' }, devices);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ devices: [{ index: 0, name: 'MGC10.0.0.1@tcp', refs: 5 }] });
    expect((await parse({ format: 'lustre.devices', file })).out).toBe(out);
  });

  it('hands standard error and exit code to the parser; a reported failure is exit 0', async () => {
    const stderr = join(folder, 'err.txt');
    writeFileSync(stderr, 'Connection failed. Please check if gluster daemon is operational.\n');
    const { code, out } = await parse({ format: 'gluster.cli', stderr, exit: 1 });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: false, kind: 'daemonDown' });
  });

  it('exits 65 with nothing on standard output when it is not the format at all', async () => {
    const { code, out, err } = await parse({ format: 'gluster.volumes' }, 'this is prose\u001b[2J');
    expect({ code, out }).toEqual({ code: 65, out: '' });
    expect(err).toMatch(/^faultline: this is not gluster\.volumes: /);
    expect(err).not.toContain('\u001b');
  });

  it('says of a switch what was looked for, and that it must be whole', async () => {
    const said = async (options: object) =>
      (await parse({ format: 'switch.counters', ...options }, 'this is prose\n')).err;
    expect(await said({ platform: 'dell_ftos' })).toBe(
      'faultline: this is not switch.counters: dell_ftos does not print counters so; it must be the whole output of one command\n',
    );
    expect(await said({})).toContain('no platform that is known prints counters so');
  });

  it.each<[ParseOptions, string]>([
    [{ format: 'slurm.node' }, 'unknown format "slurm.node"; did you mean "slurm.nodes"?'],
    [
      { format: 'lustre.devices', platform: 'dell_fots' },
      'unknown platform "dell_fots"; did you mean "dell_ftos"?',
    ],
    [{ format: 'lustre.devices', tz: 'Nowhere/Land' }, '"Nowhere/Land" is not a time zone'],
    [{ format: 'lustre.devices', file: '/nowhere/x' }, "can't read /nowhere/x"],
    [{ format: 'lustre.devices', stderr: '/nowhere/y' }, "can't read /nowhere/y"],
    [{ format: 'lustre.devices', file: '/dev/zero' }, '/dev/zero holds more than 256 MB'],
  ])('%o is a usage error', async (options, message) => {
    await expect(parse(options)).rejects.toThrow(UsageError);
    await expect(parse(options)).rejects.toThrow(message);
  });

  it('is 0 or 65 for every format and whatever the input: no input crashes a parser', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"nodes"',
      ':',
      'NodeName=n1',
      'State=IDLE',
      '<cliOutput>',
      '</',
      'UUID',
      '\n',
      ' ',
      '\t',
      '\u001b[31m',
      '-',
      '1',
      '18446744073709551616',
      'Reason=x [root@2026-',
      '%',
      'OST0000_UUID',
      'lock',
      '=',
    );
    const input = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 80 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(formats)), input, async (format, bytes) => {
        const { code, out } = await parse({ format }, bytes);
        expect([0, 65]).toContain(code);
        if (code === 65) expect(out).toBe('');
        else JSON.parse(out);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('jsonText', () => {
  it('writes big integers with all their digits, unquoted', () => {
    expect(jsonText({ rx: 18446744073709551615n, n: -1n, text: '1' })).toBe(
      '{"rx":18446744073709551615,"n":-1,"text":"1"}',
    );
  });

  it('escapes what is no valid text', () => {
    expect(jsonText('\udc80')).toBe('"\\udc80"');
  });
});
