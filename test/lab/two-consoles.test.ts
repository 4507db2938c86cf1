import { join } from 'node:path';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../src/collect/clock.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import { loadSite } from '../../src/site/load.ts';
import { systems } from '../../src/registries/systems.ts';
import { createTransports } from '../../src/transport/pool.ts';
import { openTerminal, type Terminal } from '../smoke/terminal.ts';
import { ADMIN } from './folder.ts';
import { openLab, type OpenLab } from './open.ts';
import { slurm } from './slurm.ts';
import { killSshd, startSshd } from './sshd.ts';
import { programArgs } from '../helpers/source.ts';

/** The shared folder is read this often, and what a busy machine may add. */
const POLL_MS = 10_000;
const SLACK_MS = 40_000;
/** A host that was away is tried again with growing pauses. */
const BACK_MS = 90_000;

const REPOSITORY = join(import.meta.dirname, '../..');

/** A dialog's field takes what it is sent after it was drawn. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));

const write = async (screen: Terminal, ...pieces: readonly string[]): Promise<void> => {
  for (const piece of pieces) {
    screen.type(piece);
    await pause();
  }
};

describe('two consoles on one site', () => {
  let lab: OpenLab;
  let one: Terminal;
  let two: Terminal;
  beforeAll(async () => {
    lab = await openLab();
    slurm(lab.folder, 'scontrol', 'update', 'nodename=node1', 'state=drain', 'reason=bad fan');
    one = lab.screen();
    two = openTerminal(
      programArgs(),
      { ...lab.env, XDG_STATE_HOME: join(lab.folder, 'home/other') },
      REPOSITORY,
    );
    for (const screen of [one, two]) await screen.until(/node1 drained by/, 90_000);
  });
  afterAll(async () => {
    one.kill();
    two.kill();
    await lab.close();
  });

  it('each sees that the other is on', async () => {
    for (const screen of [one, two])
      await screen.until(new RegExp(`with \\S+ on ${hostname().replaceAll('.', '\\.')}`), 60_000);
  });

  it('an acknowledgement is on the other screen within one poll', async () => {
    await write(one, '0', 'g', 'A');
    await one.until(/why it may wait/);
    await write(one, 'fan is ordered', '\r', '\r');
    await one.until(/written to the shared folder/);
    await two.until(/node1 drained by .* · acked by \S+ until .*: fan is ordered/, POLL_MS + SLACK_MS);
    expect(two.text().split('\n')[0]).toMatch(/ 1 acked /);
  });

  it('so is a note, the other way', async () => {
    await write(two, '0', 'g', 'N');
    await two.until(/the note/);
    await write(two, 'called the vendor', '\r', '\r');
    await two.until(/written to the shared folder/);
    await one.until(/^>.\+slurm +node1 drained/m, POLL_MS + SLACK_MS);
    await write(one, 'C');
    await one.until(/note +\S+ +node node1: called the vendor/);
    await write(one, '\u001B');
  });

  it('so is a lock, while it stands', async () => {
    const { site } = await loadSite(lab.siteFile, { systems });
    if (!site.shared) throw new Error('the lab has a shared folder');
    const parts = { site, clock: realClock, log: () => {}, env: lab.env };
    const transports = createTransports(parts);
    let ids = 0;
    const newId = (): string => `lab${(ids += 1)}`;
    const locks = createLocks({
      site: site.name,
      local: createLocalStore(join(lab.folder, 'home/third/locks'), realClock, newId),
      shared: createSharedStore(site.shared, transports, newId),
      operator: { name: 'carol', uid: 1 },
      console: { host: 'adm9', pid: 1, version: '0', stamp: 's' },
      clock: realClock,
      makeId: newId,
    });
    const taken = await locks.take('partition batch', {
      purpose: 'Drain 4 nodes',
      holdMs: 120_000,
      run: 'r-1',
      judge: async () => ({ may: 'wait', why: '' }),
    });
    if (taken.state !== 'taken') throw new Error(taken.reason);
    for (const screen of [one, two])
      await screen.until(
        /carol on adm9 is at work on partition batch since .*\d\d:\d\d: Drain 4 nodes/,
        POLL_MS + SLACK_MS,
      );
    expect(await taken.lock.release()).toBeUndefined();
    for (const screen of [one, two]) {
      const end = performance.now() + POLL_MS + SLACK_MS;
      while (screen.text().includes('carol on adm9') && performance.now() < end) await pause();
      expect(screen.text()).not.toContain('carol on adm9');
    }
    await transports.close();
  });

  it('the hand-over tells what either wrote', async () => {
    const { stdout, stderr } = await lab.program('status');
    expect(`${stdout}${stderr}`).toMatch(
      /node1 drained.*acknowledged by \S+ until .*"fan is ordered".*"called the vendor"/,
    );
    // Something must have been done here for there to be a log to report on.
    await lab.program('act', 'slurm.drain', 'node2', '--reason', 'lab', '--confirm', 'y');
    const all = (await lab.program('audit', 'report', '--since', '1h')).stdout;
    // It tells of every site's log of this account: other ones may lie in /var/tmp of this machine.
    const [, report = ''] = /^(# Hand-over: `lab`\n[^]*?)(?=^# |$(?![^]))/m.exec(all) ?? [];
    expect(report).toMatch(
      /## Left as it is\n\n- `slurm:drained-group:\S.*` by `\S+` at .*: `fan is ordered`/,
    );
    expect(report).toMatch(/## Noted\n\n- .* on `node node1`: `called the vendor`/);
    expect(report).not.toContain('## Not known of colleagues');
  });

  it('with the shared host down both say so and go on alone; what they wrote is told when it is back', async () => {
    await killSshd(lab.folder, ADMIN);
    for (const screen of [one, two])
      await screen.until(/shared folder down since .*\d\d:\d\d, notes stay here/, POLL_MS + SLACK_MS);
    slurm(lab.folder, 'scontrol', 'update', 'nodename=node4', 'state=drain', 'reason=still live');
    for (const screen of [one, two]) await screen.until(/still live/, POLL_MS + SLACK_MS);
    await write(one, '0', 'G', 'N');
    await one.until(/the note/);
    await write(one, 'written alone', '\r', '\r');
    await one.until(/kept on this machine until the shared folder is back/, 30_000);
    await startSshd(lab.folder, ADMIN);
    const end = performance.now() + BACK_MS;
    for (const screen of [one, two]) {
      while (screen.text().includes('shared folder down') && performance.now() < end) await pause();
      expect(screen.text()).not.toContain('shared folder down');
    }
    await write(two, 'C');
    let shown = false;
    while (!shown && performance.now() < end) {
      shown = await two.until(/written alone/, 5000).then(
        () => true,
        () => false,
      );
      if (!shown) await write(two, '\u001B', 'C');
    }
    expect(two.text()).toMatch(/note +\S+ +\S+ \S+: written alone/);
  });
});
