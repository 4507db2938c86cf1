import { describe, expect, it } from 'vitest';
import { readHeal } from '../../../probes/gluster/read/read-volumes.ts';
import { findings } from '../../../probes/gluster/judge/findings.ts';
import type { HealReading } from '../../../probes/gluster/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { type Row, disk, heal, noSelfHeal, options, run, space, split, told } from './edits.ts';
import { change } from './pool-with.ts';

const hour = 3_600_000;

/** 7 entries on each brick, as many since so long; so many of them are being healed. */
const standing = (ms: number, healing: number | null = 0, counts = [7, 7, 7]): Row[1][number] => {
  const all = heal(counts, [7, 7, 7]);
  return (pool) => {
    all(pool);
    change<HealReading>(pool, 'gluster.heal', 'gl1', ({ volumes }) => ({
      volumes: volumes.map((one) => ({
        ...one,
        sameSince: one.at - ms,
        bricks: one.bricks.map((brick) => ({ split: 0, ...brick, ...(healing !== null && { healing }) })),
      })),
    }));
  };
};

describe('entries that wait and do not fall', () => {
  it.each<Row>([
    ['for an hour, six rounds of the daemon', [standing(hour)], ['warning heal-pending']],
    ['for 50 minutes', [standing(hour - 600_000)], ['notice heal-pending']],
    ['while a large file is being healed', [standing(9 * hour, 1)], ['notice heal-pending']],
    [
      'of a release that does not tell what is being healed',
      [standing(9 * hour, null)],
      ['notice heal-pending'],
    ],
    [
      'where the daemon makes its round once in two hours',
      [standing(9 * hour)],
      ['notice heal-pending'],
      options({ 'cluster.heal-timeout': '7200' }),
    ],
    [
      'where the daemon is switched off',
      [standing(9 * hour)],
      ['notice heal-pending'],
      options({ 'cluster.self-heal-daemon': 'off' }),
    ],
    [
      'where a daemon does not run',
      [standing(9 * hour), noSelfHeal('gl2')],
      ['warning self-heal-down', 'notice heal-pending'],
    ],
    [
      'while a brick is down',
      [standing(9 * hour)],
      ['warning brick-down', 'notice heal-pending'],
      { down: [1] },
    ],
    [
      'beside a folder in split-brain, whose names wait with it',
      [
        standing(9 * hour),
        (pool) =>
          change<HealReading>(pool, 'gluster.heal', 'gl1', ({ volumes }) => ({
            volumes: volumes.map((one) => ({
              ...one,
              bricks: one.bricks.map((brick) => ({ ...brick, split: 1 })),
            })),
          })),
      ],
      ['critical split-brain', 'notice heal-pending'],
    ],
    ['none', [standing(9 * hour, 0, [0, 0, 0])], []],
  ])('%s', async (_what, edits, expected, site) => {
    expect((await told(edits, site)).toSorted()).toEqual([...expected].toSorted());
  });

  it('says since when, and where the reason stands', async () => {
    const [found] = findings((await run([standing(hour)])).judgement());
    expect(found?.summary).toMatch(
      /^v: 7 entries wait to be healed, as many since \d\d:\d\d(:\d\d)?: none gets healed$/,
    );
    expect(found?.advice).toContain('glustershd.log');
  });

  it('what is in split-brain besides is told as that', async () => {
    const [found, ...more] = findings((await run([split(['/f'])])).judgement());
    expect([found?.kind, more]).toEqual(['split-brain', []]);
  });
});

describe('since when every brick counts the same', () => {
  const start = 1_800_000_000_000;
  const printed = (...counts: number[]): string =>
    `@@faultline heal v\n<cliOutput><healInfo><bricks>${counts
      .map(
        (count, at) =>
          `<brick><name>gl${at + 1}:/b</name><status>Connected</status><totalNumberOfEntries>${count}</totalNumberOfEntries><numberOfEntriesInSplitBrain>0</numberOfEntriesInSplitBrain><numberOfEntriesPossiblyHealing>0</numberOfEntriesPossiblyHealing></brick>`,
      )
      .join('')}</bricks></healInfo><opRet>0</opRet></cliOutput>\n@@faultline end\n`;
  /** Minutes from the first answer to each, and what was printed then; minutes to the start of those alike, by the last. */
  const since = (...answers: [minutes: number, text: string][]): number | undefined => {
    let value: HealReading | undefined;
    for (const [minutes, stdout] of answers)
      ({ value } = readHeal(
        answerOf(stdout),
        {} as never,
        {
          now: start + minutes * 60_000,
          ...(value && { last: { value } }),
        } as never,
      ));
    const at = value?.volumes[0]?.sameSince;
    return at === undefined ? undefined : (at - start) / 60_000;
  };
  const late = '@@faultline heal v\n\n@@faultline end\n';

  it.each<[string, [number, string][], number | undefined]>([
    ['the first answer', [[0, printed(7, 7)]], 0],
    [
      'as many each time',
      [
        [0, printed(7, 7)],
        [2, printed(7, 7)],
        [4, printed(7, 7)],
      ],
      0,
    ],
    [
      'fewer',
      [
        [0, printed(7, 7)],
        [2, printed(6, 7)],
        [4, printed(6, 7)],
      ],
      2,
    ],
    [
      'as many after an answer that did not come',
      [
        [0, printed(7, 7)],
        [2, late],
        [4, printed(7, 7)],
      ],
      4,
    ],
    [
      'as many after hours in which nobody asked',
      [
        [0, printed(7, 7)],
        [200, printed(7, 7)],
      ],
      200,
    ],
  ])('%s', (_what, answers, minutes) => expect(since(...answers)).toBe(minutes));
});

describe('an arbiter', () => {
  const volume = {
    bricks: ['gl1', 'gl2', 'gl3'].map((host, at) => ({
      host,
      path: `/b/${at}`,
      ...(at === 2 && { arbiter: true }),
    })),
  };
  it.each<Row>([
    ['whose brick is down: the data bricks go on', [], ['warning brick-down'], { volume, down: [2] }],
    [
      'that is down while what it missed is listed by the others',
      [heal([4, 4, undefined], [3, 2])],
      ['warning brick-down', 'warning heal-pending'],
      { volume, down: [2] },
    ],
    ['and a data brick', [], ['critical brick-down'], { volume, down: [0, 2] }],
    ['of a stopped volume', [], [], { volume: { ...volume, status: 'Stopped' }, down: [2] }],
    ['that runs, empty as it is', [disk(2, space(1))], [], { volume }],
  ])('%s', async (_what, edits, expected, site) => {
    expect((await told(edits, site)).toSorted()).toEqual([...expected].toSorted());
  });
});

describe('the daemon that heals has a switch for each kind of volume', () => {
  const both = ['gl1', 'gl2', 'gl3'].map(noSelfHeal);
  it.each<Row>([
    [
      'a replica whose switch for disperse volumes is off misses its daemon',
      both,
      ['warning self-heal-down'],
      options({ 'cluster.disperse-self-heal-daemon': 'off' }),
    ],
    ['a replica whose own is off does not', both, [], options({ 'cluster.self-heal-daemon': 'disable' })],
    ['nor one that is stopped', both, [], { volume: { status: 'Stopped' } }],
  ])('%s', async (_what, edits, expected, site) => {
    expect(await told(edits, site)).toEqual(expected);
  });
});
