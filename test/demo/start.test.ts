import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { incidents, startDemo, type Demo } from '../../src/demo/start.ts';

const run = promisify(execFile);
const log: string[] = [];

describe('the demo in its thread', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ incident: 'quiet', log: (line) => log.push(line) });
  });
  afterAll(() => demo.close());

  const ssh = async (host: string, command: string): Promise<string> =>
    (await run('ssh', ['-F', join(demo.folder, 'ssh_config'), host, command])).stdout;

  it('answers, and tells what was run', async () => {
    expect(await ssh('admin1', 'hostname; mkdir /var/lib/faultline/x')).toBe('admin1\n');
    const calls = await demo.calls();
    expect(calls.at(-1)).toMatchObject({
      host: 'admin1',
      argv: ['mkdir', '/var/lib/faultline/x'],
      mutated: true,
    });
  });

  it('takes faults, and refuses hosts and incidents it does not have', async () => {
    await demo.fault('admin1', 'off');
    await expect(ssh('admin1', 'true')).rejects.toThrow(/reset/);
    await demo.fault('admin1', 'fine');
    expect(await ssh('admin1', 'echo back')).toBe('back\n');
    await expect(demo.fault('nosuch', 'off')).rejects.toThrow('no host nosuch');
    await expect(demo.start('nigth')).rejects.toThrow('did you mean night?');
  });

  it('says nothing on its own', () => {
    expect(log).toEqual([]);
  });
});

describe('starting and ending the demo', () => {
  it('refuses an incident that nobody knows, with the nearest one', async () => {
    await expect(startDemo({ incident: 'quit', log: () => undefined })).rejects.toThrow(
      'did you mean quiet?',
    );
  });

  it('lists each incident once, with its text', () => {
    const names = incidents().map(({ name }) => name);
    expect(names).toContain('night');
    expect(names).toContain('quiet');
    expect(new Set(names).size).toBe(names.length);
    expect(incidents().every(({ text }) => text.length > 5)).toBe(true);
  });

  it('leaves nothing behind', async () => {
    const demo = await startDemo({ incident: 'quiet', log: () => undefined });
    expect(existsSync(demo.siteFile)).toBe(true);
    await demo.close();
    expect(existsSync(demo.folder)).toBe(false);
    await expect(demo.calls()).rejects.toThrow(/ended/);
  });
});
