import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { confirmPlan } from './confirm.ts';
import { start } from './driver.ts';
import { faultline } from './run.ts';

const port = 'core3:te3/48';
const bad = 'core3:te3/46';

/** The site file names no undo host for the FTOS switches, which have no undo of their own. */
describe('a shutdown that nothing undoes', () => {
  let demo: Demo;
  let state: string;
  let original: string;
  // A site of its own for each try: what the first one did would stand in the way of a second.
  beforeEach(async () => {
    demo = await startDemo({ incident: 'sfp', log: () => undefined });
    original = readFileSync(demo.siteFile, 'utf8');
    state = emptyFolder('unarmed');
  });
  afterEach(async () => {
    await demo.close();
  });

  const siteWith = (more: string): void => {
    const lines = original
      .split('\n')
      .map((line) => (line.includes('dell_ftos') ? line.replace(/,"undoHost":"admin1"/, more) : line));
    expect(lines.join('\n')).not.toBe(original);
    writeFileSync(demo.siteFile, lines.join('\n'));
  };
  const act = (...words: readonly string[]) =>
    faultline(['act', ...words, '--site', demo.siteFile], { XDG_STATE_HOME: state });
  const shutdowns = async (): Promise<number> =>
    (await demo.calls()).filter(({ argv }) => argv[0] === 'shutdown').length;

  test('is refused by default, and where the site allows it for a reason and other words only', async () => {
    siteWith('');
    expect((await act('switch.shut', port)).stdout).toContain(
      'refused (9 armed undo): the site file names no undoHost for core3, nor withoutUndo',
    );
    siteWith(',"withoutUndo":true');
    expect((await act('switch.shut', port)).stdout).toMatch(
      /refused \(9 armed undo\): nothing would undo it: .*--set exceed9="why"/,
    );
    const reasoned = ['switch.shut', port, '--set', 'exceed9=console server at hand'];
    const habit = await act(...reasoned, '--confirm', `shut ${port}`);
    expect(habit).toMatchObject({ code: 4 });
    expect(habit.stdout).toContain(`type "shut ${port} without undo"`);
    expect(await shutdowns()).toBe(0);
    const done = await act(...reasoned, '--confirm', `shut ${port} without undo`);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('Shut te3/48 on core3: nothing will undo this');
    expect(done.stdout).toContain('guard 9 armed undo is exceeded: console server at hand');
    expect(await shutdowns()).toBe(1);
    const audit = await faultline(['audit', '--json'], { XDG_STATE_HOME: state });
    expect(audit.stdout).toContain('nothing will undo this: the site file names no undoHost for core3');
    expect(audit.stdout).toContain('console server at hand');
    const back = await act('switch.restore', port, '--confirm', `restore ${port}`);
    expect(back, back.stdout + back.stderr).toMatchObject({ code: 0 });
  });

  test('in the console: the menu says so, asks why, and the dialog wants it typed', async () => {
    siteWith(',"withoutUndo":true');
    const session = start(['--site', demo.siteFile], { columns: 160, rows: 45 });
    try {
      await session.until(/^>✖ switch +core3 te3\/46/m);
      await session.keys('a');
      await session.until(/> shut port +7 of 8 members stay up \(limit 4\); nothing will undo it/);
      await session.keys('Enter');
      await session.until(/nothing undoes this, even if it cuts you off: why shut it anyway/);
      await session.type('console server at hand');
      await session.keys('Enter');
      await session.until('Shut te3/46 on core3: nothing will undo this');
      const wanted = `shut ${bad} without undo`;
      await confirmPlan(session, wanted);
      await session.until(/te3\/46 reads/);
      await session.until(/verified/);
      expect(session.screen()).not.toContain('type keep');
    } finally {
      await session.close();
    }
  });
});
