import { describe, expect, it } from 'vitest';
import { firstMissing } from '../../src/remedy/live.ts';
import { Sources, judgementOf, siteOf } from '../helpers/judging.ts';

const reads = [{ probe: 'slurm.nodes', host: 'ctl1' }];
const missing = (readings: Sources, waitedMs: number): string | undefined =>
  firstMissing(judgementOf({ readings, site: siteOf([]), mono: 60_000 + waitedMs }), reads, 60_000);

describe('a reading that did not come in time', () => {
  it('says how long was waited, what the last answer took, and that the link took it', () => {
    const readings = new Sources();
    readings.good('slurm.nodes', 'ctl1', 1, undefined, 14_000);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (!source?.good) throw new Error('no reading');
    readings.put({ ...source, good: { ...source.good, hostMs: 100 } });
    expect(missing(readings, 8_000)).toBe(
      'ctl1 gave no fresh answer to slurm.nodes within 8.0 s; its last answer took 14.0 s, 13.9 s of it there and back: the link to ctl1 is slow',
    );
  });

  it('blames no link where the command was slow, or where that is not known', () => {
    const readings = new Sources();
    readings.good('slurm.nodes', 'ctl1', 1, undefined, 14_000);
    const said = 'ctl1 gave no fresh answer to slurm.nodes within 8.0 s; its last answer took 14.0 s';
    expect(missing(readings, 8_000)).toBe(said);
    const source = readings.source('slurm.nodes', 'ctl1');
    if (!source?.good) throw new Error('no reading');
    readings.put({ ...source, good: { ...source.good, hostMs: 13_900 } });
    expect(missing(readings, 8_000)).toBe(said);
  });

  it('a failure speaks for itself, and a quick host of which nothing is known is not called slow', () => {
    const readings = new Sources();
    expect(missing(readings, 8_000)).toBe('ctl1 gave no fresh answer to slurm.nodes within 8.0 s');
    readings.fail('slurm.nodes', 'ctl1', { kind: 'timeout', message: 'ctl1: timed out' });
    expect(missing(readings, 8_000)).toBe('ctl1: timed out');
  });
});
