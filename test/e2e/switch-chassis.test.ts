import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { holdForAMinute, typeOn } from './device.ts';
import { start } from './driver.ts';
import { faultline } from './run.ts';

const port = 'leaf1:eth1';

/** leaf1 and leaf2 are one by MLAG; a filer that nobody logs in to hangs at both with two links each. */
describe('a LAG over two chassis', () => {
  let demo: Demo;
  let state: string;
  beforeAll(async () => {
    demo = await startDemo({ incident: 'quiet', log: () => undefined });
    holdForAMinute(demo);
    state = emptyFolder('chassis');
  });
  afterAll(async () => {
    await demo.close();
  });

  const act = (...words: readonly string[]) =>
    faultline(['act', ...words, '--site', demo.siteFile], { XDG_STATE_HOME: state });
  /** A colleague at a switch's own command line. */
  const byHand = (host: string, ports: readonly string[], verb: 'shutdown' | 'no shutdown') =>
    typeOn(demo, host, [
      'enable',
      'configure',
      ...ports.flatMap((one) => [`interface Ethernet${one}`, verb, 'exit']),
      'end',
    ]);
  const refused = async (reason: RegExp): Promise<void> => {
    const ran = await act('switch.shut', port);
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 4 });
    expect(ran.stdout).toMatch(reason);
    const console = start(['--site', demo.siteFile], { columns: 200, rows: 50 });
    try {
      await console.until(/\d+ links without errors: →/);
      // Links without errors are folded: they open, and a filter finds them.
      await console.keys('2', 'Enter', 'Right');
      await console.until(/leaf1 eth1 ⇄ filer1 e0a/);
      await console.keys('/');
      await console.type('leaf1 e0a');
      await console.keys('Enter');
      await console.until(/^>.*leaf1 eth1 ⇄ filer1 e0a/m);
      await console.keys('a');
      await console.until(/shut port/);
      await console.keys('Enter');
      // Where the menu does not know yet, the plan says it.
      await console.until((screen) => reason.test(screen.replaceAll(/\s*│?\n\s*│?\s*/g, ' ')));
      expect(console.screen()).not.toContain('type shut');
    } finally {
      await console.close();
    }
  };

  test('counted at both it is shut, and restored', async () => {
    const done = await act('switch.shut', port, '--confirm', `shut ${port}`, '--keep-if-verified');
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    const audit = await faultline(['audit', '--json'], { XDG_STATE_HOME: state });
    expect(audit.stdout).toContain('3 of 4 members of po10 stay up with leaf2 (limit 2)');
    const back = await act('switch.restore', port, '--confirm', `restore ${port}`);
    expect(back, back.stdout + back.stderr).toMatchObject({ code: 0 });
  });

  test('what a colleague shut at the other chassis refuses, in act and in the console', async () => {
    await byHand('leaf2', ['1', '2'], 'shutdown');
    await refused(/1 of 4 members of po10 would stay up with leaf2 \(limit 2\)/);
    await byHand('leaf2', ['1', '2'], 'no shutdown');
  });

  test('the link between the two is down: nobody knows what the other carries', async () => {
    await byHand('leaf1', ['47', '48'], 'shutdown');
    await refused(/po10 spans a second chassis that leaf1 does not see: state inactive/);
    await byHand('leaf1', ['47', '48'], 'no shutdown');
  });

  test('the other chassis does not answer: its members are not known', async () => {
    await demo.fault('leaf2', 'off');
    await refused(/po10 spans leaf2 too, whose members are not known: leaf2/);
  });
});
