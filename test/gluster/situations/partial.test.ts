import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/gluster/judge/findings.ts';
import {
  type Disk,
  type Row,
  arbiter,
  detached,
  disk,
  heal,
  noSelfHeal,
  peer,
  run,
  space,
  split,
  told,
} from './edits.ts';

describe('names in split-brain', () => {
  const adviceFor = async (file: string): Promise<string> =>
    findings((await run([split([file])])).judgement())[0]?.advice ?? '';
  it.each<[string, string, string]>([
    [
      'known by its gfid only',
      '<gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11>',
      ' gfid:0c3f2b1e-7a40-4c9b-8d52-1f6f3e1f2a11 ',
    ],
    ['with a blank', '/a b', " '/a b' "],
    ['that ends a command', "/a';reboot;'", ' FILE '],
    ['with an end of line', '/a\nreboot', ' FILE '],
    ['with a substitution', '/$(reboot)', ' FILE '],
  ])('a file %s', async (_what, file, expected) => {
    const advice = await adviceFor(file);
    expect(advice).toContain(expected);
    expect(advice).not.toMatch(/reboot|<gfid/);
  });
});

describe('two of something', () => {
  it.each<Row>([
    [
      'two pools in one site file: no quorum lost, nobody rejected',
      [detached('gl3')],
      [],
      { bricks: 2, volume: { replica: 2, options: { 'cluster.server-quorum-type': 'server' } } },
    ],
    [
      'two bricks on one full disk: once',
      [disk(0, space(99.5)), disk(3, space(99.5))],
      ['critical brick-full'],
      { ...arbiter },
    ],
    [
      'two full disks: each',
      [disk(0, space(99.5)), disk(1, space(99.5))],
      ['critical brick-full', 'critical brick-full'],
      { ...arbiter },
    ],
    ['two bricks that are down, of two sets', [], ['warning brick-down'], { ...arbiter, down: [0, 4] }],
    ['the arbiter and a data brick of one set', [], ['critical brick-down'], { ...arbiter, down: [0, 2] }],
  ])('%s', async (_what, edits, expected, site) => {
    expect(await told(edits, site)).toEqual(expected);
  });

  it('a brick that is an arbiter is told as one', async () => {
    const summaryOf = async (down: number): Promise<string | undefined> =>
      findings((await run([], { ...arbiter, down: [down] })).judgement())[0]?.summary;
    expect(await summaryOf(2)).toMatch(/down: gl3:\/b\/2 \(arbiter\)$/);
    expect(await summaryOf(1)).toMatch(/down: gl2:\/b\/1$/);
  });
});

/** The letter that `ps` gives for the process of gl2's brick. */
const brickIn = (state: string): ReturnType<typeof peer> =>
  peer('gl2', ({ processes }) => ({
    processes: processes.map((one) => (one.path === '/b/1' ? { ...one, state } : one)),
  }));

describe('releases and partial answers', () => {
  it.each<Row>([
    ['a brick of a state that is not known', [brickIn('Q')], []],
    ['a brick that waits for its disk for a moment (D)', [brickIn('Dsl')], []],
    ['a brick that somebody stopped (T)', [brickIn('Tsl')], ['warning brick-down']],
    [
      'self-heal daemon off for disperse',
      ['gl1', 'gl2', 'gl3'].map(noSelfHeal),
      [],
      {
        bricks: 6,
        volume: {
          type: 'Disperse',
          replica: 1,
          disperse: 6,
          redundancy: 2,
          options: { 'cluster.disperse-self-heal-daemon': 'disable' },
        },
      },
    ],
    ['a heal answer without counts', [heal([], [], { error: 'Self-heal daemon is not running' })], []],
    ['pending twice, then fewer: no growth', [heal([150, 150, 0], [200, 100])], ['notice heal-pending']],
    ['pending grew twice only', [heal([200, 200, 0], [100])], ['notice heal-pending']],
    [
      'df that told nothing of space',
      [disk(1, { kbTotal: undefined, kbUsed: undefined, kbAvail: undefined } as Disk)],
      [],
    ],
    ['a disk of a volume that is stopped', [disk(1, space(100))], [], { volume: { status: 'Stopped' } }],
    [
      'a write to the disk with errors, read-only, of a volume without copies',
      [disk(1, { readOnly: true })],
      ['critical brick-read-only'],
      { volume: { type: 'Distribute', replica: 1 } },
    ],
  ])('%s', async (_what, edits, expected, site) => {
    expect(await told(edits, site)).toEqual(expected);
  });
});
