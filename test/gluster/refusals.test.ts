import { describe, expect, it } from 'vitest';
import { glusterRefusals, killRefusals, systemctlRefusals } from '../../probes/gluster/act/refusals.ts';
import { ended, provedBy } from '../helpers/refusing.ts';
import { action, only, planOf, ready, reread } from './plans.ts';

const proved = (stderr: string, exit = 1) => provedBy(glusterRefusals, ended(exit, stderr));

describe('words of the gluster CLI', () => {
  // 10.3 as observed, and the spellings of 3.4 to 4.1.
  it.each([
    'volume start: home0: failed: Another transaction is in progress for home0. Please try again after some time.',
    'volume statedump: failed: Another transaction is in progress for home0. Please try again after some time.',
    'Another transaction is in progress. Please try again after sometime.',
    'volume statedump: failed: Locking failed on gl3. Please check log file for details.',
    'volume start: home9: failed: Volume home9 does not exist',
    'volume start: home0: failed: Pre Validation failed on gl2. Volume home0 does not exist',
    'Volume clear-locks unsuccessful\nVolume home0 is not started',
    'unrecognized word: statedum (position 1)',
  ])('%j proves that nothing was done', (text) => {
    expect(proved(`${text}\n`)).toBe('nothing done');
  });

  it.each([
    ['glusterd goes on with it', 'Error : Request timed out'],
    [
      'glusterd went away after it had the request',
      'Connection failed. Please check if gluster daemon is operational.',
    ],
    [
      'done on the other peers',
      'volume start: home0: failed: Commit failed on gl2. Please check log file for details.',
    ],
    ['any failure to begin', 'Another transaction could be in progress. Please try again after some time.'],
    ['a brick may have started', 'volume start: home0: failed: Pre Validation failed on gl2. Brick is down'],
    ['no words', 'volume start: home0: failed'],
    ['the unlocking, after the work', 'Unlocking failed on gl2. Please check log file for details.'],
    [
      'a lock on one and a commit on another',
      'Locking failed on gl3. Please check log file for details.\nCommit failed on gl2.',
    ],
  ])('%s: %j proves nothing', (_, text) => {
    expect(proved(text)).toBe('not known');
  });
});

describe('words of kill and systemctl', () => {
  it.each([
    [killRefusals, 1, 'sh: 1: kill: No such process', 'nothing done'],
    [killRefusals, 1, 'kill: (4711): No such process', 'not known'],
    [killRefusals, 1, 'kill: (4711) - No such process', 'nothing done'],
    [killRefusals, 1, 'sh: line 1: kill: (4711) - Operation not permitted', 'nothing done'],
    [killRefusals, 1, 'kill: sending signal to 4711 failed: No such process', 'nothing done'],
    [killRefusals, 2, 'kill: usage: kill [-s sigspec]', 'not known'],
    [
      systemctlRefusals,
      5,
      'Failed to restart glusterd.service: Unit glusterd.service not found.',
      'nothing done',
    ],
    [
      systemctlRefusals,
      1,
      "Failed to restart glusterd.service: Access denied\nSee system logs and 'systemctl status glusterd.service' for details.",
      'nothing done',
    ],
    [
      systemctlRefusals,
      1,
      'Job for glusterd.service failed because the control process exited with error code.',
      'not known',
    ],
    [systemctlRefusals, 1, 'Failed to restart glusterd.service: Connection timed out', 'not known'],
    [systemctlRefusals, 5, 'Failed to restart other.service: Unit other.service not found.', 'not known'],
  ])('%j exit %i %j: %s', (table, exit, text, proof) => {
    expect(provedBy(table, ended(exit, text))).toBe(proof);
  });
});

describe('what an earlier run did is told by another console', () => {
  const home0 = { kind: 'volume', id: 'home0' } as const;
  const lookedBack = (pool: Awaited<ReturnType<typeof ready>>, id: string, before: readonly string[]) => {
    const plan = action(id).plan(
      [home0],
      {},
      { judgement: pool.judgement(), operator: 'op', looksBack: { before } },
    );
    if ('refused' in plan) throw new Error(plan.reason);
    return only(plan);
  };

  it('a lock that is free by now was freed, though there is nothing left to plan', async () => {
    const pool = await ready('stuck-lock');
    const target = only(planOf(pool, 'gluster.free-lock', home0));
    const before = lookedBack(pool, 'gluster.free-lock', target.before ?? []);
    await reread(pool, before);
    expect(before.verify.check(pool.judgement()).state).toBe('wait');
    expect(before.steps).toEqual([]);
    await pool.send(target.steps);
    await reread(pool, target);
    const after = lookedBack(pool, 'gluster.free-lock', target.before ?? []);
    await reread(pool, after);
    expect(after.verify.check(pool.judgement())).toEqual({ state: 'yes', text: 'home0 is free on gl3' });
  });

  it('nothing settles while a glusterd is stopped: it carries out what waited for it', async () => {
    const pool = await ready('stuck-lock');
    const { verify } = lookedBack(pool, 'gluster.free-lock', ['gl3']);
    expect(verify.settles?.whyPending?.(pool.judgement())).toBeUndefined();
    pool.peer('gl2').glusterd = 'down';
    for (const { probe, host } of verify.settles?.reads ?? []) await pool.ask(probe, host);
    expect(verify.settles?.whyPending?.(pool.judgement())).toMatch(
      /^glusterd of gl2 is \S+: the command may still be carried out there$/,
    );
  });

  it('a command of the CLI has more time than the CLI itself', async () => {
    const pool = await ready('quiet');
    const [step] = only(planOf(pool, 'gluster.statedump', home0)).steps;
    expect(step?.deadlineMs).toBeGreaterThan(120_000);
    expect(step?.refusals?.tool).toBe('gluster');
  });
});
