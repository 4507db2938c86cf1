import { appendFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { startDemo } from '../../src/demo/start.ts';
import { leave, settleChoice } from './confirm.ts';
import { start, type Session } from './driver.ts';
import { Hand, openPlan } from './play-incident.ts';
import { faultline } from './run.ts';

test('a sweep over the sixteen hosts of the demo finds the bad one and says how sure it is', async () => {
  const session = start(['demo', '--list']);
  const { stdout, code } = await faultline(
    [
      'act',
      'iperf.sweep',
      'demo',
      '--demo',
      '--incident',
      'bimodal',
      '--set',
      'hosts=wn-d-[01-16]',
      '--confirm',
      'demo',
    ],
    { XDG_STATE_HOME: session.state },
  );
  await session.close();
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(
    /done and verified: wn-d-04 is slow when it receives: (?:[89]\d|>99) % sure, from 32 tests/,
  );
});

describe('incident bimodal', () => {
  let session: Session;
  afterEach(() => session.close());

  test('is played through in at most 8 key presses', async () => {
    session = start(['demo', '--incident', 'bimodal'], { columns: 160, rows: 45 });
    // What the pair suffers is folded below the host that causes it.
    await session.until(/^>! iperf +wn-d-04: all 8 queues of ens1f0 interrupt core 0.*explains 1 more/m);
    const hand = new Hand(session);
    // A machine that is too busy to write its log refuses the plan: the keys are pressed anew.
    await openPlan(hand, {
      chosen: /> spread NIC interrupts/,
      plan: 'Spread the interrupts of ens1f0 on wn-d-04',
    });
    await hand.confirm('wn-d-04');
    await session.until('8 queues on 8 cores');
    await hand.press('Esc');
    await session.until((screen) => !/^[> ][✖!·] .*all 8 queues/m.test(screen));
    await hand.press('a');
    await settleChoice(session, /> run a test/);
    await hand.press('Enter');
    await session.until('Test wn-d-03:wn-d-04');
    await hand.confirm('wn-d-03:wn-d-04');
    await session.until(/at line rate, 9\.4\d of 10\.0 Gbit\/s/);
    expect(hand.count).toBeLessThanOrEqual(8);
    await session.keys('Esc');
    await session.until((screen) => !/^[> ][✖!·] .*bimodal/m.test(screen));
    expect(await leave(session)).toContain('exit 0');
    const audit = await faultline(['audit', 'verify'], { XDG_STATE_HOME: session.state });
    expect(audit).toMatchObject({ code: 0 });
  });

  test('the same test without a screen finds the same, and a cure that is not confirmed is not sent', async () => {
    session = start(['demo', '--list']);
    const env = { XDG_STATE_HOME: session.state };
    const demo = ['--demo', '--incident', 'bimodal'];
    const pair = 'wn-d-03:wn-d-04';
    const [spread, tested] = await Promise.all([
      faultline(['act', 'host.irq-affinity', 'wn-d-04', ...demo], env),
      faultline(['act', 'iperf.run', pair, ...demo, '--set', 'seconds=9', '--confirm', pair], env),
    ]);
    expect(spread).toMatchObject({ code: 4 });
    expect(spread.stdout + spread.stderr).toContain('98:0 99:1 100:2');
    expect(tested).toMatchObject({ code: 0 });
    expect(tested.stdout).toMatch(/done and verified: bimodal 9\.4\d \/ 2\.33/);
  });
});

/** `03:07`, so many minutes after now. */
const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);

test('a sweep by the clock begins in its part of the day, runs, and is shown with its result and its age', async () => {
  const demo = await startDemo({ incident: 'bimodal', log: () => {} });
  // The demo's own site file, as an operator would extend it. Not before the next minute: until then nothing runs.
  const rule = `traffic:\n  - {probe: iperf.sweep, between: "${inMinutes(1)}-${inMinutes(5)}", every: 1d, hosts: "wn-d-[01-16]"}\n`;
  appendFileSync(demo.siteFile, `\nzone: UTC\n${rule}`);
  const session = start(['--site', demo.siteFile], { columns: 200, rows: 120 });
  try {
    const armed = async (): Promise<number> =>
      new Set(
        (await demo.calls()).flatMap(({ host, argv }) => (argv.join(' ').includes('clock-') ? [host] : [])),
      ).size;
    await session.until(/^>! iperf +wn-d-04/m);
    await session.keys('5', 'Enter');
    await session.until(/Sweeps by the clock, on idle hosts: \d\d:\d\d-\d\d:\d\d UTC every 1 d/);
    expect(session.screen()).toContain('not run yet by this console');
    expect(await armed()).toBe(0);
    await session.until(/wn-d-\[01-16\]: armed clock-\d{4}-\d\d-\d\dT\d\d:\d0/, 240_000);
    expect(await armed()).toBe(16);
    await session.until(/Last sweep, 16 hosts/);
    await session.until(/wn-d-04 is slow when it receives: .* % sure, from \d+ tests +\d+ (?:s|min)/);
  } finally {
    await session.close();
    await demo.close();
  }
}, 600_000);
