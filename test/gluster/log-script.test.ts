import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LogReading } from '../../probes/gluster/readings.ts';
import logScript from '../../probes/gluster/ask/log.sh';
import { emptyFolder } from '../helpers/folder.ts';
import { answerOf } from '../helpers/answer.ts';
import { Pool } from './world.ts';

const owner = '878bc80a-506a-4a17-aa9d-f50396b6c7c6';
let folder = '';
let log = '';
let pool: Pool;

beforeEach(() => {
  folder = emptyFolder('log');
  log = join(folder, 'glusterd.log');
  pool = new Pool('quiet');
  writeFileSync(log, '');
  write('began');
  expect(read()).toEqual(['began']);
});

const line = (volume: string): string => {
  const at = new Date(pool.now).toISOString().replace('T', ' ').replace('Z', '000');
  return `[${at}] W [glusterd-locks.c:622:glusterd_mgmt_v3_lock] (-->/x.so(+0xd) [0x7f] ) 0-management: Lock for ${volume} held by ${owner}\n`;
};

const write = (volume: string, file = log): void => appendFileSync(file, line(volume));

/** What our script says of the folder, run by a real sh where the last reading ended: volumes, and gaps. */
const read = (): string[] => {
  const last = pool.readings.source<LogReading>('gluster.log', 'gl1')?.good?.value;
  const script = logScript.replaceAll('/var/log/glusterfs', folder);
  const position = [last?.inode ?? '0', String(last?.offset ?? 0)];
  pool.take(
    'gluster.log',
    'gl1',
    answerOf(execFileSync('sh', ['-c', script, 'log', ...position], { encoding: 'utf8' })),
  );
  const source = pool.readings.source<LogReading>('gluster.log', 'gl1');
  if (source?.state !== 'fresh') throw new Error(source?.failure?.message ?? 'not read');
  return (source.good?.value.events ?? []).map(({ kind, volume }) => volume ?? kind);
};

describe('glusterd.log, read on by a real sh', () => {
  it('goes on where it ended, once', () => {
    write('more');
    expect(read()).toEqual(['began', 'more']);
    expect(read()).toEqual(['began', 'more']);
  });

  it('renamed: the last lines of the old file come before those of the new one', () => {
    write('late');
    renameSync(log, `${log}-20261121`);
    writeFileSync(log, line('new'));
    expect(read()).toEqual(['began', 'late', 'new']);
    write('newer');
    expect(read()).toEqual(['began', 'late', 'new', 'newer']);
  });

  it('renamed, and the new file comes later: nothing is lost meanwhile', () => {
    write('late');
    renameSync(log, `${log}.1`);
    expect(read()).toEqual(['began']);
    expect(pool.readings.source<LogReading>('gluster.log', 'gl1')?.good?.value.state).toBe('missing');
    writeFileSync(log, line('new'));
    expect(read()).toEqual(['began', 'late', 'new']);
  });

  it('copied and emptied: the last lines are in the copy', () => {
    write('late');
    copyFileSync(log, `${log}.1`);
    truncateSync(log);
    expect(read()).toEqual(['began', 'late']);
    write('new');
    expect(read()).toEqual(['began', 'late', 'new']);
  });

  it.each(['gone', 'packed'])('rotated, and the old file is %s: the gap is told', (how) => {
    write('late');
    if (how === 'gone') renameSync(log, join(folder, 'elsewhere'));
    else renameSync(log, `${log}-20261121.gz`);
    writeFileSync(log, line('new'));
    expect(read()).toEqual(['began', 'gap', 'new']);
  });

  it('more than fits at once: the newest, and the gap is told', () => {
    write('late');
    appendFileSync(log, `${'x'.repeat(99)}\n`.repeat(3000));
    write('new');
    expect(read()).toEqual(['began', 'gap', 'new']);
  });
});
