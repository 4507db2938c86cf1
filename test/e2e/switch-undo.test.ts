import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { holdForAMinute, typeOn } from './device.ts';
import { faultline } from './run.ts';

/** A quiet night: what is held is kept only while the matrix is clean. */
describe('undo of a shutdown on a device that takes commits back', () => {
  let demo: Demo;
  let state: string;
  beforeAll(async () => {
    demo = await startDemo({ incident: 'quiet', log: () => undefined });
    holdForAMinute(demo);
    state = emptyFolder('switch-undo');
  });
  afterAll(async () => {
    await demo.close();
  });

  const env = () => ({ XDG_STATE_HOME: state });

  test('Junos: an undo from the log would confirm what a colleague has not, and is refused while that waits', async () => {
    const port = 'agg1:xe-0/0/0';
    const site = ['--site', demo.siteFile];
    const shut = ['act', 'switch.shut', port, '--confirm', `shut ${port}`, '--keep-if-verified', '--json'];
    const done = await faultline([...shut, ...site], env());
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const run = /"id": *"(r-[0-9a-f]+)"/.exec(done.stdout)?.[1];
    const undo = ['act', `undo:${run}`, '--confirm', `undo ${port}`, ...site];
    await typeOn(demo, 'agg1', ['configure exclusive', 'commit confirmed 5 comment bob', 'exit']);
    const refused = await faultline(undo, env());
    expect(refused, refused.stdout).toMatchObject({ code: 4 });
    expect(refused.stdout).toContain(
      'refused (9 armed undo): a commit waits to be confirmed there already: bob',
    );
    await typeOn(demo, 'agg1', ['configure exclusive', 'commit comment bob', 'exit']);
    const back = await faultline(undo, env());
    expect(back, back.stdout + back.stderr).toMatchObject({ code: 0 });
  });
});
