import { afterEach, describe, expect, test } from 'vitest';
import type { PlanCard, RunView } from '../../../src/model/run.ts';
import type { MenuEntry } from '../../../src/model/wire.ts';
import { rig, type Replies, type Rig } from '../harness.tsx';
import { finding, findings, firstUpdate, nodeRow, NOW } from '../fixture.ts';

const card = (change: Partial<PlanCard> = {}): PlanCard => ({
  id: 'plan1',
  action: 'slurm.resume',
  title: 'Resume 17 nodes',
  verb: 'resume',
  site: 'sherlock',
  danger: 'reversible',
  targets: Array.from({ length: 17 }, (_, index) => ({ kind: 'node', id: `node${12 + index}` })),
  where: 'ctl1 as hpcops',
  commands: Array.from({ length: 17 }, (_, index) => ({
    host: 'ctl1',
    line: `scontrol update nodename=node${12 + index} state=resume`,
  })),
  because: ['drained by the health check "HDFS mount lost"; the check passes on all 17'],
  leftOut: [{ id: 'node31', reason: 'check fails ("/hdfs is empty")' }],
  guards: [{ id: '3 live', text: 'again on each node right before it is resumed' }],
  afterwards: 'each node must lose DRAIN within 30 s',
  undo: 'drain again with the old reason',
  confirmText: 'y',
  armedAfterMs: 0,
  expiresInMs: 60_000,
  hash: 'abc123',
  ...change,
});

const entry = (action: string, change: Partial<MenuEntry> = {}): MenuEntry => ({
  action,
  title: action.split('.')[1] ?? '',
  danger: 'reversible',
  available: true,
  text: '17 of 18 pass their check',
  prompts: [],
  ...change,
});

const entries = [
  entry('slurm.drain', { prompts: [{ name: 'reason', label: 'reason', required: true }] }),
  entry('slurm.resume', { prompts: [{ name: 'takeover', label: 'take over because', required: false }] }),
  entry('slurm.reboot', { available: false, text: 'not drained' }),
];

let one: Rig;
const open = async (
  shown: PlanCard,
  replies: Replies = {},
  size = { columns: 160, rows: 45 },
): Promise<void> => {
  one = await rig({
    ...size,
    replies: {
      detail: () => [],
      menu: () => entries,
      plan: () => ({ card: shown }),
      drop: () => ({}),
      confirm: () => ({ run: 'run1' }),
      stop: () => ({}),
      ...replies,
    },
  });
  one.mirror.receive(firstUpdate());
  await one.settle();
};
afterEach(() => one.close());

const requests = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));
/** To the open dialog, past the time in which it is deaf. */
const toDialog = async (): Promise<void> => {
  await one.keys('a', 'Enter');
  one.pass(1000);
  await one.settle();
};
const run = (change: Partial<RunView>): RunView => ({
  id: 'run1',
  title: 'Resume 17 nodes',
  state: 'running',
  startedAt: NOW,
  targets: [{ id: 'node12', state: 'verified', text: 'reads back IDLE', ms: 1200, output: 'ok\nfine' }],
  ...change,
});

describe('the action menu', () => {
  test('chooses the remedy of the finding, and keeps unavailable actions with their reason', async () => {
    await open(card());
    await one.keys('a');
    expect(requests('menu')).toHaveLength(1);
    expect(one.lines().find((line) => line.includes('> resume'))).toContain('17 of 18 pass their check');
    expect(one.lines().find((line) => line.includes('- reboot'))).toContain('not drained');
    await one.keys('Down', 'Enter');
    expect(one.screen()).toContain('not available: not drained');
    expect(requests('plan')).toEqual([]);
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
    const rows = one.lines().filter((line) => /(?:drain|resume|qos: scratch|reboot|other) {2,}/.test(line));
    expect(rows.map((line) => /(drain|resume|qos: scratch|reboot|other) {2,}/.exec(line)?.[1])).toEqual([
      'drain',
      'resume',
      'qos: scratch',
      'reboot',
    ]);
    await one.keys('Down', 'Enter');
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
    await one.keys('Down', 'Down', 'Enter');
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
    await one.keys('a');
    expect(one.screen()).toContain('mark baseline: sonic-leaf01:Ethernet48  ');
  });

  test('a reason that is cut stands below in full, for the entry that is chosen', async () => {
    const reason = `no console of this site is known to have shut it: ${'to take over, say why '.repeat(4)}end`;
    await open(
      card(),
      { menu: () => [entry('slurm.drain', { text: reason }), ...entries.slice(1)] },
      { columns: 100, rows: 30 },
    );
    await one.keys('a', 'Up', 'Up');
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
    expect(one.screen()).toContain('reason is required');
    await one.type('bad DIMM');
    await one.keys('Enter');
    expect(requests('plan')).toEqual([
      { action: 'slurm.drain', subjects: [{ kind: 'node', id: 'node1' }], set: { reason: 'bad DIMM' } },
    ]);
    one.pass(1000);
    await one.keys('Esc', 'a', 'Down', 'o');
    expect(one.screen()).toContain('take over because');
  });

  test('a refused plan names guard and reason', async () => {
    await open(card(), {
      plan: () => ({ refused: { guard: '4 ownership', reason: 'drained by alice: "bad DIMM"' } }),
    });
    await one.keys('a', 'Enter');
    expect(one.screen()).toContain('Refused by guard 4 ownership');
    expect(one.screen()).toContain('drained by alice: "bad DIMM"');
    expect(one.screen()).toContain('Nothing was sent to any host.');
  });

  test('a read-only console has no menu', async () => {
    one = await rig({ readOnly: true });
    one.mirror.receive(firstUpdate());
    await one.settle();
    expect(one.lines()[0]).toContain('read-only');
    expect(one.lines().at(-1)).not.toContain('actions');
    await one.keys('a');
    expect(one.screen()).toContain('this console is read-only');
    expect(requests('menu')).toEqual([]);
  });
});

describe('the confirmation', () => {
  test('shows every command, the reasons, who is left out and why', async () => {
    await open(card(), {}, { columns: 200, rows: 60 });
    await toDialog();
    for (let number = 12; number < 29; number++)
      expect(one.screen()).toContain(`scontrol update nodename=node${number} state=resume`);
    for (const text of [
      'site sherlock · ctl1 as hpcops · reversible',
      'node31: check fails ("/hdfs is empty")',
      'drain again with the old reason',
      '[ Cancel ]',
      'y  resume',
      'abc123',
    ])
      expect(one.screen()).toContain(text);
  });

  test('Enter and Esc cancel, nothing else but y confirms', async () => {
    for (const key of ['Enter', 'Esc', 'n']) {
      await open(card());
      await toDialog();
      await one.keys('x', 'Space', 'Y', 'Tab', key);
      expect(requests('confirm')).toEqual([]);
      expect(requests('drop')).toEqual([{ plan: 'plan1' }]);
      expect(one.screen()).toContain('cancelled: nothing was sent to any host');
      one.close();
    }
  });

  test('is deaf for 300 ms, to held keys, to chunks and to pastes', async () => {
    await open(card());
    await one.keys('a', 'Enter');
    await one.keys('y');
    one.pass(400);
    await one.keys('y');
    for (let repeat = 0; repeat < 5; repeat++) {
      one.pass(40);
      await one.keys('y');
    }
    one.pass(1000);
    await one.type('yy');
    one.pass(1000);
    await one.type('\u001B[200~y\u001B[201~');
    expect(requests('confirm')).toEqual([]);
    expect(one.screen()).toContain('pastes are ignored here');
    one.pass(1000);
    await one.keys('y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('a plan longer than the screen can not be confirmed before its end was seen', async () => {
    await open(card(), {}, { columns: 100, rows: 24 });
    await toDialog();
    expect(one.screen()).toContain('read to the end first');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    one.pass(1000);
    await one.keys('PgDn', 'PgDn', 'PgDn', 'y');
    expect(requests('confirm')).toHaveLength(1);
  });

  test('on the smallest screen the plan has every line, and what still stops it is said in full', async () => {
    await open(
      card({
        danger: 'access',
        confirmText: 'shut core3:te3/46',
        hash: 'a'.repeat(64),
        because: Array.from({ length: 30 }, (_, line) => `reason ${line}.`),
      }),
      {},
      { columns: 80, rows: 24 },
    );
    await toDialog();
    const shown = one.lines();
    expect(shown[0]).toContain('┌ Resume 17 nodes');
    expect(shown[23]).toContain('└──');
    expect(shown.find((line) => line.includes('type "'))).toMatch(/"shut core3:te3\/46" and Enter: _ +│/);
    expect(one.screen()).toContain('valid for 59 s; read to the end first: ↓ or PgDn');
    await one.keys('PgDn', 'PgDn', 'PgDn', 'PgDn');
    expect(one.screen()).toContain('pastes and held keys do nothing here');
    expect(one.screen()).toContain(`hash  ${'a'.repeat(64)}`);
  });

  test('is cancelled when the window becomes too small for it', async () => {
    await open(card());
    await toDialog();
    await one.resize(160, 30);
    expect(one.screen()).toContain('cancelled: the dialog no longer fits the window');
    expect(requests('drop')).toHaveLength(1);
  });

  test('expires, and drops the plan', async () => {
    await open(card());
    await toDialog();
    one.pass(60_000);
    await one.settle();
    expect(one.screen()).toContain('The plan expired');
    await one.keys('y');
    expect(requests('confirm')).toEqual([]);
    expect(requests('drop')).toHaveLength(1);
  });

  test('service: the target must be typed in full', async () => {
    await open(card({ danger: 'service', confirmText: 'home0' }));
    await toDialog();
    expect(one.screen()).toContain('type "home0" and Enter');
    await one.keys('y');
    await one.keys('Enter');
    expect(one.screen()).toContain('that is not "home0"');
    await one.keys('Backspace', 'h', 'o', 'm', 'e', '0');
    await one.type('\u001B[200~home0\u001B[201~');
    await one.type('home0');
    one.pass(1000);
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'home0' }]);
  });

  test('service: Enter with nothing typed cancels', async () => {
    await open(card({ danger: 'service', confirmText: 'home0' }));
    await toDialog();
    await one.keys('Enter');
    expect(requests('drop')).toHaveLength(1);
    expect(requests('confirm')).toEqual([]);
  });

  test('access: armed only after its time, whatever was typed', async () => {
    await open(card({ danger: 'access', confirmText: 'shut te3/46', armedAfterMs: 2000 }));
    await toDialog();
    for (const char of 'shut te3/46') await one.type(char);
    expect(one.screen()).toContain('armed in 1 s');
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([]);
    one.pass(1500);
    await one.keys('Enter');
    expect(requests('confirm')).toEqual([{ plan: 'plan1', typed: 'shut te3/46' }]);
  });

  test('refused after the live check: nothing was sent', async () => {
    await open(card(), {
      confirm: () => ({ refused: { guard: '3 live', reason: 'plan is stale: node12 is IDLE' } }),
    });
    await toDialog();
    await one.keys('y');
    expect(one.screen()).toContain('Refused by guard 3 live');
    expect(one.screen()).toContain('plan is stale: node12 is IDLE');
  });

  test('a collector that dies between confirmation and answer leaves the outcome unknown', async () => {
    await open(card());
    await toDialog();
    one.console.press([{ name: 'y', char: 'y', alone: true, repeat: false }]);
    one.mirror.stopped('killed');
    await one.settle();
    expect(one.screen()).toContain('Not known whether it was started');
  });
});

describe('a run', () => {
  const start = async (): Promise<void> => {
    await open(card());
    await toDialog();
    await one.keys('y');
  };
  const progress = async (change: Partial<RunView>): Promise<void> => {
    one.mirror.receive({ type: 'update', seq: 9, now: NOW, runs: [run(change)] });
    await one.settle();
  };

  test('shows each target with its state, and the output on demand', async () => {
    await start();
    expect(one.screen()).toContain('starting ...');
    await progress({});
    expect(one.lines().find((line) => line.includes('node12 '))).toMatch(
      /✓ node12 +verified 1\.2 s +reads back IDLE/,
    );
    expect(one.screen()).not.toContain('fine');
    await one.keys('o');
    expect(one.screen()).toContain('fine');
  });

  test('counts down each second to what comes of itself, between the looks', async () => {
    await start();
    const waits = { id: 'home0', state: 'reading back', text: 'home0 is locked for gl2 on gl1' } as const;
    await progress({ targets: [{ ...waits, endsAt: NOW + 90_000 }] });
    const shown = () => one.lines().find((line) => line.includes('home0 ')) ?? '';
    const left = () => Number(/reading back +(\d+) s left, by \d\d:\d\d:\d\d: home0/.exec(shown())?.[1]);
    const before = left();
    expect(before).toBeGreaterThan(80);
    one.pass(7000);
    await one.settle();
    expect(left()).toBe(before - 7);
    one.pass(90_000);
    await one.settle();
    expect(shown()).toMatch(/its time was over at \d\d:\d\d:\d\d: home0 is locked/);
    await progress({ targets: [{ ...waits, state: 'verified', text: 'home0 is free' }] });
    expect(shown()).toMatch(/verified +home0 is free/);
  });

  test('x stops it before its next target', async () => {
    await start();
    await progress({});
    await one.keys('x');
    expect(requests('stop')).toEqual([{ run: 'run1' }]);
    expect(one.screen()).toContain('stopping before the next target');
  });

  test.each([
    ['done', '✓ done, verified by reading it again'],
    ['nothing', '✓ nothing to do: it is already so'],
    ['undone', '! undone'],
    ['failed', '✖ failed'],
    ['refused', '! refused'],
    ['unknown', '? UNKNOWN: what is true now could not be read'],
  ] as const)('%s is said in words', async (state, words) => {
    await start();
    await progress({ state, endedAt: NOW, result: 'look at node12' });
    expect(one.screen()).toContain(words);
    expect(one.screen()).toContain('look at node12');
    if (state !== 'done' && state !== 'nothing') expect(one.screen()).not.toContain('✓ done');
  });

  test('is unknown when the collector dies under it', async () => {
    await start();
    await progress({});
    one.mirror.stopped('killed');
    await one.settle();
    expect(one.screen()).toContain('? UNKNOWN');
    expect(one.screen()).toContain('the collector stopped during the run');
    await one.keys('Esc', 'q');
    expect(one.exits).toBe(1);
  });

  test('quitting meanwhile asks: stay, stop and leave, or leave at once', async () => {
    await start();
    await progress({});
    await one.keys('Esc', 'q');
    expect(one.exits).toBe(0);
    expect(one.screen()).toContain('still running: Resume 17 nodes');
    await one.keys('Esc', 'q', 'x');
    expect(requests('stop')).toHaveLength(1);
    await progress({ state: 'done', endedAt: NOW });
    one.pass(1000);
    expect(one.exits).toBeGreaterThan(0);
  });

  test('the second Ctrl-C leaves at once', async () => {
    await start();
    await progress({});
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(0);
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(1);
  });
});
