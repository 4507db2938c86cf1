import { readdirSync, rmSync, statSync, writeFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/collect/history-database.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { openHistory } from '../../src/collect/history-open.ts';
import { fileSystemOf, folderName, statePlace } from '../../src/collect/history-place.ts';
import {
  BUCKET,
  KEEP,
  ROLL_AFTER,
  restore,
  store,
  type HistoryStore,
} from '../../src/collect/history-store.ts';
import { emptyFolder } from '../helpers/folder.ts';

let folder = '';
beforeEach(() => {
  folder = emptyFolder('history');
});

const uid = process.getuid?.() ?? 0;
const now = Date.UTC(2026, 10, 20);
const log: string[] = [];
const open = (more: Partial<Parameters<typeof openHistory>[0]> = {}): Promise<HistoryStore> =>
  openHistory({
    env: { XDG_STATE_HOME: folder },
    uid,
    site: 'sherlock',
    log: (line) => log.push(line),
    now: () => now,
    mountinfo: '',
    fallback: join(folder, 'fallback'),
    ...more,
  });
const file = (): string => join(folder, 'faultline', 'sherlock', 'history.db');

const kinds = [
  ['on disk', () => open()],
  ['in memory', async () => memoryHistory()],
] as const;

describe.each(kinds)('history %s', (_name, make) => {
  it('keeps changes only, oldest first', async () => {
    const history = await make();
    for (const [at, value] of ['IDLE', 'IDLE', 'DRAIN', 'DRAIN', 'IDLE'].entries()) {
      history.record([{ series: 'slurm/node/n1/state', value }], now + at);
    }
    expect(history.changes('slurm/node/n1/state', 0)).toEqual([
      { at: now, value: 'IDLE' },
      { at: now + 2, value: 'DRAIN' },
      { at: now + 4, value: 'IDLE' },
    ]);
    expect(history.changes('slurm/node/n1/state', now + 3)).toEqual([{ at: now + 4, value: 'IDLE' }]);
    expect(history.changes('nothing', 0)).toEqual([]);
    history.close();
  });

  it('finds what changed by prefix', async () => {
    const history = await make();
    history.record(
      [
        { series: 'a/n1', value: 1 },
        { series: 'a/n2', value: 2.5 },
        { series: 'ab', value: 'x' },
        { series: 'a%', value: 'no pattern' },
      ],
      now,
    );
    history.record([{ series: 'a/n2', value: 3 }], now + 60_000);
    expect(history.listChanged('a/', now).map(({ series }) => series)).toEqual(['a/n1', 'a/n2']);
    expect(history.listChanged('a/', now + 1)).toEqual([
      { series: 'a/n2', points: [{ at: now + 60_000, value: 3 }] },
    ]);
    history.record([{ series: 'a/n1', value: 7 }], now + 61_000);
    expect(history.listChanged('a/', now + 60_500)).toEqual([
      { series: 'a/n1', points: [{ at: now + 61_000, value: 7 }] },
    ]);
    history.close();
  });
});

describe('values', () => {
  it('come back as they were: texts, numbers, counters of any size', () => {
    const value = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt());
    fc.assert(
      fc.property(value, (given) => {
        const stored = store(given);
        expect(stored).toBeDefined();
        if (stored) expect(restore(BigInt(stored.kind), stored.value)).toBe(given);
      }),
    );
    expect(store(Number.NaN)).toBeUndefined();
    expect(store(Infinity)).toBeUndefined();
  });

  it('also through the file', async () => {
    const values = [
      0,
      -1,
      1.5,
      2 ** 53,
      1e300,
      0n,
      2n ** 63n,
      2n ** 64n - 1n,
      2n ** 70n,
      -5n,
      '',
      'ü\ud800',
      '12',
    ];
    const history = await open();
    for (const [at, value] of values.entries()) history.record([{ series: 's', value }], now + at);
    const got = history.changes('s', 0).map(({ value }) => value);
    // A lone surrogate can't be stored as UTF-8; everything else is exact.
    expect(got.with(11, 'ü')).toEqual(values.with(11, 'ü'));
    history.record([{ series: 'nan', value: Number.NaN }], now);
    expect(history.changes('nan', 0)).toEqual([]);
    history.close();
  });
});

describe('the file', () => {
  it('survives a restart and is shared: a change seen by two consoles is one change', async () => {
    const first = await open();
    const second = await open();
    first.record([{ series: 's', value: 'up' }], now);
    second.record([{ series: 's', value: 'up' }], now + 500);
    first.record([{ series: 's', value: 'down' }], now + 1000);
    second.record([{ series: 's', value: 'down' }], now + 1500);
    expect(second.changes('s', 0)).toEqual([
      { at: now, value: 'up' },
      { at: now + 1000, value: 'down' },
    ]);
    first.close();
    second.close();
    const third = await open();
    third.record([{ series: 's', value: 'down' }], now + 9000);
    expect(third.changes('s', 0)).toHaveLength(2);
    expect(third.badges()).toEqual([]);
    third.close();
  });

  it('held by another program: written later, with the time at which it was; said when that takes long', async () => {
    const history = await open();
    history.record([{ series: 's', value: 1 }], now);
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    history.record([{ series: 's', value: 2 }], now + 1000);
    expect(history.changes('s', 0)).toHaveLength(1);
    expect(history.badges()).toEqual([]);
    other.exec('COMMIT');
    history.record([{ series: 's', value: 3 }], now + 2000);
    expect(history.changes('s', 0)).toEqual(
      [1, 2, 3].map((value) => ({ at: now + value * 1000 - 1000, value })),
    );
    other.exec('BEGIN IMMEDIATE');
    history.record([{ series: 's', value: 4 }], now + 3000);
    history.record([{ series: 's', value: 5 }], now + 30_000);
    expect(history.badges().join()).toContain('history not written');
    other.close();
    history.close();
  });

  it('rolls numbers up after a day to one for each 5 minutes, states stay, the newest of all too', () => {
    mkdirSync(join(folder, 'x'));
    const database = openDatabase(join(folder, 'x', 'h.db'), 2 ** 31);
    const from = Math.floor(now / BUCKET) * BUCKET;
    for (let at = 0; at < 100; at += 1) {
      database.record(
        [
          { series: 'count', value: BigInt(at) },
          { series: 'state', value: at % 2 === 0 ? 'a' : 'b' },
        ],
        from + at * 60_000,
      );
    }
    const later = from + 100 * 60_000 + ROLL_AFTER;
    for (let slice = 0; slice < 3; slice += 1) database.tidy(later);
    const counts = database.changes('count', 0);
    expect(counts).toHaveLength(20);
    expect(counts[0]).toEqual({ at: from + 4 * 60_000, value: 4n });
    expect(counts.at(-1)?.value).toBe(99n);
    expect(database.changes('state', 0)).toHaveLength(100);
    for (let slice = 0; slice < 3; slice += 1) database.tidy(later + KEEP);
    expect(database.changes('count', 0)).toEqual([]);
    expect(database.changes('state', 0)).toEqual([{ at: from + 99 * 60_000, value: 'b' }]);
    database.close();
  });

  it('keeps below its limit by keeping less', () => {
    const path = join(folder, 'h.db');
    const limit = 400_000;
    const database = openDatabase(path, limit);
    for (let at = 0; at < 400; at += 1) {
      const tracks = Array.from({ length: 60 }, (_, n) => ({
        series: `s${n}`,
        value: `state ${at} ${'x'.repeat(30)}`,
      }));
      database.record(tracks, now + at * 3_600_000);
    }
    const end = now + 400 * 3_600_000;
    for (let slice = 0; slice < 60; slice += 1) database.tidy(end);
    expect(database.changes('s0', end - ROLL_AFTER).length).toBeGreaterThan(5);
    database.close();
    expect(statSync(path).size).toBeLessThan(limit * 1.2);
  });

  it.each([
    ['garbage', (path: string) => writeFileSync(path, 'this is no database'.repeat(1000))],
    [
      'a database of another layout',
      (path: string) => {
        const database = openDatabase(path, 1e9);
        database.close();
        writeFileSync(path, '');
        writeFileSync(path, Buffer.alloc(4096, 'SQLite format 3\u0000'));
      },
    ],
  ])('%s is moved aside and said, and a new one begun', async (_name, spoil) => {
    mkdirSync(join(folder, 'faultline', 'sherlock'), { recursive: true });
    spoil(file());
    const history = await open();
    history.record([{ series: 's', value: 1 }], now);
    expect(history.changes('s', 0)).toEqual([{ at: now, value: 1 }]);
    expect(history.badges()).toEqual([expect.stringContaining('history was corrupt, moved to')]);
    history.close();
    expect(
      readdirSync(join(folder, 'faultline', 'sherlock')).some((name) => name.includes('.corrupt-')),
    ).toBe(true);
  });

  it('corrupt while in use: said, moved aside, and written on anew', async () => {
    const history = await open();
    for (let at = 0; at < 300; at += 1) {
      history.record([{ series: `s${at}`, value: 'x'.repeat(500) }], now + at);
    }
    history.close();
    const bytes = Buffer.alloc(statSync(file()).size - 4096, 0xa5);
    const { openSync, writeSync, closeSync } = await import('node:fs');
    const handle = openSync(file(), 'r+');
    writeSync(handle, bytes, 0, bytes.length, 4096);
    closeSync(handle);
    const again = await open();
    for (let at = 0; at < 10; at += 1) again.record([{ series: `new${at}`, value: at }], now + 1000 + at);
    expect(again.badges().join()).toContain('history was corrupt, moved to');
    expect(again.changes('new9', 0)).toEqual([{ at: now + 1009, value: 9 }]);
    again.close();
  });
});

describe('where it lies', () => {
  const mountinfo = [
    '21 1 8:1 / / rw - ext4 /dev/sda1 rw',
    '30 21 0:40 / /home rw - nfs4 srv:/home rw',
    '31 30 0:41 / /home/local\\040disk rw - xfs /dev/sdb rw',
    '32 21 0:42 / /scratch rw shared:5 - lustre mds@tcp:/scratch rw',
    '33 21 0:43 / /mnt/g rw - fuse.glusterfs gl1:/vol rw',
  ].join('\n');

  it.each([
    ['/home/alice/.local/state', 'nfs4'],
    ['/home/local disk/x', 'xfs'],
    ['/homes/x', 'ext4'],
    ['/scratch', 'lustre'],
    ['/mnt/g/x', 'fuse.glusterfs'],
    ['/', 'ext4'],
  ])('%s is %s', (path, type) => expect(fileSystemOf(path, mountinfo)).toBe(type));

  it.each(['nfs4', 'lustre', 'fuse.glusterfs', 'autofs'])('on %s it moves, with a badge', async (type) => {
    const place = await statePlace({
      env: { XDG_STATE_HOME: folder },
      uid,
      name: 's',
      mountinfo: `1 1 0:1 / / rw - ext4 x rw\n2 1 0:2 / ${folder} rw - ${type} x rw`,
      fallback: join(tmpdir(), `fallback-${process.pid}-${type}`),
    });
    const base = join(tmpdir(), `fallback-${process.pid}-${type}`);
    expect(place).toEqual({
      folder: join(base, 's'),
      badge: `history in ${base}: state folder is on ${type}`,
    });
    expect(statSync(base).mode & 0o777).toBe(0o700);
    rmSync(base, { recursive: true });
  });

  it("never uses a folder that is open to others or somebody else's link", async () => {
    const open_ = join(folder, 'open');
    mkdirSync(open_, { mode: 0o777 });
    const { chmodSync } = await import('node:fs');
    chmodSync(open_, 0o777);
    const link = join(folder, 'link');
    mkdirSync(join(folder, 'target'), { mode: 0o700 });
    symlinkSync(join(folder, 'target'), link);
    for (const fallback of [open_, link]) {
      const place = await statePlace({ env: {}, uid, name: 's', mountinfo: '', fallback });
      expect(place).toMatchObject({ folder: undefined, badge: expect.stringContaining('history not kept') });
    }
    const history = await open({ env: {}, fallback: open_ });
    history.record([{ series: 's', value: 1 }], now);
    expect(history.changes('s', 0)).toHaveLength(1);
    expect(history.badges()).toEqual([expect.stringContaining('history not kept')]);
  });

  it.each([
    ['sherlock', 'sherlock'],
    ['../../etc', '__.._etc'],
    ['..', '_'],
    ['a/b c', 'a_b_c'],
    ['', 'site'],
  ])('the site "%s" lies in %s', (name, expected) => expect(folderName(name)).toBe(expected));
});
