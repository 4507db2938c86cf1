import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/audit/audit-line.ts';
import {
  endProof,
  judgeProcess,
  recordLiveness,
  stampOf,
  thisProcess,
} from '../../src/remedy/process-stamp.ts';

/** What the kernel shows: files and links by their paths. What is not here is not there. */
let files: Record<string, string>;
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  readFileSync: vi.fn(),
  readlinkSync: vi.fn(),
}));
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  uptime: vi.fn(),
}));

/** proc(5): state, 16 fields, the number of threads, one field, the start time. */
const stat = (state: string, threads: number, start = 500): string =>
  `77 (a) b) ${state} ${Array.from({ length: 16 }, () => '9').join(' ')} ${threads} 0 ${start} 4096\n`;

const kill = vi.spyOn(process, 'kill');
const signalled = (code?: string): void => {
  kill.mockImplementation(() => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
};

beforeEach(() => {
  files = {
    '/proc/sys/kernel/random/boot_id': 'boot-1\n',
    '/proc/77/stat': stat('S', 1),
    '/proc/self/stat': stat('R', 12, 900),
    '/proc/self/ns/pid': 'pid:[1]',
    '/proc/self/ns/time': 'time:[2]',
    '/proc/self': String(process.pid),
    '/etc/machine-id': `${'a'.repeat(32)}\n`,
  };
  const read = ((path: string) => {
    if (files[path] === undefined) throw new Error(`ENOENT: ${path}`);
    return files[path];
  }) as never;
  vi.mocked(readFileSync).mockImplementation(read);
  vi.mocked(readlinkSync).mockImplementation(read);
  vi.mocked(uptime).mockReturnValue(3600);
  signalled();
});
afterEach(() => vi.clearAllMocks());

const self = { host: 'adm1', version: '1', pid: 5, stamp: 'boot-1/900', spaces: 'pid:[1] time:[2]' };
const owner = { host: 'adm1', pid: 77, stamp: 'boot-1/500', spaces: 'pid:[1] time:[2]' };
const judge = (over: Partial<typeof owner> = {}, of = self) => judgeProcess({ ...owner, ...over }, of, 0);

describe('this process', () => {
  it('is named by its boot, its start, its namespaces, and a hash of its machine', () => {
    expect(thisProcess()).toEqual({
      pid: process.pid,
      stamp: 'boot-1/900',
      spaces: 'pid:[1] time:[2]',
      machine: sha256(`faultline ${'a'.repeat(32)}`).slice(0, 32),
    });
  });

  it('has no name for what its kernel does not show', () => {
    delete files['/proc/self/ns/time'];
    files['/etc/machine-id'] = 'uninitialized\n';
    expect(thisProcess()).toEqual({ pid: process.pid, stamp: 'boot-1/900', spaces: 'pid:[1]' });
    for (const path of ['/proc/self/ns/pid', '/etc/machine-id', '/proc/self/stat']) delete files[path];
    expect(thisProcess()).toEqual({ pid: process.pid, stamp: '' });
  });
});

describe('a process as the kernel shows it', () => {
  it('is told by its start, whatever brackets and blanks are in its name', () => {
    expect(stampOf(77)).toBe('boot-1/500');
    expect(judge()).toEqual({ state: 'alive' });
    expect(kill).toHaveBeenCalledWith(77, 0);
    expect(judge({ stamp: 'boot-1/499' })).toEqual({
      state: 'dead',
      proof: 'same boot id and PID namespace, process 77 is another one, begun at another time',
    });
  });

  it.each(['Z', 'X'])('that has ended (%s) is gone, unless other threads of it go on', (state) => {
    files['/proc/77/stat'] = stat(state, 1);
    expect(stampOf(77)).toBe('');
    expect(judge()).toMatchObject({ state: 'dead', proof: expect.stringMatching(/has ended \(zombie\)$/) });
    files['/proc/77/stat'] = stat(state, 2);
    expect(stampOf(77)).toBe('boot-1/500');
    expect(judge()).toEqual({ state: 'alive' });
  });

  it('that the kernel does not know is gone; one of somebody else, or hidden, is alive', () => {
    signalled('ESRCH');
    const proof = 'same boot id and PID namespace, no process 77 (ESRCH)';
    expect(judge()).toEqual({ state: 'dead', proof });
    expect(endProof(self)(owner, 0)).toBe(proof);
    signalled('EPERM');
    expect(judge()).toEqual({ state: 'alive' });
    expect(endProof(self)(owner, 0)).toBeUndefined();
    delete files['/proc/77/stat'];
    expect(judge()).toEqual({ state: 'alive' });
  });

  it('is not judged by a /proc that counts otherwise', () => {
    files['/proc/self'] = '1';
    files['/proc/77/stat'] = stat('Z', 1);
    expect(judge()).toEqual({ state: 'alive' });
  });

  it('is elsewhere where its stamp, or ours, is not whole', () => {
    for (const stamp of ['', 'boot-1', 'boot-1/', '/500', '/'])
      expect(judge({ stamp })).toEqual({ state: 'elsewhere' });
    for (const stamp of ['', '/900']) expect(judge({}, { ...self, stamp })).toEqual({ state: 'elsewhere' });
    expect(judge({ stamp: '/500' }, { ...self, stamp: '/900' })).toEqual({ state: 'elsewhere' });
  });

  it('has a number from 1 to that of the largest process', () => {
    const states = [0, 1, 4_194_304, 4_194_305].map((pid) => judge({ pid }).state);
    expect(states).toEqual(['elsewhere', 'alive', 'alive', 'elsewhere']);
  });

  it('of an older console is alive where host and stamp are the same, and never dead', () => {
    const { spaces: _, ...older } = owner;
    const state = (over = {}) => judgeProcess({ ...older, ...over }, self, 0).state;
    expect(state()).toBe('alive');
    expect([state({ host: 'adm2' }), state({ stamp: 'boot-1/499' })]).toEqual(['elsewhere', 'elsewhere']);
    signalled('ESRCH');
    expect(state({ pid: 78 })).toBe('elsewhere');
  });
});

describe('a process of an earlier boot', () => {
  const machine = 'm'.repeat(32);
  const earlier = { ...owner, stamp: 'boot-0/500', machine };
  const here = { ...self, machine };

  it('is gone when what it wrote is more than a minute older than this boot', () => {
    expect(judgeProcess(earlier, here, 3_660_000)).toEqual({ state: 'elsewhere' });
    expect(judgeProcess(earlier, here, 3_660_001)).toEqual({
      state: 'dead',
      proof: 'same machine id, booted since (up 60 min, another boot id)',
    });
    vi.mocked(uptime).mockReturnValue(30_000_000);
    expect(judgeProcess(earlier, here, Infinity).proof).toContain('up 500000 min');
  });

  it('is judged by the age of its record', () => {
    const at = Date.UTC(2026, 2, 1, 3);
    const record = { console: { version: '1', ...earlier }, at: new Date(at).toISOString() } as never;
    expect(recordLiveness(here, () => at + 3_660_001)(record)).toBe('dead');
    expect(recordLiveness(here, () => at + 3_660_000)(record)).toBe('elsewhere');
  });
});
