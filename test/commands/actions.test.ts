import { describe, expect, it } from 'vitest';
import { run } from '../../src/commands/actions.ts';
import { actionSets } from '../../src/registries/actions.ts';
import { fakeIo } from './fake-io.ts';

const printed = async (options: { system?: string; json: boolean }): Promise<string> => {
  const { io, out } = fakeIo();
  expect(await run(options, io)).toBe(0);
  return out();
};

describe('faultline actions', () => {
  it('names every action with what it acts on and its danger', async () => {
    const lines = (await printed({ json: false })).split('\n');
    for (const { id, subject, danger } of actionSets.flatMap(({ actions }) => actions)) {
      const line = lines.find((one) => one.startsWith(`${id} `)) ?? '';
      expect(line.split(/\s+/).slice(1, 3), id).toEqual([subject, danger]);
    }
  });

  it('names each parameter as it is typed, with its values, and which are wanted', async () => {
    const text = await printed({ system: 'gluster', json: false });
    expect(text).toContain('--set path=VALUE  path from the top of the volume (required)');
    expect(text).toContain('--set kind=blocked|granted  ');
    expect(await printed({ system: 'slurm', json: false })).toContain('--reason TEXT (required)');
  });

  it('as JSON, of one system, and of one that has none', async () => {
    const { actions } = JSON.parse(await printed({ system: 'slurm', json: true })) as {
      actions: { id: string; system: string; parameters: { name: string; required: boolean }[] }[];
    };
    expect(new Set(actions.map(({ system }) => system))).toEqual(new Set(['slurm']));
    expect(actions.find(({ id }) => id === 'slurm.drain')?.parameters).toContainEqual(
      expect.objectContaining({ name: 'reason', required: true }),
    );
    expect(await printed({ system: 'hosts', json: false })).toBe('hosts has no actions\n');
    expect(JSON.parse(await printed({ system: 'hosts', json: true }))).toEqual({ schema: 1, actions: [] });
  });
});
