import { describe, expect, it } from 'vitest';
import { causes } from '../../probes/gluster/causes.ts';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type { DiskReading, HealReading, PeerReading, VolumesReading } from '../../probes/gluster/readings.ts';
import { explain } from '../../src/collect/explain.ts';
import type { Finding } from '../../src/model/finding.ts';
import { answerOf } from '../helpers/answer.ts';
import { Pool } from './world.ts';

const home = '/data/brick1/home0';
const id = '4c1fd2a05b1e4b439f0a6d6c1b0d7a11';

const quiet = async (): Promise<Pool> => {
  const pool = new Pool('quiet');
  await pool.poll();
  return pool;
};

/** What the script prints of one brick: the fields of df -P (POSIX) and of /proc/self/mounts, as they stand on a Debian 12. */
const printed = (more: Readonly<Record<string, string>> = {}, path = home): string => {
  const lines = {
    mount: '/data/brick1',
    options: 'rw,relatime',
    space: '103081248 41232499 56569149',
    inodes: '6553600 1310720 5242880',
    id,
    ...more,
  };
  const body = Object.entries(lines).map(([word, text]) => `${word} ${text}\n`);
  return `@@faultline brick ${path}\n${body.join('')}`;
};

const told = (pool: Pool, host: string, text: string): void => {
  pool.take('gluster.disk', host, answerOf(`${text}@@faultline end\n`));
};

const said = (pool: Pool): string[] =>
  findings(pool.judgement()).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

/** No process serves the brick of this peer. */
const endBrick = (pool: Pool, host: string, path = home): void => {
  const good = pool.readings.source<PeerReading>('gluster.peer', host)?.good;
  if (!good) throw new Error(`${host} was not read`);
  const processes = good.value.processes.filter((one) => one.path !== path);
  pool.readings.good('gluster.peer', host, { ...good.value, processes });
};

describe('the disks below the bricks', () => {
  it('are asked of each host for its own bricks, with a deadline each', async () => {
    const pool = await quiet();
    const probe = pool.probe('gluster.disk');
    const host = pool.site.hosts[0];
    if (!host) throw new Error('no host');
    const ask = probe.ask(host, { site: pool.site, readings: pool.readings, now: pool.now });
    const script = 'script' in ask ? ask.script : '';
    expect(script).toContain(home);
    expect(script).toContain('ask without_errors df -Pk');
    expect(said(pool)).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'full',
      { space: '103081248 103081248 0' },
      `critical brick-full: home0: brick gl2:${home}: its disk is full: 100 % of its space used`,
    ],
    [
      'below the reserve of 1 % that gluster keeps',
      { space: '103081248 102050436 1000000' },
      `critical brick-full: home0: brick gl2:${home}: its disk is full: 99 % of its space used`,
    ],
    [
      'nearly full',
      { space: '103081248 98000000 5000000' },
      `warning brick-full: home0: brick gl2:${home}: its disk is nearly full: 95.1 % of its space used`,
    ],
    [
      'without inodes',
      { inodes: '6553600 6553600 0' },
      `critical brick-full: home0: brick gl2:${home}: its disk is full: no inodes left`,
    ],
    [
      'read-only',
      { options: 'ro,relatime,errors=remount-ro' },
      `warning brick-read-only: home0: brick gl2:${home}: its disk is mounted read-only (/data/brick1)`,
    ],
    [
      'read-only after an error on a kernel of 6.14 or later, where the mount stays rw (captured on 6.18)',
      { options: 'rw,relatime,abort,errors=remount-ro,emergency_ro' },
      `warning brick-read-only: home0: brick gl2:${home}: its disk is mounted read-only (/data/brick1)`,
    ],
    [
      'not mounted',
      { mount: '/', id: '' },
      `warning brick-unmounted: home0: brick gl2:${home}: its disk is not mounted: ${home} lies on the root file…`,
    ],
    [
      'another disk mounted there',
      { id: '9b0a7c527d6e4e0c8a312f2b77c1e502' },
      `warning brick-unmounted: home0: brick gl2:${home}: its disk is not mounted: ${home} carries the id of an…`,
    ],
  ])('%s', async (_name, more, expected) => {
    const pool = await quiet();
    told(pool, 'gl2', printed(more));
    const [line = '', ...others] = said(pool);
    expect(others).toEqual([]);
    expect(line.slice(0, 100)).toBe(expected.slice(0, 100));
  });

  it('a folder that is gone, a disk that hangs, a file system that was shut down', async () => {
    const pool = await quiet();
    const brick = `@@faultline brick ${home}\n`;
    told(pool, 'gl1', `${brick}hangs\n`);
    told(pool, 'gl2', `${brick}failed stat: cannot statx '${home}': No such file or directory\n`);
    told(pool, 'gl3', `${brick}failed stat: cannot statx '${home}': Input/output error\n`);
    expect(said(pool).map((line) => line.slice(0, 60))).toEqual(
      [
        `warning brick-hangs: home0: brick gl1:${home}: i`,
        `warning brick-unmounted: home0: brick gl2:${home}`.slice(0, 60),
        `warning brick-disk: home0: brick gl3:${home}: it`,
      ].map((line) => expect.stringContaining(line.slice(0, 48))),
    );
  });

  it.each([
    `stat: cannot statx '${home}': Permission denied`,
    'sh: 1: stat: not found',
    `stat: cannot statx '${home}': Not a directory`,
  ])('%s: no fault of the disk, and no verdict on it', async (text) => {
    const pool = await quiet();
    told(pool, 'gl2', `@@faultline brick ${home}\nfailed ${text}\n`);
    expect(said(pool)).toEqual([`notice disk-unseen: gl2: disks of 1 brick not read: ${text}`]);
  });

  it.each([
    'Input/output error',
    'Structure needs cleaning',
    'Transport endpoint is not connected',
    'No such device',
  ])('%s: the disk is at fault', async (text) => {
    const pool = await quiet();
    told(pool, 'gl2', `@@faultline brick ${home}\nfailed stat: cannot statx '${home}': ${text}\n`);
    expect(said(pool).map((line) => line.split(':')[0])).toEqual(['warning brick-disk']);
  });

  it('a mark that could not be looked for is no lack of it', async () => {
    const pool = await quiet();
    told(pool, 'gl2', printed({ mount: '/' }).replace(/^id .*\n/m, ''));
    expect(said(pool)).toEqual([]);
  });

  it('a brick on the root file system that carries the id (created with force): silent', async () => {
    const pool = await quiet();
    told(pool, 'gl2', printed({ mount: '/' }));
    expect(said(pool)).toEqual([]);
  });

  it('without the right to see the id nothing is concluded from its lack; nor from a file system without inodes', async () => {
    const pool = await quiet();
    told(pool, 'gl2', printed({ mount: '/', inodes: '0 0 0' }).replace(/id .*\n/, ''));
    expect(said(pool)).toEqual([]);
    told(pool, 'gl2', printed({ inodes: '- - -' }));
    expect(said(pool)).toEqual([]);
  });

  it('94 % used: silent; a storage.reserve of the site is taken', async () => {
    const pool = await quiet();
    told(pool, 'gl2', printed({ space: '100000 94000 6000' }));
    expect(said(pool)).toEqual([]);
  });

  it('start-brick is not offered on a brick whose disk is not there, and is where it is', async () => {
    const pool = await quiet();
    endBrick(pool, 'gl2');
    const remedies = () =>
      findings(pool.judgement())
        .find(({ kind }) => kind === 'brick-down')
        ?.remedies.map(({ action }) => action);
    expect(remedies()).toEqual(['gluster.start-brick']);
    told(pool, 'gl2', printed({ mount: '/', id: '' }));
    expect(remedies()).toEqual([]);
    told(pool, 'gl2', printed({ options: 'ro' }));
    expect(remedies()).toEqual([]);
    const found = findings(pool.judgement()) as unknown as Finding[];
    const explained = explain(found, [{ system: 'gluster', causes }]);
    const down = found.find(({ kind }) => kind === 'brick-down');
    expect(explained.get(down?.id ?? '')?.cause).toMatch(/^gluster:brick-read-only:/);
  });

  it.each(['103081248 98000000 5000000', '103081248 103081248 0'])(
    'a disk that is full (%s) does not end a brick',
    async (space) => {
      const pool = await quiet();
      endBrick(pool, 'gl2');
      told(pool, 'gl2', printed({ space }));
      const found = findings(pool.judgement()) as unknown as Finding[];
      expect(found.map(({ kind }) => kind).toSorted()).toEqual(['brick-down', 'brick-full']);
      expect(explain(found, [{ system: 'gluster', causes }]).size).toBe(0);
    },
  );

  it('a brick that is down elsewhere, too, is not explained by one disk', async () => {
    const pool = await quiet();
    endBrick(pool, 'gl2');
    endBrick(pool, 'gl3');
    told(pool, 'gl2', printed({ mount: '/', id: '' }));
    const found = findings(pool.judgement()) as unknown as Finding[];
    expect(explain(found, [{ system: 'gluster', causes }]).size).toBe(0);
  });
});

describe('split-brain', () => {
  /** glfs-heal.c, `info summary` and `info split-brain` with --xml: as 10.3 prints them. */
  const heal = (split: number, pending: number, files: readonly string[] | undefined): string => {
    const brick = (host: string, body: string): string =>
      `      <brick hostUuid="878bc80a-506a-4a17-aa9d-f50396b6c7c6">\n        <name>${host}:${home}</name>\n        <status>Connected</status>\n${body}      </brick>\n`;
    const whole = (bricks: string): string =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<cliOutput>\n  <healInfo>\n    <bricks>\n${bricks}    </bricks>\n  </healInfo>\n  <opRet>0</opRet>\n  <opErrno>0</opErrno>\n  <opErrstr/>\n</cliOutput>\n`;
    const counts = `        <totalNumberOfEntries>${pending}</totalNumberOfEntries>\n        <numberOfEntriesInHealPending>${pending - split}</numberOfEntriesInHealPending>\n        <numberOfEntriesInSplitBrain>${split}</numberOfEntriesInSplitBrain>\n        <numberOfEntriesPossiblyHealing>0</numberOfEntriesPossiblyHealing>\n`;
    const listed = (files ?? []).map(
      (file) => `        <file gfid="0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11">${file}</file>\n`,
    );
    const summary = whole(brick('gl1', counts) + brick('gl2', counts));
    const names = `${listed.join('')}        <numberOfEntries>${listed.length}</numberOfEntries>\n`;
    return `@@faultline heal home0\n${summary}${
      files === undefined
        ? ''
        : `@@faultline split home0\n${whole(brick('gl1', names) + brick('gl2', names))}`
    }@@faultline end\n`;
  };

  const asked = async (text: string): Promise<Pool> => {
    const pool = await quiet();
    pool.take('gluster.heal', 'gl1', answerOf(text));
    return pool;
  };

  it('names the file, that it never heals by itself, and the commands with the file in each', async () => {
    const pool = await asked(heal(1, 1, ['/a &amp; b/both']));
    expect(said(pool)).toEqual([
      'critical split-brain: home0: 1 file in split-brain (/a & b/both): I/O errors, never heals by itself',
    ]);
    const [found] = findings(pool.judgement());
    expect(found?.advice).toContain(
      `gluster volume heal home0 split-brain source-brick gl1:${home} '/a & b/both' (or bigger-file '/a & b/both';`,
    );
    expect(found?.advice).toMatch(/save the one that is to lose/);
    expect(found?.advice).toMatch(/Never source-brick without a file/);
    const remedy = { action: 'gluster.heal-split-brain', subjects: [{ kind: 'volume', id: 'home0' }] };
    expect(found?.remedies).toEqual([
      { ...remedy, set: { file: '/a & b/both', by: 'latest-mtime' } },
      { ...remedy, set: { file: '/a & b/both', by: 'bigger-file' } },
      remedy,
    ]);
  });

  it.each([
    ['/a; reboot', ' FILE'],
    ['/a &amp; reboot', "source-brick gl1:/data/brick1/home0 '/a & reboot'"],
    ['/$(reboot)', ' FILE'],
    ["/it's", ' FILE'],
    ['&lt;gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11&gt;', ' gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11'],
  ])('%s: the command in the advice is no other one when it is pasted', async (listed, words) => {
    const [found] = findings((await asked(heal(1, 1, [listed]))).judgement());
    expect(found?.advice).toContain(words);
    expect(found?.advice).not.toContain(`home0 ${listed}`);
  });

  it('a blank at the end of a name is part of it', async () => {
    const [found] = findings((await asked(heal(1, 1, ['/a ']))).judgement());
    expect(found?.summary).toContain('(/a )');
  });

  it('what waits besides is told apart', async () => {
    expect(said(await asked(heal(2, 12, ['/x', '/y'])))).toEqual([
      'critical split-brain: home0: 2 files in split-brain (/x, ...): I/O errors, never heals by itself',
      'notice heal-pending: home0: 10 entries wait to be healed',
    ]);
  });

  it('a file that one brick names by path and another by gfid is one file; what waits besides is not hidden', async () => {
    expect(
      said(await asked(heal(1, 2, ['/x', '&lt;gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11&gt;']))),
    ).toEqual([
      'critical split-brain: home0: 1 file in split-brain (/x, ...): I/O errors, never heals by itself',
      'notice heal-pending: home0: 1 entry waits to be healed',
    ]);
  });

  it('files of two sets of copies, each of which counts its own, are all counted', async () => {
    expect(said(await asked(heal(2, 2, ['/a', '/b', '/c', '/d'])))[0]).toContain('4 files in split-brain');
  });

  it('counted, but not named: said so', async () => {
    expect(said(await asked(heal(3, 3, undefined)))).toEqual([
      'critical split-brain: home0: 3 files in split-brain (names not read): I/O errors, never heals by itself',
    ]);
  });

  it('entries that only wait, and none: no split-brain', async () => {
    expect(said(await asked(heal(0, 5, [])))).toEqual([
      'notice heal-pending: home0: 5 entries wait to be healed',
    ]);
    expect(said(await asked(heal(0, 0, undefined)))).toEqual([]);
  });

  const late = '@@faultline heal home0\n@@faultline end\n';
  const refused = '@@faultline heal home0\nVolume home0 is busy\n@@faultline end\n';
  const later = (pool: Pool, text: string, host = 'gl1'): void => {
    pool.now += 120_000;
    pool.take('gluster.heal', host, answerOf(text));
  };
  const heals = (pool: Pool): string[] => said(pool).filter((line) => /split-brain|heal-/.test(line));

  it('heal info that ends by its time: what was read stays known with its time, whichever peer is asked', async () => {
    const pool = await asked(heal(1, 3, ['/x']));
    later(pool, late);
    later(pool, late, 'gl2');
    const [split = '', pending = '', unread = '', ...more] = heals(pool);
    expect(more).toEqual([]);
    expect(split).toMatch(
      /^critical split-brain: home0: 1 file in split-brain \(\/x\).*; last read \d\d:\d\d$/,
    );
    expect(pending).toBe('notice heal-pending: home0: 2 entries wait to be healed');
    expect(unread).toMatch(
      /^warning heal-unread: home0: heal info gives no answer in 20 s \(last read \d\d:\d\d\): /,
    );
    const evidence = findings(pool.judgement()).find(({ kind }) => kind === 'split-brain')?.evidence[0];
    expect(evidence?.at).toBe(pool.now - 240_000);
    later(pool, heal(0, 0, undefined), 'gl2');
    expect(heals(pool)).toEqual([]);
  });

  it('heal info that fails again and again: not known is no nothing to heal', async () => {
    const pool = await asked(heal(0, 0, undefined));
    later(pool, refused);
    expect(heals(pool)).toEqual([]);
    later(pool, refused);
    expect(heals(pool)).toEqual([
      expect.stringMatching(
        /^notice heal-unread: home0: heal info fails: Volume home0 is busy \(last read \d\d:\d\d\): pending heals, split-brain not known$/,
      ),
    ]);
    later(pool, heal(0, 0, undefined));
    expect(heals(pool)).toEqual([]);
  });

  it('the row of pending entries goes on after a timeout, which counts for nothing in it', async () => {
    const pool = await asked(heal(0, 1, undefined));
    later(pool, heal(0, 2, undefined));
    later(pool, late);
    later(pool, heal(0, 3, undefined));
    expect(heals(pool)).toEqual([
      'warning heal-pending: home0: 3 entries wait to be healed, growing: 1, 2, 3',
    ]);
  });

  it('never read, it is said so; a volume that refuses once, or that is stopped: silent', async () => {
    const pool = new Pool('quiet');
    await pool.ask('gluster.peer', 'gl1');
    await pool.ask('gluster.volumes', 'gl1');
    later(pool, late);
    expect(heals(pool)).toEqual([
      'warning heal-unread: home0: heal info gives no answer in 20 s (never read): pending heals, split-brain not known',
    ]);
    later(pool, heal(0, 0, undefined));
    later(pool, refused);
    expect(heals(pool)).toEqual([]);
    later(pool, late);
    const volumes = pool.readings.source<VolumesReading>('gluster.volumes', 'gl1')?.good?.value.volumes ?? [];
    pool.readings.good('gluster.volumes', 'gl1', {
      volumes: volumes.map((one) => ({ ...one, status: 'Stopped' })),
    });
    expect(heals(pool)).toEqual([]);
  });

  it('names of an answer that is cut are not invented', async () => {
    const pool = await asked(
      `${heal(1, 1, undefined).replace('@@faultline end\n', '')}@@faultline split home0\nError : Request timed out\n@@faultline end\n`,
    );
    expect(
      pool.readings.source<HealReading>('gluster.heal', 'gl1')?.good?.value.volumes[0]?.splitFiles,
    ).toBeUndefined();
    expect(said(pool)[0]).toMatch(/names not read/);
  });
});

describe('the reading of a disk', () => {
  it('keeps what was printed, and nothing else', () => {
    const pool = new Pool('quiet');
    told(pool, 'gl1', printed({}, '/b'));
    expect(pool.readings.source<DiskReading>('gluster.disk', 'gl1')?.good?.value.bricks).toEqual([
      {
        path: '/b',
        state: 'read',
        mount: '/data/brick1',
        readOnly: false,
        volumeId: id,
        kbTotal: 103_081_248,
        kbUsed: 41_232_499,
        kbAvail: 56_569_149,
        filesTotal: 6_553_600,
        filesFree: 5_242_880,
      },
    ]);
  });
});
