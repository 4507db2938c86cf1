import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/start.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { confirmPlan } from './confirm.ts';
import { start, type Session } from './driver.ts';

describe('a drain that outlives its console', () => {
  let demo: Demo;
  let state: string;
  const sessions: Session[] = [];
  beforeAll(async () => {
    demo = await startDemo({ incident: 'ost-drain', log: () => {} });
    state = emptyFolder('drain');
  });
  afterAll(async () => {
    for (const session of sessions) await session.close();
    await demo.close();
  });

  const open = (): Session => {
    const session = start(['--site', demo.siteFile], { state, columns: 200, rows: 60 });
    sessions.push(session);
    return session;
  };

  /** Puts the cursor on the finding that holds this text. */
  const select = async (session: Session, text: string): Promise<void> => {
    const there = (): boolean => session.lines().some((line) => line.startsWith('>') && line.includes(text));
    for (const key of [
      ...Array.from({ length: 20 }, () => 'Up'),
      ...Array.from({ length: 20 }, () => 'Down'),
    ]) {
      if (there()) return;
      await session.keys(key);
    }
    if (!there()) throw new Error(`no finding "${text}":\n${session.screen()}`);
  };

  /** The action's line in the menu of the finding under the cursor, then its dialog, then the confirmation. */
  const act = async (session: Session, title: string, dialog: string, typed?: string): Promise<void> => {
    await session.keys('a');
    await session.until('other actions on');
    await session.keys('Right');
    await session.until(title);
    await session.keys(...Array.from({ length: 12 }, () => 'Up'));
    for (let tries = 0; !session.screen().includes(`> ${title}`); tries++) {
      if (tries > 20) throw new Error(`no "${title}" in the menu:\n${session.screen()}`);
      await session.keys('Down');
    }
    await session.keys('Enter');
    await session.until(dialog);
    await confirmPlan(session, typed);
    // A drain is only begun then.
    await session.until('verified by reading it again');
    await session.keys('Esc');
  };

  test(
    'stopped, drained, its console killed in the middle, empty, proven, back in service with its old values',
    { timeout: 600_000 },
    async () => {
      const first = open();
      await first.until('scratch-OST0007 kept from new objects: degraded');
      await first.until('avoided: degraded');
      await act(first, 'stop creates', 'Stop creates on scratch-OST0007', 'scratch-OST0007');
      await first.until('kept from new objects: max_create_count=0');
      await select(first, 'kept from new objects');
      await act(first, 'drain to other OSTs', 'Drain scratch-OST0007', 'scratch-OST0007');
      await first.until(/scratch-OST0007 drain: migrating, \d+ of 60 files moved/);
      process.kill(first.pid(), 'SIGKILL');
      await first.ended();

      const second = open();
      await second.until(/scratch-OST0007 (?:drain: |is empty)/);
      await second.until(
        'scratch-OST0007 is empty: two lists in a row found no file, 0 objects to be destroyed',
      );
      expect(second.screen()).toMatch(/drain +scratch-OST0007/);
      await select(second, 'is empty: two lists');
      await act(second, 'resume creates', 'Resume creates on scratch-OST0007', 'scratch-OST0007');
      await second.until((screen) => !/^[> ][✖!·] .*is empty: two lists/m.test(screen));
      await second.until('kept from new objects: degraded');
      await select(second, 'kept from new objects');
      await act(second, 'unmark degraded', 'No longer degraded: scratch-OST0007');
      await second.until((screen) => !/^[> ][✖!·] .*kept from new objects/m.test(screen));
      const sent = (await demo.calls())
        .filter(({ argv }) => argv[1] === 'set_param')
        .map(({ host, argv }) => `${host} ${argv.slice(2).join(' ')}`);
      expect(sent).toEqual([
        'mds1 osp.scratch-OST0007-osc-MDT0000.max_create_count=0',
        'mds2 osp.scratch-OST0007-osc-MDT0001.max_create_count=0',
        'mds1 osp.scratch-OST0007-osc-MDT0000.max_create_count=20000',
        'mds2 osp.scratch-OST0007-osc-MDT0001.max_create_count=20000',
        'oss1 obdfilter.scratch-OST0007.degraded=0',
      ]);
    },
  );
});
