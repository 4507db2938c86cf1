import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';

/** The whole program, as it is typed. */
const faultline = (state: string, ...args: string[]): Promise<{ exit: number; out: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, XDG_STATE_HOME: state };
    execFile(process.execPath, [...programArgs(), ...args], { env }, (error, stdout, stderr) =>
      resolve({ exit: error === null ? 0 : Number(error.code), out: stdout + stderr }),
    );
  });

const resume = (state: string, node: string) =>
  faultline(state, 'act', 'slurm.resume', node, '--incident', 'hdfs-lost', '--confirm', 'y');

const logIn = (state: string): string => join(state, 'faultline', 'simulated-demo', 'audit.jsonl');

let night: string;
beforeAll(async () => {
  night = emptyFolder('night');
  const done = await resume(night, 'node12');
  expect(done).toMatchObject({ exit: 0, out: expect.stringContaining('done and verified') });
});

describe('act after the audit log was changed', () => {
  it.each([
    [
      'one bit changed',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.writeUInt8(bytes.readUInt8(100) ^ 4, 100);
        writeFileSync(file, bytes);
      },
      'line 1 ',
    ],
    ['emptied', (file: string) => truncateSync(file), 'the log is empty, and its head names record 2'],
    ['deleted', (file: string) => rmSync(file), 'the log is gone: its head names record 2'],
    ['without its head', (file: string) => rmSync(`${file}.head`), 'the head file beside the log is missing'],
    [
      'cut, its head removed',
      (file: string) => {
        writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0]}\n`);
        rmSync(`${file}.head`);
      },
      'the head file beside the log is missing',
    ],
  ])('exits 4: %s', async (_, change, says) => {
    const state = emptyFolder('state');
    cpSync(night, state, { recursive: true });
    change(logIn(state));
    const refused = await resume(state, 'node13');
    expect(refused.exit).toBe(4);
    expect(refused.out).toContain('refused (14 audit): the audit log is damaged: ');
    expect(refused.out).toContain(says);
    expect(refused.out).toContain('faultline audit seal --file ');
  });

  it('exits 4 when the state folder is a file now, and writes nowhere else', async () => {
    const state = emptyFolder('state');
    mkdirSync(join(state, 'faultline'), { recursive: true });
    writeFileSync(join(state, 'faultline', 'simulated-demo'), '');
    const refused = await resume(state, 'node13');
    expect(refused.exit).toBe(4);
    expect(refused.out).toMatch(
      /refused \(14 audit\): audit log cannot be written: the state folder can't be used/,
    );
  });

  it('exits 0 again after audit seal', async () => {
    const state = emptyFolder('state');
    cpSync(night, state, { recursive: true });
    rmSync(`${logIn(state)}.head`);
    expect(await faultline(state, 'audit', 'verify')).toMatchObject({ exit: 1 });
    expect(await faultline(state, 'audit', 'seal')).toMatchObject({ exit: 64 });
    expect(await faultline(state, 'audit', 'verify', '--reason', 'x')).toMatchObject({ exit: 64 });
    expect(await faultline(state, 'audit', 'seal', '--reason', 'the head was lost')).toMatchObject({
      exit: 0,
    });
    expect(await resume(state, 'node13')).toMatchObject({ exit: 0 });
    expect(await faultline(state, 'audit', 'verify')).toMatchObject({ exit: 0 });
    expect(readdirSync(join(logIn(state), '..')).sort()).toEqual(
      expect.arrayContaining(['audit.jsonl', 'audit.jsonl.head', 'begun.jsonl', 'sealed-1']),
    );
  });
});
