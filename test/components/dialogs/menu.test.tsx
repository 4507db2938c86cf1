import { afterEach, describe, expect, test } from 'vitest';
import { finding, findings, firstUpdate, nodeRow } from '../fixture.ts';
import { card, entries, entry, one, open, requests, start, toDialog } from './acting.ts';

afterEach(() => one.close());

describe('the action menu', () => {
  test('the remedy of the finding is chosen; all else is folded, unavailable actions with their reason', async () => {
    await open(card());
    await one.keys('a');
    expect(requests('menu')).toHaveLength(1);
    expect(one.lines().find((line) => line.includes('> resume'))).toContain('17 of 18 pass their check');
    expect(one.screen()).toContain('other actions on 17 targets: 2 →');
    expect(one.screen()).not.toContain('reboot ');
    await one.keys('Right');
    expect(one.lines().find((line) => line.includes('- reboot'))).toContain('not drained');
    await one.keys('End', 'Enter');
    expect(one.screen()).toContain('not available: not drained');
    await one.keys('Left');
    expect(one.screen()).toContain('> other actions');
    expect(requests('plan')).toEqual([]);
  });

  test('the hints name the keys that do something: with nothing chosen nothing is planned', async () => {
    await open(card());
    await one.keys('a');
    const hints = () => one.lines().find((line) => line.includes('Esc  close'));
    expect(hints()).toMatch(/1-9 {2}choose .*Home {2}first .*End {2}last .*Enter {2}plan it/);
    await one.keys('End');
    expect(hints()).toContain('Enter  show them');
    expect(hints()).not.toContain('plan it');
    await one.keys('Enter', '4');
    expect(one.screen()).toContain('> reboot');
    expect(hints()).not.toContain('Enter');
    await one.keys('Home');
    expect(one.screen()).toContain('> resume');
    expect(hints()).toContain('plan it');
  });

  test('a menu in which nothing is chosen names no key that plans', async () => {
    await open(card());
    one.mirror.receive(
      firstUpdate({ seq: 2, rows: [], findings: [finding('drained-group', { remedies: [] })] }),
    );
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toContain('no remedy from this console: the evidence is under e, Y copies it');
    const hints = one.lines().find((line) => line.includes('Esc  close'));
    expect(hints).toContain('Y  ticket');
    expect(hints).not.toContain('Enter');
  });

  test('of a group that is called by one of its own the title says so; a group of another name keeps its own', async () => {
    await open(card());
    const pairs = ['a:b', 'a:c'].map((id) => ({ kind: 'pair', id }) as const);
    const slow = finding('slow', { subject: { kind: 'pair', id: 'a:b' }, members: pairs });
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [slow] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toContain('┌ a:b and 1 more ─');
    await one.keys('Esc');
    one.mirror.receive(firstUpdate({ seq: 3, rows: [], findings: [finding('drained-group')] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toContain('┌ node[12-28,31]: 17 targets ─');
    await one.keys('Esc');
    await one.resize(80, 24);
    const wide = {
      kind: 'node',
      id: `node[${Array.from({ length: 40 }, (_, at) => 2 * at).join(',')}]`,
    } as const;
    one.mirror.receive(firstUpdate({ seq: 4, rows: [], findings: [finding('wide', { subject: wide })] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toMatch(/┌ node\[0,2,4,.*…: 17 targets ─/);
  });

  test('a, Enter, y resumes: three keys from the board', async () => {
    await open(card());
    await toDialog();
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: findings[0]?.members, set: {} }]);
    await one.keys('y');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'y' }]);
  });

  test('a remedy on something else stands behind the first one, with its own subject and parameters', async () => {
    const rack = { kind: 'volume' as const, id: 'scratch' };
    const remedies = [
      { action: 'slurm.resume', subjects: [{ kind: 'node' as const, id: 'node12' }] },
      { action: 'lustre.qos', subjects: [rack], set: { threshold: '100' } },
    ];
    const asked: unknown[] = [];
    await open(card(), {
      menu: ({ subjects }) => {
        asked.push(subjects);
        return subjects[0]?.kind === 'volume'
          ? [
              entry('lustre.other'),
              entry('lustre.qos', { prompts: [{ name: 'threshold', label: 't', required: true }] }),
            ]
          : entries;
      },
    });
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [finding('drained-group', { remedies })] }));
    await one.settle();
    await one.keys('a');
    expect(asked).toHaveLength(2);
    await one.keys('Right');
    const box = one.lines().flatMap((line) => /│[ >-]+([a-z][^│]*?) {2,}/.exec(line)?.[1] ?? []);
    expect(box).toEqual([
      'resume',
      'qos: scratch, threshold 100',
      expect.stringContaining('other actions on'),
      'drain',
      'reboot',
    ]);
    await one.keys('Home', 'Down', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'lustre.qos', subjects: [rack], set: { threshold: '100' } }]);
  });

  test('a row with another end offers its actions too, each with its name and on that end alone', async () => {
    const other = { kind: 'node' as const, id: 'node99' };
    await open(card(), {
      menu: ({ subjects }) => (subjects[0]?.id === 'node99' ? entries.slice(1) : entries),
    });
    const rows = [
      {
        pane: 'slurm',
        block: 'nodes',
        upsert: [nodeRow(1, { beside: [other] })],
        remove: [],
        order: ['node1'],
      },
    ];
    one.mirror.receive(firstUpdate({ seq: 2, rows }));
    await one.settle();
    await one.keys('1', 'a');
    expect(one.screen()).toContain('resume: node99');
    await one.keys('Down', 'Down', 'Down', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: [other], set: {} }]);
  });

  test('a finding with another end does so as well, behind its own remedy', async () => {
    const far = { kind: 'port' as const, id: 'nfs-sw1:te1/12' };
    await open(card(), {
      menu: ({ subjects }) => (subjects[0]?.id === far.id ? entries.slice(1, 2) : entries),
    });
    const found = [finding('bad-link', { beside: [far] })];
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: found }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toMatch(/> resume {2,}/);
    await one.keys('Right', 'End', 'Enter');
    expect(requests('plan')).toEqual([{ action: 'slurm.resume', subjects: [far], set: {} }]);
  });

  test('the name of the other end is whole at the smallest size', async () => {
    const far = { kind: 'port' as const, id: 'sonic-leaf01:Ethernet48' };
    await open(
      card(),
      { menu: ({ subjects }) => (subjects[0]?.id === far.id ? [entry('switch.mark baseline')] : entries) },
      { columns: 80, rows: 24 },
    );
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [finding('bad-link', { beside: [far] })] }));
    await one.settle();
    await one.keys('a', 'Right');
    expect(one.screen()).toContain('mark baseline: sonic-leaf01:Ethernet48  ');
  });

  test.each([
    ['cn1', 'nfs1: host cn1'],
    ['nfs1', 'host nfs1'],
  ])('the title of a finding on nfs1 that %s alone suffers from is "%s"', async (sufferer, title) => {
    await open(card());
    const host = (id: string) => ({ kind: 'host' as const, id });
    const found = finding('drained-group', {
      subject: host('nfs1'),
      members: [host(sufferer)],
      remedies: [],
    });
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [found] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toContain(`┌ ${title} ─`);
  });

  test('of two remedies by one action what differs stands first, and the chosen title in full below', async () => {
    const set = (by: string) => ({ file: '/a/folder/with/a/long/name/results.csv', by });
    const remedies = ['latest-mtime', 'bigger-file'].map((by) => ({ action: 'slurm.drain', set: set(by) }));
    await open(card(), { menu: () => entries }, { columns: 80, rows: 24 });
    one.mirror.receive(
      firstUpdate({
        seq: 2,
        rows: [],
        findings: [
          finding('drained-group', {
            remedies: remedies.map((remedy) => ({
              ...remedy,
              subjects: finding('drained-group').members ?? [],
            })),
          }),
        ],
      }),
    );
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toMatch(/drain: by latest-mtime, file .*\n.*drain: by bigger-file, file /);
    expect(one.screen()).toContain('drain: by latest-mtime, file /a/folder/with/a/long/name/results.csv');
  });

  test('a reason that is cut stands below in full, for the entry that is chosen', async () => {
    const reason = `no console of this site is known to have shut it: ${'to take over, say why '.repeat(4)}end`;
    await open(
      card(),
      { menu: () => [entry('slurm.drain', { text: reason }), ...entries.slice(1)] },
      { columns: 100, rows: 30 },
    );
    await one.keys('a', 'Right', 'Down', 'Down');
    expect(one.screen()).toContain('why to take over, say why end');
    await one.keys('Down');
    expect(one.screen()).not.toContain('say why end');
  });

  test('what only reads says what it reads where commands would stand', async () => {
    await open(card({ commands: [], measures: 'no command of its own: each client pings' }));
    await toDialog();
    expect(one.lines().find((line) => line.includes('will run'))).toContain(
      'no command of its own: each client',
    );
  });

  test('acts on the marked rows', async () => {
    await open(card());
    await one.keys('1', 'Space', 'Space', 'a');
    expect(requests('menu')).toEqual([
      {
        subjects: [
          { kind: 'node', id: 'node1' },
          { kind: 'node', id: 'node2' },
        ],
        system: 'slurm',
      },
    ]);
    expect(one.screen()).toContain('2 rows: 2 targets');
  });

  test('asks for what is required, and for options only when told to', async () => {
    await open(card());
    await one.keys('1', 'a', 'Up', 'Enter', 'Enter');
    expect(one.screen()).toContain('reason: required');
    await one.type('bad DIMM');
    await one.keys('Enter');
    expect(requests('plan')).toEqual([
      { action: 'slurm.drain', subjects: [{ kind: 'node', id: 'node1' }], set: { reason: 'bad DIMM' } },
    ]);
    one.pass(1000);
    await one.keys('Esc', 'a', 'Down', 'o');
    expect(one.screen()).toContain('take over because');
  });

  test('a refused plan names its reason, and no number of a guard', async () => {
    await open(card(), {
      plan: () => ({ refused: { guard: '4 ownership', reason: 'drained by alice: "bad DIMM"' } }),
    });
    await one.keys('a', 'Enter');
    expect(one.screen()).toContain('drained by alice: "bad DIMM"');
    expect(one.screen()).not.toContain('4 ownership');
    expect(one.screen()).toContain('Nothing was sent to any host.');
  });

  describe('while it is open', () => {
    const failing = entry('slurm.resume', { available: false, text: 'node3: check fails' });
    const check = entry('slurm.check');
    const remedies = ['slurm.resume', 'slurm.check'].map((action) => ({
      action,
      subjects: findings[0]?.members ?? [],
    }));
    let offered = [failing, check];
    const openLive = async (): Promise<void> => {
      offered = [failing, check];
      await open(card(), { menu: () => offered });
      one.mirror.receive(
        firstUpdate({ seq: 2, rows: [], findings: [finding('drained-group', { remedies })] }),
      );
      await one.settle();
      await one.keys('a');
    };
    /** The readings say that the check passes, and the menu is asked for anew. */
    const passes = async (): Promise<void> => {
      offered = [entry('slurm.resume'), check];
      one.pass(2_500);
      one.console.tick();
      await one.settle();
    };

    test('what can be had follows the readings, the choice goes to the best remedy, and it says so', async () => {
      await openLive();
      expect(one.screen()).toMatch(/> check {2,}/);
      expect(one.screen()).toContain('node3: check fails');
      await passes();
      expect(one.screen()).toMatch(/> resume {2,}/);
      expect(one.screen()).toContain('resume is available now');
      expect(one.screen()).not.toContain('node3: check fails');
    });

    test('Enter that was on its way when the choice moved plans nothing; the next one does', async () => {
      await openLive();
      await passes();
      await one.keys('Enter');
      expect(requests('plan')).toEqual([]);
      expect(one.screen()).toContain('press Enter once more');
      one.pass(600);
      await one.keys('Enter');
      expect(requests('plan')).toMatchObject([{ action: 'slurm.resume' }]);
    });

    test('after a key the choice stays on its action, whatever can be had meanwhile', async () => {
      await openLive();
      await one.keys('Up', 'Down');
      await passes();
      expect(one.screen()).toMatch(/> check {2,}/);
      expect(one.screen()).toContain('resume is available now');
      await one.keys('Enter');
      expect(requests('plan')).toMatchObject([{ action: 'slurm.check' }]);
    });

    test('nothing is said and nothing moves while the readings stay as they are', async () => {
      await openLive();
      const before = one.lines().filter((line) => line.includes('│'));
      one.pass(2_500);
      one.console.tick();
      await one.settle();
      expect(requests('menu')).toHaveLength(2);
      expect(one.lines().filter((line) => line.includes('│'))).toEqual(before);
    });

    test('a finding that is gone is said to be gone', async () => {
      await openLive();
      one.mirror.receive(firstUpdate({ seq: 3, rows: [], findings: [] }));
      await passes();
      expect(one.screen()).toContain('the finding is gone');
    });
  });

  test('without a remedy nothing is chosen: the first line says what to do by hand, Enter plans nothing', async () => {
    await open(card());
    const found = finding('lost-together', { remedies: [], contact: 'facilities desk' });
    one.mirror.receive(firstUpdate({ seq: 2, rows: [], findings: [found] }));
    await one.settle();
    await one.keys('a');
    expect(one.screen()).toMatch(/by hand: |no remedy from this console/);
    expect(one.screen()).toContain('contact: facilities desk');
    expect(one.screen()).not.toMatch(/│ > /);
    await one.keys('Enter');
    expect(requests('plan')).toEqual([]);
    expect(one.screen()).toContain('no action is selected');
    await one.keys('Down', 'Enter');
    expect(one.screen()).toMatch(/ drain {2,}/);
  });

  test('a remedy that can not be had now is not chosen either, and keeps its reason', async () => {
    await open(card(), { menu: () => [entry('slurm.resume', { available: false, text: 'no check ran' })] });
    await one.keys('a');
    expect(one.screen()).toContain('no remedy of this finding is available now');
    expect(one.lines().find((line) => line.includes('- resume'))).toContain('no check ran');
    expect(one.screen()).not.toMatch(/│ > /);
  });

  test('a read-only console has no menu', async () => {
    await start({ readOnly: true });
    expect(one.lines()[0]).toContain('read-only');
    expect(one.lines().at(-1)).not.toContain('actions');
    await one.keys('a');
    expect(one.screen()).toContain('this console is read-only');
    expect(requests('menu')).toEqual([]);
  });
});
