import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { quotaSeries } from '../../probes/lustre/judge/find-quota.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { readKernelLines } from '../../probes/lustre/ask/probe-kernel.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import { answerOf } from '../helpers/answer.ts';
import { historyOf, start } from '../helpers/judging.ts';
import { World } from './world.ts';

const only = (world: World) => {
  const found = findings(world.judgement()).filter(({ severity }) => severity !== 'notice');
  if (found.length !== 1 || !found[0]) throw new Error(JSON.stringify(found.map(({ summary }) => summary)));
  return found[0];
};

const stuck = async (): Promise<World> => {
  const world = new World('quota-stuck');
  await world.poll();
  await world.poll(1_000);
  return world;
};

describe('quota slaves out of date', () => {
  it('named by server, with the slaves’ own state and the lines of the kernel that name it', async () => {
    const world = await stuck();
    expect(only(world)).toMatchObject({
      kind: 'quota',
      severity: 'warning',
      subject: { kind: 'ost', id: 'scratch-OST[0012-001a]' },
      summary: 'oss3: group quota of 9 targets not up to date with the quota master',
    });
    const texts = only(world).evidence.map(({ text }) => text);
    expect(texts[0]).toBe('scratch-OST0012: group glb[0],slv[0],reint[1], master setup');
    expect(texts.at(-1)).toContain('scratch-OST001a: failed to enqueue global quota lock');
    expect(texts.some((text) => text.includes('Connection restored'))).toBe(false);
  });

  it('is stuck when it lasts; since when is kept', async () => {
    const world = await stuck();
    const late = lustre
      .track(world.judgement())
      .filter(({ series }) => series.startsWith('lustre/quota/') && series.includes('OST0012'));
    expect(late).toEqual([{ series: quotaSeries('scratch-OST0012'), value: 'group' }]);
    world.history = historyOf({
      [quotaSeries('scratch-OST0012')]: [
        { at: start - 7_200_000, value: '' },
        { at: start - 1_200_000, value: 'group' },
      ],
    });
    expect(only(world)).toMatchObject({
      since: start - 1_200_000,
      summary: expect.stringMatching(/quota master: stuck for 20 min$/),
    });
  });

  it('the kernel is asked only of servers with a late slave, and what it does not say is said', async () => {
    const world = new World('quiet');
    await world.poll();
    expect(world.readings.sources('lustre.oss-kernel')).toEqual([]);
    const late = await stuck();
    expect(late.readings.sources('lustre.oss-kernel').map(({ host }) => host)).toEqual(['oss3']);
    const last = () => only(late).evidence.at(-1)?.text;
    late.readings.good('lustre.oss-kernel', 'oss3', { lines: [], read: 1200 });
    expect(last()).toBe('none of 1,200 kernel lines names the quota code');
    late.readings.good('lustre.oss-kernel', 'oss3', { lines: [], read: 0 });
    expect(last()).toMatch(/^kernel lines not read: the journal is empty or not readable/);
    late.readings.fail('lustre.oss-kernel', 'oss3', { kind: 'command', message: 'oss3: denied' });
    expect(last()).toBe('kernel lines not read: oss3: denied');
  });
});

describe('kernel lines of the quota code', () => {
  const of = (stdout: string, stderr = '', exitCode = 0) =>
    readKernelLines(answerOf(stdout, { stderr, exitCode })).value;

  it('from the journal with their time, from the ring buffer without', () => {
    const ring =
      '[ 77.1] LustreError: 9:0:(qmt_lock.c:88:qmt_intent_policy()) scratch-QMT0000: no lock\n[ 78] Lustre: mounted';
    expect(of(`1763599000.250000 oss3 kernel: Lustre: 1:0:(qsd_reint.c:9:x()) a\n${ring}`)).toEqual({
      lines: [
        { at: 1_763_599_000_250, text: 'Lustre: 1:0:(qsd_reint.c:9:x()) a' },
        { text: ring.split('\n')[0] },
      ],
      read: 3,
    });
    expect(of('')).toEqual({ lines: [], read: 0 });
  });

  it('that may not be read are a failure, not silence', () => {
    expect(() => of('', 'dmesg: read kernel buffer failed: Operation not permitted\n', 1)).toThrow(
      new CommandFailed('kernel', 'kernel lines: dmesg: read kernel buffer failed: Operation not permitted'),
    );
  });
});
