import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { readCopies, copyPath, nameToHeal } from '../../probes/gluster/read/read-copies.ts';
import { healSplitRefusals, saveRefusals } from '../../probes/gluster/act/refusals.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { ended, provedBy } from '../helpers/refusing.ts';
import { action, guards, only, planOf, ready, refusal, reread } from './plans.ts';
import type { Pool } from './world.ts';

const id = 'gluster.heal-split-brain';
const home0: Subject = { kind: 'volume', id: 'home0' };
const file = '/bob/results.csv';
const path = `/data/brick1/home0${file}`;
const parsed = (set: Record<string, string>): unknown => action(id).parameters.parse({ file, ...set });

/** A pool with a file in split-brain, and the plan after what its guards read was read. */
const planned = async (set: Record<string, string>) => {
  const pool = await ready('split-brain');
  await reread(pool, only(planOf(pool, id, home0, parsed(set))));
  const plan = planOf(pool, id, home0, parsed(set));
  return { pool, plan, target: only(plan) };
};

/** What the bricks of one host say of the file from now on, and of others that are named. */
const told = async (pool: Pool, host: string, body: string): Promise<void> => {
  pool.take('gluster.copies', host, {
    ...(await pool.run(host, 'true')),
    stdout: `@@faultline copy ${path}\n${body}\n@@faultline end\n`,
  });
};
const gfid = 'trusted.gfid=0xdb4fa6306bcf4575a62e005b2b7df5ba';
const whole = 'attributes whole';
const isFile = (bytes: number, changedS: number, more = gfid): string =>
  `is ${bytes} ${changedS} 81a4 0 0\n${more}`;

const why = async (pool: Pool, set: Record<string, string>): Promise<string> => {
  const guard = only(planOf(pool, id, home0, parsed(set))).guards.find((one) => one.id === '3 copies');
  return guard?.check(pool.judgement()).text ?? '';
};

describe('a file in split-brain', () => {
  it('is healed by one of its copies, which are shown and saved before, and that is read again', async () => {
    const { pool, plan, target } = await planned({ by: 'bigger-file' });
    expect(plan.danger).toBe('access');
    expect(target.object).toBe(file);
    expect(target.steps.map((step) => ('argv' in step ? [step.host, ...step.argv] : []))).toEqual([
      ...['gl1', 'gl2', 'gl3'].map((host) => [
        host,
        'sh',
        '-s',
        '--',
        path,
        '/var/lib/faultline/split-brain',
        expect.stringMatching(/^home0_bob_results\.csv\.[0-9a-f]{16}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]),
      ['gl1', 'gluster', '--mode=script', 'volume', 'heal', 'home0', 'split-brain', 'bigger-file', file],
    ]);
    expect(plan.because[0]).toMatch(
      /^gl1:\/data\/brick1\/home0: 27 bytes, changed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, mode 0644, owner 5012:5000, sha256 [0-9a-f]{16}; accuses the others of their data; wins$/,
    );
    expect(Object.values(guards(pool, target))).toEqual([true, true, true]);
    expect(target.verify.check(pool.judgement()).state).toBe('wait');
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement())).toEqual({
      state: 'yes',
      text: expect.stringMatching(/^3 copies with the checksum [0-9a-f]{12}$/),
    });
    expect(findings(pool.judgement()).map(({ kind }) => kind)).not.toContain('split-brain');
    expect(refusal(pool, id, home0, parsed({ by: 'bigger-file' }))).toBe(
      `heal info does not name ${file} in split-brain`,
    );
  });

  it('a copy is chosen by its brick: the others are saved, or thrown away where that is typed', async () => {
    const source = 'gl2:/data/brick1/home0';
    const { target } = await planned({ by: 'source-brick', source });
    expect(target.steps.map(({ host }) => host)).toEqual(['gl1', 'gl3', 'gl1']);
    expect(target.steps.at(-1)).toMatchObject({
      argv: [
        'gluster',
        '--mode=script',
        'volume',
        'heal',
        'home0',
        'split-brain',
        'source-brick',
        source,
        file,
      ],
    });
    const thrown = await planned({ by: 'source-brick', source, discard: 'throw away' });
    expect(thrown.target.steps).toHaveLength(1);
    expect(thrown.plan.undoText).toContain('thrown away');
  });

  it.each<[string, Record<string, string>]>([
    ['source-brick without a source', { by: 'source-brick' }],
    ['a source with another policy', { by: 'bigger-file', source: 'gl1:/b' }],
    ['no policy', {}],
    ['another word for throwing away', { by: 'bigger-file', discard: 'yes' }],
    ['a folder with an option in it', { by: 'bigger-file', save: '-rf' }],
    ['a folder that leads back to a brick', { by: 'bigger-file', save: '/var/../data/brick1/home0' }],
    ['no file', { by: 'bigger-file', file: '' }],
    ...[
      '/a"b',
      "/it's",
      '/a\nb',
      '/a\u202Eb',
      '/$(x)',
      '/a\\b',
      'a',
      '/../etc/passwd',
      '/a/../b',
      '/a ',
      'gfid:1',
    ].map((name): [string, Record<string, string>] => [
      `the file ${JSON.stringify(name)}`,
      { by: 'bigger-file', file: name },
    ]),
  ])('no plan: %s', (_what, set) => expect(() => parsed(set)).toThrow());

  it('never the form without a file, never two volumes, never another file than those that are named', async () => {
    const pool = await ready('split-brain');
    const set = parsed({ by: 'bigger-file' });
    const both = action(id).plan([home0, { kind: 'volume', id: 'data1' }], set, {
      judgement: pool.judgement(),
      operator: 'op',
    });
    expect(both).toMatchObject({ refused: true });
    expect(refusal(pool, id, home0, parsed({ by: 'bigger-file', file: '/bob/other' }))).toMatch(
      /does not name/,
    );
    expect(refusal(pool, id, { kind: 'volume', id: 'data1' }, set)).toMatch(/does not name/);
  });

  it('is offered where a file is named, and nowhere else', async () => {
    const offered = (pool: Pool) =>
      offerOf(action(id), [home0], { judgement: pool.judgement(), operator: 'op' }).available;
    expect(offered(await ready('split-brain'))).toBe(true);
    expect(offered(await ready('quiet'))).toBe(false);
  });

  it('not while heal info does not reach a brick, tells nothing, or a glusterd is away', async () => {
    const { pool, target } = await planned({ by: 'bigger-file' });
    const brick = pool.simulator.state().volumes.get('home0')?.bricks[1];
    if (!brick) throw new Error('no brick');
    brick.up = false;
    pool.now += 121_000;
    await pool.ask('gluster.heal', 'gl1');
    expect(guards(pool, target)['3 preconditions']).toBe(false);
    brick.up = true;
    pool.peer('gl3').glusterd = 'down';
    await reread(pool, target);
    expect(guards(pool, target)['3 peers']).toBe(false);
  });
});

// As 10.3 writes it, here of an mtime in the year 2024; the other times differ from it.
const mdata = (mtime: string): string =>
  `trusted.glusterfs.mdata=0x01000000000000000000000000671df53b0000000000295200${`00000000${mtime}`}000000000029520000000000671df53a0000000000000001`;
/** A copy with the disk's time and gluster's own, each in s; all its attributes were listed. */
const timed = (changedS: number, recordedS?: number): string =>
  isFile(
    3,
    changedS,
    `${gfid}\n${recordedS === undefined ? '' : `${mdata(recordedS.toString(16).padStart(8, '0'))}\n`}${whole}`,
  );

describe('latest-mtime goes by the times that gluster goes by', () => {
  const brick = (host: string): string => `${host}:/data/brick1/home0`;
  const chosen = async (...told3: string[]): Promise<string> => {
    const pool = await ready('split-brain');
    for (const [index, body] of told3.entries()) await told(pool, `gl${index + 1}`, body);
    return why(pool, { by: 'latest-mtime' });
  };

  it.each([
    ['its own, where the disks say the same', [timed(9, 109), timed(8, 108), timed(7, 107)]],
    ["its own, far from the disks', where both name one copy", [timed(90, 8), timed(9, 7), timed(9, 7)]],
    ["the disks', where it keeps none (features.ctime off)", [timed(9), timed(8), timed(8)]],
  ])('%s', async (_what, copies) => expect(await chosen(...copies)).toBe(`${brick('gl1')} wins`));

  it.each([
    [
      'they name another copy than the disks',
      [timed(9, 107), timed(8, 108), timed(7, 107)],
      `by gluster's own times the copy on ${brick('gl2')} was changed last, by the disks' the one on ${brick('gl1')}`,
    ],
    [
      'they name another copy the other way round',
      [timed(8, 108), timed(9, 107), timed(7, 107)],
      `by gluster's own times the copy on ${brick('gl1')} was changed last, by the disks' the one on ${brick('gl2')}`,
    ],
    ['they are alike', [timed(9, 107), timed(8, 107), timed(7, 107)], "last by gluster's own times"],
    [
      'they name one copy, the disks none',
      [timed(9, 108), timed(9, 107), timed(9, 107)],
      'no copy was changed',
    ],
    [
      'a copy has none',
      [timed(9, 109), timed(8), timed(7, 107)],
      `the copy on ${brick('gl2')} has no time of gluster's own, and others have`,
    ],
    [
      'the attributes of a copy were not listed whole',
      [timed(9), isFile(3, 8), timed(7)],
      `on ${brick('gl2')} could not be read`,
    ],
    [
      'the attribute has another version',
      [
        timed(9, 109),
        isFile(3, 8, `${gfid}\n${mdata('0000006b').replace('0x01', '0x02')}\n${whole}`),
        timed(7, 107),
      ],
      'could not be read',
    ],
    [
      'the attribute is cut off',
      [timed(9, 109), isFile(3, 8, `${gfid}\n${mdata('0000006b').slice(0, -2)}\n${whole}`), timed(7, 107)],
      'could not be read',
    ],
    [
      'the time is none that a file can have',
      [
        timed(9, 109),
        isFile(
          3,
          8,
          `${gfid}\n${mdata('0000006b').replace('000000000000006b', 'ffffffffffffff6b')}\n${whole}`,
        ),
        timed(7, 107),
      ],
      'could not be read',
    ],
  ])('refused where %s', async (_what, copies, text) => expect(await chosen(...copies)).toContain(text));

  it('what it refuses is decided by size or by brick, and the dialog shows both times', async () => {
    const pool = await ready('split-brain');
    const bodies = [timed(9, 107), timed(8, 108).replace('is 3 ', 'is 4 '), timed(7, 107)];
    for (const [index, body] of bodies.entries()) await told(pool, `gl${index + 1}`, body);
    expect(await why(pool, { by: 'latest-mtime' })).toContain('choose by=bigger-file or by=source-brick');
    expect(await why(pool, { by: 'bigger-file' })).toBe(`${brick('gl2')} wins`);
    const source = brick('gl1');
    expect(await why(pool, { by: 'source-brick', source })).toBe(`${source} wins`);
    expect(planOf(pool, id, home0, parsed({ by: 'latest-mtime' })).because[0]).toContain(
      "changed 1970-01-01 00:00:09 UTC (by gluster's own time 1970-01-01 00:01:47)",
    );
  });

  it('the copy that was found is named to gluster, and the others are saved', async () => {
    const { pool, plan, target } = await planned({ by: 'latest-mtime' });
    expect(plan.because[0]).toMatch(/; wins$/);
    expect(plan.because).toContainEqual(expect.stringMatching(/^sent as source-brick gl1:/));
    expect(target.steps.map(({ host }) => host)).toEqual(['gl2', 'gl3', 'gl1']);
    expect(target.steps.at(-1)).toMatchObject({
      argv: expect.arrayContaining(['split-brain', 'source-brick', 'gl1:/data/brick1/home0', file]),
    });
    await pool.send(target.steps);
    const split = pool.simulator.state().volumes.get('home0')?.split[0];
    expect(split?.copies.map(({ text }) => text.length)).toEqual([27, 27, 27]);
  });
});

describe('which copy wins', () => {
  it.each([
    [
      'no copy is newer to the second',
      { by: 'latest-mtime' },
      [timed(7), timed(7), timed(7)],
      'no copy was changed last',
    ],
    [
      'no copy is bigger',
      { by: 'bigger-file' },
      [isFile(3, 1), isFile(3, 2), isFile(3, 3)],
      'no copy is bigger',
    ],
    [
      'metadata too',
      { by: 'bigger-file' },
      [`${isFile(3, 1)}\ntrusted.afr.home0-client-1=0x000000000000000100000000`, isFile(2, 1), isFile(1, 1)],
      'only by=source-brick',
    ],
    [
      'another gfid',
      { by: 'bigger-file' },
      [isFile(3, 1), isFile(2, 1, gfid.replace('db4f', 'aaaa')), isFile(1, 1)],
      'gfid split-brain',
    ],
    [
      'no gfid',
      { by: 'bigger-file' },
      [isFile(3, 1), isFile(2, 1, ''), isFile(1, 1)],
      'gfid of a copy could not be read',
    ],
    [
      'a copy is gone',
      { by: 'bigger-file' },
      [isFile(3, 1), 'failed stat: No such file or directory', isFile(1, 1)],
      'is no file that can be chosen',
    ],
    [
      'an answer that was not understood',
      { by: 'bigger-file' },
      [isFile(3, 1), 'is what', isFile(1, 1)],
      'is no file that can be chosen',
    ],
    [
      'a link',
      { by: 'bigger-file' },
      [isFile(3, 1), 'is 2 1 a1ff 0 0', isFile(1, 1)],
      'is no file that can be chosen',
    ],
    [
      'an empty source',
      { by: 'source-brick', source: 'gl3:/data/brick1/home0' },
      [isFile(3, 1), isFile(2, 1), isFile(0, 1)],
      'is empty',
    ],
    [
      'another volume as source',
      { by: 'source-brick', source: 'gl3:/data/brick2/data1' },
      [isFile(3, 1), isFile(2, 1), isFile(1, 1)],
      'source must be one of',
    ],
    [
      'saved on a brick',
      { by: 'bigger-file', save: '/data/brick1/home0/x' },
      [isFile(3, 1), isFile(2, 1), isFile(1, 1)],
      'lies on the brick',
    ],
    [
      'saved on a brick of another volume',
      { by: 'bigger-file', save: '/data/brick2/data1/x' },
      [isFile(3, 1), isFile(2, 1), isFile(1, 1)],
      'lies on the brick',
    ],
    [
      'a name in a folder',
      { by: 'bigger-file' },
      [
        'is 4096 1 41ed 0 0\ntrusted.afr.home0-client-1=0x000000000000000000000001\nentry 0x30f220d03964468ca41206c237a89b76 gf\nentry 0x77f220d03964468ca41206c237a89b76 same',
        'is 4096 1 41ed 0 0\nentry 0x99f220d03964468ca41206c237a89b76 gf\nentry 0x77f220d03964468ca41206c237a89b76 same',
        'is 4096 1 41ed 0 0',
      ],
      'gf is another file (gfid) on each brick',
    ],
  ])('%s: refused', async (_what, set, told3, text) => {
    const pool = await ready('split-brain');
    for (const [index, body] of told3.entries()) await told(pool, `gl${index + 1}`, body);
    expect(await why(pool, set)).toContain(text);
  });

  it('a copy that was not looked at, or on a host that could not be asked: refused', async () => {
    const pool = await ready('split-brain');
    await told(pool, 'gl1', isFile(3, 1));
    await told(pool, 'gl3', isFile(3, 1));
    expect(await why(pool, { by: 'bigger-file' })).toBe(
      'the copy on gl2:/data/brick1/home0 was not looked at',
    );
  });

  it('names that were not told are not called healed', async () => {
    const { pool, target } = await planned({ by: 'bigger-file' });
    await pool.send(target.steps);
    await reread(pool, target);
    const brick = '<brick hostUuid="8"><name>gl1:/data/brick1/home0</name><status>Connected</status>';
    const told = async (split: number) =>
      pool.take('gluster.heal', 'gl1', {
        ...(await pool.run('gl1', 'true')),
        stdout: `@@faultline heal home0\n<cliOutput><healInfo><bricks>${brick}<totalNumberOfEntries>1</totalNumberOfEntries><numberOfEntriesInSplitBrain>${split}</numberOfEntriesInSplitBrain></brick></bricks></healInfo><opRet>0</opRet></cliOutput>\n@@faultline end\n`,
      });
    await told(1);
    expect(target.verify.check(pool.judgement())).toEqual({
      state: 'wait',
      text: 'heal info gives no list yet',
    });
    await told(0);
    expect(target.verify.check(pool.judgement()).state).toBe('yes');
  });

  it('a long name of any alphabet is saved under one that a disk can hold', async () => {
    const pool = await ready('split-brain');
    const long = `/${'\u6F22'.repeat(120)}`;
    const split = pool.simulator.state().volumes.get('home0')?.split[0];
    if (!split) throw new Error('no file');
    split.path = long;
    await pool.ask('gluster.heal', 'gl1');
    const set = action(id).parameters.parse({ file: long, by: 'bigger-file' });
    await reread(pool, only(planOf(pool, id, home0, set)));
    const [step] = only(planOf(pool, id, home0, set)).steps;
    const name = step && 'argv' in step ? (step.argv[5] ?? '') : '';
    expect(name).toMatch(/^home0_+\.[0-9a-f]{16}$/);
    expect(Buffer.byteLength(name)).toBeLessThan(240);
  });

  it('without a checksum it is not called verified', async () => {
    const { pool, target } = await planned({ by: 'bigger-file' });
    await pool.send(target.steps);
    await reread(pool, target);
    for (const host of ['gl1', 'gl2', 'gl3']) await told(pool, host, isFile(3, 1));
    expect(target.verify.check(pool.judgement()).state).toBe('unread');
    await told(pool, 'gl2', isFile(4, 1));
    expect(target.verify.check(pool.judgement()).state).toBe('wait');
  });
});

describe('names and answers', () => {
  it.each([
    ['/a b/ä&c', '/a b/ä&c'],
    ['<gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11>', 'gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11'],
    ['/a\\u001b', undefined],
    ['<gfid:0c3f>', undefined],
  ])('%j is healed as %j', (listed, name) => expect(nameToHeal(listed)).toBe(name));

  it('a gfid lies below .glusterfs', () =>
    expect(copyPath('/b', 'gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11')).toBe(
      '/b/.glusterfs/0c/3f/0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11',
    ));

  it('a pointer of the distribution is no copy; an arbiter is none either', () => {
    const { value } = readCopies(
      { stdout: '@@faultline copy /b/x\nis 0 1 8200 0 0\n@@faultline end\n', stderr: '' } as never,
      new Map([['/b/x', 5]]),
    );
    expect(value.copies).toMatchObject([{ path: '/b/x', kind: 'pointer', listedAt: 5, accuses: [] }]);
  });

  // 10.3, on its standard output.
  it.each([
    // By then it has made the times of the copies alike.
    [1, 'Healing /both failed: No difference in mtime.\nVolume heal failed.\n', 'not known'],
    [1, 'Healing /same failed: No bigger file.\nVolume heal failed.\n', 'nothing done'],
    [1, 'Healing /d failed: File not in split-brain.\nVolume heal failed.\n', 'nothing done'],
    [22, 'Lookup failed on /nosuch:No such file or directory.\nVolume heal failed.\n', 'nothing done'],
    [1, '"gl9:/b"- No such brick available in the volume.\nVolume heal failed.\n', 'nothing done'],
    [1, 'Healing /both failed: Transport endpoint is not connected.\nVolume heal failed.\n', 'not known'],
    [1, 'Volume heal failed.\n', 'not known'],
  ])('exit %i %j: %s', (exit, stdout, proof) =>
    expect(provedBy(healSplitRefusals, ended(exit, '', stdout))).toBe(proof),
  );

  it('a copy that could not be saved changed nothing', () => {
    expect(provedBy(saveRefusals, ended(1, 'cp: error writing: No space left on device\n'))).toBe(
      'nothing done',
    );
    expect(provedBy(saveRefusals, ended(1, 'Killed\n'))).toBe('not known');
  });
});
