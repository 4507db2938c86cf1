import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellText } from '../../scripts/shell-text.ts';
import { ScriptHost, shells } from './script-host.ts';

const scripts = globSync('{src,probes}/**/*.sh').toSorted();

/** What a script takes from files beside it, as paths. */
const includedBy = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^\s*\. (\S+\.sh)$/gm)].flatMap(([, beside = '']) => {
    const file = join(dirname(path), beside);
    return [file, ...includedBy(file)];
  });

describe.each(scripts)('%s', (path) => {
  it.each(shells)('is read by %s', async (shell) => {
    const { complaints, status } = await new ScriptHost(shell).runText(
      `sh -n <<'END_OF_ALL'\n${shellText(path)}\nEND_OF_ALL`,
    );
    expect(complaints).toBe('');
    expect(status).toBe(0);
  });

  it('says what it is for, and which shell it is checked as', () =>
    expect(shellText(path).length).toBeGreaterThan(0));
});

it('dash, busybox and bash are there in CI', () => {
  if (process.env['CI'] !== undefined) expect(shells).toHaveLength(3);
});

it('every script is run by each of them, or is part of one that is', () => {
  const tests = globSync([
    'test/scripts/{checks,clush,core,discoveries,gluster,iperf,nfs,prometheus,storage,strangers,switch,tasks}.test.ts',
    'test/switch/system/undo-timer.test.ts',
  ]).map((path) => readFileSync(path, 'utf8'));
  const isRun = (path: string): boolean => {
    const folder = dirname(path);
    const name = basename(path, '.sh');
    return tests.some(
      (text) =>
        text.includes(`'${path}'`) || (text.includes(`\`${folder}/$`) && text.includes(`('${name}')`)),
    );
  };
  const run = scripts.filter(isRun);
  const covered = new Set([...run, ...run.flatMap(includedBy)]);
  expect(scripts.filter((path) => !covered.has(path))).toEqual([]);
});

it.each(shells)('a script is run by %s and no other', async (shell) => {
  const { said } = await new ScriptHost(shell).runText(
    'readlink /proc/$$/exe; sh -c "readlink /proc/\\$\\$/exe; :"',
  );
  expect(said).toBe(`/usr/bin/${shell}\n/usr/bin/${shell}\n`);
});
