import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { openConsole } from '../../src/commands/console.ts';
import { run } from '../../src/commands/console-on-sites.ts';
import { UsageError, type Io } from '../../src/commands/io.ts';
import { run as runWall } from '../../src/commands/wall.ts';

const strip = vi.hoisted(() => ({ broken: false }));
vi.mock('../../components/edge-lines.ts', async (original) => {
  const real = await original<typeof import('../../components/edge-lines.ts')>();
  return {
    ...real,
    stripLine: (...args: Parameters<typeof real.stripLine>) => {
      if (strip.broken) throw new Error('a broken strip');
      return real.stripLine(...args);
    },
  };
});
afterEach(() => {
  strip.broken = false;
});

/** Both ends of a terminal that nobody looks at. */
const fakeIo = () => {
  const written: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => undefined,
    ref: () => undefined,
    unref: () => undefined,
  });
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 100,
    rows: 30,
    writable: true,
    write: (text: string, done?: () => void) => {
      written.push(text);
      done?.();
      return true;
    },
  });
  const stderr = new PassThrough();
  const io = { stdin, stdout, stderr, env: { LANG: 'C.UTF-8' } } as unknown as Io;
  return { io, stdin, written, said: () => String(stderr.read() ?? '') };
};

test.each([
  ['console', (io: Io) => run({ readOnly: false, mouse: true }, io)],
  ['wall', (io: Io) => runWall({ demo: true, sites: [] }, io)],
])('the %s draws nothing on a terminal that can only write on, and says what to use', async (_, start) => {
  const { io, written } = fakeIo();
  const failed = start({ ...io, env: { ...io.env, TERM: 'dumb' } });
  await expect(failed).rejects.toThrow(UsageError);
  await expect(failed).rejects.toThrow(/TERM=dumb.*use "faultline status" here, or set TERM/);
  expect(written).toEqual([]);
});

const never = (): Promise<never> => new Promise(() => {});
const leave = (written: readonly string[]): boolean => written.join('').includes('\u001B[?1049l');

test('a component that throws: exit 1, its words on standard error after the terminal was given back', async () => {
  strip.broken = true;
  const { io, written, said } = fakeIo();
  const code = await openConsole({
    io,
    name: 'x',
    readOnly: true,
    demo: false,
    screen: { mouse: true },
    open: never,
  });
  expect(code).toBe(1);
  expect(said()).toContain('a broken strip');
  expect(leave(written)).toBe(true);
});

test('a site that can not be opened is thrown to the caller after the terminal was given back', async () => {
  const { io, written } = fakeIo();
  const open = () => Promise.reject(new Error('site.yaml:1:1: no such role'));
  await expect(
    openConsole({ io, name: 'x', readOnly: true, demo: false, screen: { mouse: true }, open }),
  ).rejects.toThrow('no such role');
  expect(leave(written)).toBe(true);
});

test('q and y leave with 0 while the site is still being opened, and what was opened is closed', async () => {
  const { io, stdin, written } = fakeIo();
  const opening = Promise.withResolvers<never>();
  const ending = openConsole({
    io,
    name: 'x',
    readOnly: true,
    demo: false,
    screen: { mouse: true },
    open: () => opening.promise,
  });
  await vi.waitFor(() => expect(written.join('')).toContain('Findings'));
  stdin.write('q');
  await vi.waitFor(() => expect(written.join('')).toContain('Leave faultline?'));
  stdin.write('y');
  const close = vi.fn(async () => {});
  setTimeout(() => opening.resolve({ close } as never), 20);
  expect(await ending).toBe(0);
  expect(close).toHaveBeenCalledOnce();
});

test('a wrong site file is told before anything is drawn', async () => {
  const { io, written } = fakeIo();
  await expect(run({ readOnly: false, mouse: true, site: '/dev/null/site.yaml' }, io)).rejects.toThrow(
    'site.yaml',
  );
  expect(written).toEqual([]);
});

test('without a terminal it is a usage error that names the way out', async () => {
  const io = { ...fakeIo().io, stdout: new PassThrough() };
  await expect(run({ readOnly: false, mouse: true }, io)).rejects.toThrow(UsageError);
  await expect(run({ readOnly: false, mouse: true }, io)).rejects.toThrow('faultline status');
});
