import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { faultline } from './run.ts';

describe('undo and cool-down from the command line', () => {
  let demo: Demo;
  let state: string;
  // A site of its own for each try: what the first one did would stand in the way of a second.
  beforeEach(async () => {
    demo = await startDemo({ incident: 'quiet', log: () => undefined });
    state = emptyFolder('undo');
  });
  afterEach(async () => {
    await demo.close();
  });

  const act = (...words: readonly string[]) =>
    faultline(['act', ...words, '--site', demo.siteFile], { XDG_STATE_HOME: state });
  const done = async (...words: readonly string[]) => {
    const { code, stdout } = await act(...words);
    expect(code, stdout).toBe(0);
    return stdout;
  };

  test('a run of the audit log is undone by its name; what was done a moment ago wants a reason', async () => {
    const drain = ['slurm.drain', 'node1', '--reason', 'bad DIMM'];
    await done(...drain, '--confirm', 'y');
    const log = await faultline(['audit', '--json'], { XDG_STATE_HOME: state });
    const run = /"run": *"(r-[0-9a-f]+)"/.exec(log.stdout)?.[1];
    const shown = await act(`undo:${run}`);
    expect(shown).toMatchObject({ code: 4 });
    expect(shown.stdout).toMatch(/will run +ctl1: scontrol update nodename=node1 state=undrain/);
    expect(await done(`undo:${run}`, '--confirm', 'y')).toContain('done and verified');
    expect((await act(`undo:${run}`)).stdout).toContain('was undone already');

    await done(...drain, '--confirm', 'y');
    await done('slurm.undrain', 'node1', '--confirm', 'y');
    const again = await act(...drain, '--confirm', 'y');
    expect(again).toMatchObject({ code: 4 });
    expect(again.stdout).toMatch(
      /refused \(13 cool-down\): drain of node1 was done \d+ s ago by \S+: wait 10 min/,
    );
    await done(...drain, '--set', 'exceed13=the DIMM is out at last', '--confirm', 'node1');
    expect(await act('undo:r-123', '--confirm', 'y')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('there is no run r-123 in the audit log'),
    });
  });
});
