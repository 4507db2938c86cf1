import { afterEach, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { holdForAMinute } from './device.ts';
import { confirmPlan, leave } from './confirm.ts';
import { start, type Session } from './driver.ts';
import { faultline } from './run.ts';

const bad = 'core3:te3/46';
const seen = /core3 te3\/46 receives 1,\d{3} bad frames\/s \(5\.\d %\), suspect nfs-sw1 te1\/12/;

describe('incident sfp', () => {
  let session: Session;
  let demo: Demo | undefined;
  afterEach(async () => {
    await session.close();
    await demo?.close();
    demo = undefined;
  });

  test('the port is named with the end to look at, shut in at most 8 key presses, and the matrix is clean', async () => {
    session = start(['demo', '--incident', 'sfp'], { columns: 160, rows: 45 });
    await session.until(seen);
    await session.until(/^>✖ switch +core3 te3\/46/m);
    let presses = 0;
    const press = (key: string): Promise<void> => {
      presses += 1;
      return session.keys(key);
    };
    await press('a');
    await session.until(/> shut port +7 of 8 members stay up \(limit 4\)/);
    await press('Enter');
    await session.until('Shut te3/46 on core3');
    expect(session.screen()).toContain('suspect nfs-sw1 te1/12: clean, reseat, then swap');
    // The whole confirmation counts as one.
    presses += 1;
    await confirmPlan(session, `shut ${bad}`);
    await session.until(/jumbo matrix .*now 0 of 16 jumbo paths lossy/);
    await session.until(/po98 +7 of 8 up, \d+ % load/);
    for (const key of 'keep') await press(key);
    await press('Enter');
    await session.until(/kept: .*not saved on the switch/);
    expect(presses).toBeLessThanOrEqual(8);
    await session.keys('Esc');
    await session.until(/te3\/46 shut by \S+/);
    // What was acted on is listed as fixed for a while.
    const open = session
      .screen()
      .split('\n')
      .filter((row) => !/^[> ]*✓/.test(row));
    expect(open.join('\n')).not.toMatch(seen);
    await leave(session);
    const audit = await faultline(['audit', 'verify'], { XDG_STATE_HOME: session.state });
    expect(audit).toMatchObject({ code: 0 });
  }, 600_000);

  test('a console that is killed during the hold leaves a port that comes back by itself', async () => {
    demo = await startDemo({ incident: 'sfp', log: () => undefined });
    holdForAMinute(demo);
    session = start(['--site', demo.siteFile], { columns: 160, rows: 45 });
    await session.until(/^>✖ switch +core3 te3\/46/m);
    await session.keys('a');
    await session.until(/> shut port +7 of 8/);
    await session.keys('Enter');
    await session.until('Shut te3/46 on core3');
    await confirmPlan(session, `shut ${bad}`);
    await session.until(/type keep to keep it/);
    session.signalGroup('SIGKILL');
    const env = { XDG_STATE_HOME: session.state };
    const site = ['--site', demo.siteFile];
    const again = await faultline(['act', 'switch.shut', bad, '--dry-run', ...site], env);
    expect(again.stdout + again.stderr).toMatch(/was left while the change was held: it is undone within/);
    await new Promise((resolve) => setTimeout(resolve, 62_000));
    const back = await faultline(['act', 'switch.restore', bad, '--confirm', `restore ${bad}`, ...site], env);
    expect(back).toMatchObject({ code: 0 });
    expect(back.stdout).toContain('te3/46 is up already');
    const shutdowns = (await demo.calls()).filter(({ argv }) => argv[0] === 'shutdown');
    expect(shutdowns).toHaveLength(1);
  }, 600_000);
});
