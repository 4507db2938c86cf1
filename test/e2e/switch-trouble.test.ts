import { afterEach, expect, test } from 'vitest';
import type { Edit } from '../../src/demo/messages.ts';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { start, type Session } from './driver.ts';

let session: Session | undefined;
let demo: Demo | undefined;
afterEach(async () => {
  await session?.close();
  await demo?.close();
  session = undefined;
  demo = undefined;
});

const bad = /✖.*core3 te3\/46 ⇄ nfs-sw1 te1\/12 +1,\d{3}/;

/** The console on the night of the bad link, in the pane of the switches. */
const opened = async (site: Demo): Promise<Session> => {
  const console = start(['--site', site.siteFile, '--read-only'], { columns: 200, rows: 50 });
  await console.until(bad);
  await console.keys('2', 'Enter');
  return console;
};

test('a switch that answers badly is seen as what it is, and never as without errors', async () => {
  demo = await startDemo({ incident: 'sfp', log: () => {} });
  // Neither a pager that stays on nor a login banner hides the bad link.
  await demo.fault('core3', 'paged');
  await demo.fault('nfs-sw1', 'noisy');
  session = await opened(demo);
  const { keys, screen, type, until } = session;
  await type(':host core3');
  await keys('Enter');
  await until('pager not off');
  await keys('Esc');
  await demo.fault('core3', 'fine');

  const prints = async (edit: Edit, wanted: Parameters<Session['until']>[0]): Promise<void> => {
    await demo?.edit('core3', edit);
    await keys('r');
    await until(wanted);
    expect(screen()).not.toContain('all fine');
  };
  const recovers = async (): Promise<void> => {
    await demo?.edit('core3');
    await keys('r');
    await until((text) => bad.test(text) && !text.includes('shown rows are from'));
    // The detail beside it is that of the bad link again.
    await keys('g');
  };

  await prints(
    { what: /^TenGig[\s\S]*$/, by: '       ^\n% Error: Invalid input at "^" marker.\n' },
    /core3: counters of core3: Invalid input at "\^" marker.* shown rows are from/,
  );
  expect(screen()).toMatch(/⏸ core3 te3\/46/);
  await recovers();

  await prints(
    { what: /TenGigabitEthernet 3\/46 is[\s\S]*Input Stat[\s\S]*$/, by: '' },
    /\? core3 te3\/46 ⇄ nfs-sw1 te1\/12 .* not listed/,
  );
  expect(screen()).toMatch(/none bad, \d+ not known/);
  await keys('Esc', '0');
  await until(/core3 no longer lists te.*: their errors are not known/);
  await keys('2', 'Enter');
  await recovers();

  await prints(
    { what: /(TenGigabitEthernet 2\/48 is[\s\S]{200})[\s\S]*/, by: '$1\u0004' },
    /core3: connection lost while show interfaces ran.* shown rows are from/,
  );
  await recovers();

  await prints(
    { what: /TenGigabitEthernet 1\/48 is/, by: 'TenGigabitEthernet 3/46 is' },
    '2 lines not understood',
  );
  await until(/\? core3 te3\/46 ⇄ nfs-sw1 te1\/12/);
  await recovers();

  await prints(
    { what: /\b1064\d{6} CRC/, by: '17 CRC' },
    /core3 te3\/46: rxCrc went backwards alone: no rate/,
  );
  expect(screen()).toMatch(bad);
  await recovers();

  await prints(
    { what: /LAG {2}Mode[\s\S]*/, by: 'LAG  Mode  Status  Uptime  Ports\nL   98   L2    down   00:00:00\n' },
    (text) => bad.test(text) && !/te3\/46 ⇄ nfs-sw1 te1\/12.*po98/.test(text),
  );
  await keys('Esc', '0');
  await until('core3 lists no members of po98, yet 8 ports name a LAG as theirs');
  await keys('2', 'Enter');
  await recovers();

  await demo.edit('nfs-sw1', { what: / Local Interface Te 1\/12 has[\s\S]*?(?====|$)/, by: '' });
  await prints(
    {
      what: /Remote Port ID: {2}TenGigabitEthernet 1\/12[\s\S]*?Remote System Name: {2}nfs-sw1/,
      by: 'Remote Port ID:  xe-9/0/1\n    Remote System Name:  stranger9',
    },
    /core3 te3\/46 ⇄ stranger9 xe-9\/0\/1/,
  );
}, 600_000);

test('a switch whose prompt is never seen: told with what it shows, and as a finding of its own', async () => {
  demo = await startDemo({ incident: 'sfp', log: () => {} });
  session = await opened(demo);
  await demo.fault('core3', 'mute');
  await session.until(/core3: its prompt was never seen within 12 s: it shows nothing.* shown rows are from/);
  expect(session.screen()).toMatch(/⏸ core3 te3\/46/);
  await session.keys('Esc', '0');
  await session.until(/core3 unreachable by SSH: its prompt was never seen/);
});
