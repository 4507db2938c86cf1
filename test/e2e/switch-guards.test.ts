import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { holdForAMinute, typeOn } from './device.ts';
import { start } from './driver.ts';
import { faultline } from './run.ts';
import { programArgs } from '../helpers/source.ts';

const bad = 'core3:te3/46';

describe('what may not be shut', () => {
  let demo: Demo;
  let state: string;
  beforeAll(async () => {
    demo = await startDemo({ incident: 'sfp', log: () => undefined });
    holdForAMinute(demo);
    state = emptyFolder('guards');
  });
  afterAll(async () => {
    await demo.close();
  });

  const env = () => ({ XDG_STATE_HOME: state });
  const refusalOf = async (target: string, siteFile = demo.siteFile): Promise<object> => {
    const ran = await faultline(['act', 'switch.shut', target, '--json', '--site', siteFile], env());
    expect(ran.code, ran.stdout + ran.stderr).toBe(4);
    const document: unknown = JSON.parse(ran.stdout);
    expect(document).toMatchObject({ action: 'switch.shut', targets: [target], outcome: 'refused' });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- matched a line before
    return (document as { refused: object }).refused;
  };
  /** A colleague at the switch's own command line. */
  const shutByHand = (ports: readonly string[]): Promise<void> =>
    typeOn(demo, 'core3', [
      'configure',
      ...ports.flatMap((port) => [`interface tengigabitethernet ${port}`, 'shutdown', 'exit']),
      'end',
    ]);

  test('a port that is not in the last reading, and our own uplink', async () => {
    expect(await refusalOf('core3:te9/99')).toEqual({
      guard: '3 preconditions',
      reason: 'te9/99 is not in the last reading of core3',
    });
    // nfs1, which hangs on nfs-sw1 te1/1, holds the consoles' shared folder here.
    const own = join(state, 'site.yaml');
    const text = readFileSync(demo.siteFile, 'utf8');
    writeFileSync(own, text.replace('shared: {"host":"admin1"', 'shared: {"host":"nfs1"'));
    expect(await refusalOf('nfs-sw1:te1/1', own)).toEqual({
      guard: '9 own way',
      reason: expect.stringMatching(
        /^te1\/1 is the uplink of nfs1, where the consoles keep their locks; te1\/1 is in no LAG/,
      ) as string,
    });
  });

  test('below the limit because a colleague shut others, in act and in the console; then the last member', async () => {
    await shutByHand(['1/46', '1/48', '2/46', '2/48']);
    const few = '3 of 8 members of po98 on core3 would stay up (limit 4), 4 more are out already';
    expect(await refusalOf(bad)).toEqual({ guard: '6 members', reason: few });
    const session = start(['--site', demo.siteFile], { columns: 200, rows: 50 });
    try {
      await session.until(/^>?.*switch +core3 te3\/46 receives/m);
      await session.keys('/');
      await session.type('te3/46');
      await session.keys('Enter');
      await session.until(/^>.*te3\/46/m);
      await session.keys('a');
      await session.until(/shut port +3 of 8 members of po98 on core3 would stay up/);
      await session.keys('Enter');
      await session.idle();
      expect(session.screen()).not.toContain('Shut te3/46 on core3');
    } finally {
      await session.close();
    }
    await shutByHand(['3/48', '4/46', '4/48']);
    expect(await refusalOf(bad)).toEqual({
      guard: '6 last member',
      reason:
        'it is the last active member of po98; po98 on core3 needs 1 member to stay up and would have 0',
    });
  });

  test('Junos takes it back by itself when the console is killed while it is held', async () => {
    const port = 'agg1:xe-0/0/0';
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const words = ['act', 'switch.shut', port, '--confirm', `shut ${port}`, '--keep-if-verified'];
    const child = spawn(process.execPath, [...programArgs(), ...words, '--site', demo.siteFile], {
      cwd: root,
      env: { ...process.env, ...env() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        if (text.includes(`${port}  held,`)) resolve();
      });
      child.once('exit', () => reject(new Error(`it ended before it held anything:\n${text}`)));
    });
    child.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 66_000));
    const restore = ['act', 'switch.restore', port, '--confirm', `restore ${port}`];
    const back = await faultline([...restore, '--site', demo.siteFile], env());
    expect(back, back.stdout).toMatchObject({ code: 0 });
    expect(back.stdout).toContain('xe-0/0/0 is up already');
    const typed = (await demo.calls()).filter(({ host }) => host === 'agg1').map(({ argv }) => argv[0]);
    expect(typed.filter((line) => line?.startsWith('commit'))).toEqual([
      'commit confirmed 1 comment faultline',
    ]);
  });
});
