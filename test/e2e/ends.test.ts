import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { programArgs } from '../helpers/source.ts';
import { start } from './driver.ts';

/** The program with something of ours in its process before it begins. */
const run = (before: string, ...args: string[]): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(before)}`, ...programArgs()];
    execFile(process.execPath, [...nodeArgs, ...args], { timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

describe('a command that does not come to its end', () => {
  it('because something is thrown that nobody catches is a defect, and no warning that it found', async () => {
    const { code, out, err } = await run(
      `process.stdin.on('newListener', () => setImmediate(() => { throw new Error('stray \\u001b[2J'); }))`,
      'parse',
      'slurm.nodes',
    );
    expect(err).toContain('faultline: a defect in the program: stray ^[[2J\n');
    expect({ code, out }).toEqual({ code: 70, out: '' });
  });

  it('because a promise is rejected that nobody awaits, as well', async () => {
    const { code, err } = await run(
      `setTimeout(() => void Promise.reject(new Error('forgotten')), 0)`,
      'parse',
      'slurm.nodes',
    );
    expect({ code, err }).toMatchObject({ code: 70, err: expect.stringContaining('program: forgotten\n') });
  });

  it('because it waits for nothing says so, where Node ends without a word of it', async () => {
    const { code, out, err } = await run(
      `process.stdout.write = () => true; process.exitCode = 0;`,
      'completion',
      'bash',
    );
    expect(err).toContain(
      'faultline: a defect in the program: nothing is left to wait for, and it has not ended\n',
    );
    expect({ code, out }).toEqual({ code: 70, out: '' });
  });

  it('and one that does leaves its own code and all that it wrote in a pipe', async () => {
    const { code, out, err } = await run('', 'completion', 'bash');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.endsWith('\n')).toBe(true);
  });
});

describe('a screen under which something is thrown that nobody catches', () => {
  const thrower = `process.on('SIGUSR2', () => { throw new Error('stray') })`;

  it.each([
    ['console', ['demo', '--incident', 'quiet']],
    ['wall', ['wall', '--demo']],
  ])('is left, and what was wrong stands behind it: %s', async (_, args) => {
    const before = `--import=data:text/javascript,${encodeURIComponent(thrower)}`;
    const session = start(args, { env: { NODE_OPTIONS: before } });
    try {
      await session.until(() => session.onAlternateScreen());
      process.kill(session.pid(), 'SIGUSR2');
      const end = await session.ended();
      expect(end).toMatch(/exit 70\r?\n/);
      expect(end).toMatch(/ echo\b/);
      expect(session.onAlternateScreen()).toBe(false);
      expect(session.screen()).toContain('faultline: a defect in the program: stray\n');
    } finally {
      await session.close();
    }
  });
});
