import { describe, expect, test } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { isSharded, pieceProblem, parseShard } from '../../probes/gluster/read/shards.ts';
import type { Subject } from '../../src/model/subject.ts';
import { action } from './plans.ts';
import { run, split } from './situations/edits.ts';

const gfid = '0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11';
const piece = `/.shard/${gfid}.7`;
const volume: Subject = { kind: 'volume', id: 'v' };
const sharded = { volume: { options: { 'features.shard': 'on' } } };

const judged = async (files: readonly string[], site = sharded) =>
  (await run([split(files)], site)).judgement();
const plan = async (file: string, site = sharded): Promise<string> => {
  const heal = action('gluster.heal-split-brain');
  const set = heal.parameters.parse({ file, by: 'bigger-file' });
  const made = heal.plan([volume], set, { judgement: await judged([file], site), operator: 'op' });
  return 'refused' in made ? made.reason : 'plan';
};

describe('a piece of a file in split-brain', () => {
  test('is told as that, with the gfid of its file and how its name is found', async () => {
    const [found] = findings(await judged([piece, `/.shard/${gfid}.9`]));
    expect(found?.summary).toContain(`(a piece of gfid ${gfid}, ...)`);
    expect(found?.evidence[0]?.text).toContain(
      `block 7 of the file with the gfid ${gfid}; its name, on a brick that has it: find /b/0 -samefile /b/0/.glusterfs/0c/3f/${gfid}`,
    );
    expect(found?.advice).toContain('one brick for all its pieces');
    expect(found?.advice).not.toContain('latest-mtime');
  });

  test('has no remedy of one key, and no plan heals it', async () => {
    expect(findings(await judged([piece]))[0]?.remedies).toEqual([]);
    expect(await plan(piece)).toBe(
      `${piece} is block 7 of the file with the gfid ${gfid}, no file of a user: take all pieces from one brick, by hand, with its writer stopped`,
    );
    expect(await plan(`gfid:${gfid}`)).toContain('does not show whether it is a file');
    expect(await plan('/.shard')).toContain('pieces of files');
  });

  test('beside a whole file: that one can be healed', async () => {
    const [found] = findings(await judged([piece, '/vm.img']));
    expect(found?.remedies[0]?.set).toEqual({ file: '/vm.img', by: 'latest-mtime' });
  });
});

describe('no piece', () => {
  test.each([
    ['a file by its gfid on a volume that is not sharded', `gfid:${gfid}`, {}],
    ['one where sharding was switched off again', `gfid:${gfid}`, { 'features.shard': 'off' }],
    ['a user with a folder of that name', `/home/.shard/${gfid}.7`, { 'features.shard': 'on' }],
  ])('%s', (_what, name, options: Record<string, string>) => {
    expect(parseShard(name)).toBeUndefined();
    expect(pieceProblem(name, options)).toBeUndefined();
  });

  test('on is said in several words', () => {
    expect(
      ['on', 'enable', 'true', 'off', 'disable'].map((value) => isSharded({ 'features.shard': value })),
    ).toEqual([true, true, true, false, false]);
    expect(isSharded({})).toBe(false);
  });
});
