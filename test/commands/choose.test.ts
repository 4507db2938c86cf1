import { describe, expect, it } from 'vitest';
import { slurm } from '../../probes/slurm/index.ts';
import { chooseTargets, needsReadings } from '../../src/commands/act/choose.ts';
import type { Judgement } from '../../src/model/system.ts';
import { judged } from '../slurm/situations/judge-printed.ts';

const judgement = judged({ ctl1: { total: 8 } });
/** No `nodeset` is found by this path. */
const env = { PATH: '/nowhere' };
const choose = async (typed: string, read: Judgement | undefined = judgement): Promise<string[]> => {
  const known = { env, systems: [slurm], ...(read && { judgement: read }) };
  const chosen = await chooseTargets([typed], 'node', judgement.site, known);
  return chosen.map(({ id }) => id);
};
const partition = [...(slurm.groups?.(judgement).keys() ?? [])][0] ?? '';

describe('partitions as groups where targets are named', () => {
  it('waits for readings only where one is named', () => {
    expect(needsReadings([`@slurm:${partition}`], [slurm])).toBe(true);
    expect(needsReadings(['n1', '@gpu', 'slurm:x'], [slurm])).toBe(false);
    const own = { new: '@part!n1', part: `@slurm:${partition}`, gpu: 'n[1-2]', a: '@b', b: '@a' };
    expect(needsReadings(['@new'], [slurm], own)).toBe(true);
    expect(needsReadings(['@gpu,@a'], [slurm], own)).toBe(false);
    const numbered = { rack1: 'n1', rack2: `@slurm:${partition}`, '9/x': '@rack2' };
    expect(needsReadings(['@rack[1-2]'], [slurm], numbered)).toBe(true);
    expect(needsReadings(['n[1-4]!@9/x'], [slurm], numbered)).toBe(true);
    expect(needsReadings(['@rack1,n[1', '@rack[1,3]'], [slurm], numbered)).toBe(false);
  });

  it('stand for the nodes of the partition, and take part in sets', async () => {
    const all = await choose(`@slurm:${partition}`);
    expect(all).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8']);
    expect(await choose(`@slurm:${partition}!n[1-3]`)).toEqual(['n4', 'n5', 'n6', 'n7', 'n8']);
    expect(await choose(`n[7-9]&@slurm:${partition}`)).toEqual(['n7', 'n8']);
    expect(await choose(`n[7-8]^@slurm:${partition}`)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
  });

  it('that Slurm does not know are refused with the nearest, never taken for nothing', async () => {
    await expect(choose(`@slurm:${partition}x`)).rejects.toThrow(
      new RegExp(`there is no group "@slurm:${partition}x".*@slurm:${partition}`),
    );
    await expect(choose('n[1-8]!@slurm:maint')).rejects.toThrow('there is no group "@slurm:maint"');
  });

  it('of a Slurm that was not read are not known', async () => {
    const unread = judged({ ctl1: { total: 8, answers: { 'slurm.nodes': { err: 'gone', exit: 1 } } } });
    await expect(choose(`@slurm:${partition}`, unread)).rejects.toThrow(
      'was not read, so its groups are not known',
    );
  });
});
