import { afterEach, describe, expect, test } from 'vitest';
import { rig, type Replies, type Rig } from './harness.tsx';
import { firstUpdate, nodeRow, otherHead, slurmHead } from './fixture.ts';

let one: Rig;
const open = async (replies: Replies = {}, size = { columns: 160, rows: 45 }): Promise<void> => {
  one = await rig({
    ...size,
    replies: {
      detail: () => [{ type: 'facts', id: 'f', facts: [{ name: 'kernel', cell: { text: '6.1.0' } }] }],
      ...replies,
    },
  });
  one.mirror.receive(firstUpdate({ heads: [slurmHead, otherHead('switch', 'Switches')] }));
  await one.settle();
};
afterEach(() => one.close());
const cursorLine = (): string => one.lines().find((line) => line.startsWith('>')) ?? '';
const requests = (name: string) =>
  one.sent.flatMap((message) => (message.type === 'request' && message.name === name ? [message.args] : []));

test('arrows, letters and pages move the cursor; it stays on its row when the table changes', async () => {
  await open();
  await one.keys('1', 'Down', 'j', 'Down');
  expect(cursorLine()).toContain('node4 ');
  await one.keys('k', 'Up');
  expect(cursorLine()).toContain('node2 ');
  await one.keys('G');
  expect(cursorLine()).toContain('node30 ');
  await one.keys('g', 'PgDn');
  const before = cursorLine().slice(0, 20);
  one.mirror.receive(
    firstUpdate({
      heads: [],
      rows: [
        { pane: 'slurm', block: 'nodes', upsert: [nodeRow(900)], remove: ['node1'], order: ['node900'] },
      ],
    }),
  );
  await one.settle();
  expect(cursorLine().slice(0, 20)).toBe(before);
});

test('a chunk of several keys is several keys', async () => {
  await open();
  await one.type('1jjj');
  expect(cursorLine()).toContain('node4 ');
});

test('Tab and the arrows go round the panes, digits go straight to one', async () => {
  await open();
  await one.keys('Tab');
  expect(cursorLine()).toContain('node1 ');
  await one.keys('Tab', 'Tab');
  expect(cursorLine()).toContain('slurm');
  await one.keys('7');
  expect(one.screen()).toContain('there is no pane 7');
});

test('a filter belongs to its pane and survives going away', async () => {
  await open();
  await one.keys('1', '/');
  await one.type('node2 !node20');
  await one.keys('Enter', '2', 'Enter', 'Esc', '1');
  expect(one.screen()).toContain('filter "node2 !node20" 10 of 30');
  expect(one.screen()).toContain('node25');
  expect(one.screen()).not.toContain('node20 ');
  await one.keys('/', 'Esc');
  expect(one.screen()).toContain('node1 ');
  expect(one.screen()).not.toContain('filter "');
});

test('s goes through the columns, S turns it round', async () => {
  await open();
  await one.keys('1', 's');
  expect(one.screen()).toContain('NODE↑');
  await one.keys('S');
  expect(one.screen()).toContain('NODE↓');
  await one.keys('g');
  expect(cursorLine()).toContain('node30 ');
});

test('findings in an order of one’s own are not called worst first', async () => {
  await open();
  expect(one.lines()[1]).toContain(' worst first ');
  await one.keys('s');
  expect(one.lines()[1]).toMatch(/ sorted by [A-Z]+ /);
  expect(one.lines()[1]).not.toContain('worst first');
});

test('Enter zooms with the detail at the right, Enter again shows all of it, Esc goes back', async () => {
  await open();
  await one.keys('1', 'Down', 'Enter');
  await new Promise((resolve) => setTimeout(resolve, 200));
  await one.settle();
  expect(one.screen()).toMatch(/─ node node2 ─/);
  expect(one.screen()).toMatch(/kernel {2}6\.1\.0/);
  expect(one.screen()).toContain('asked ctl1 4 s ago, next in 6 s');
  await one.keys('Enter');
  expect(one.lines()[0]).toMatch(/^─ node node2 ─/);
  await one.keys('Esc', 'Esc');
  expect(one.lines()[1]).toMatch(/^─ Findings ─/);
});

test('a zoomed finding shows evidence, hurt and advice', async () => {
  await open();
  await one.keys('Enter');
  for (const text of ['DRAIN since 01:58 (ctl1, slurm.nodes)', '18 nodes', 'resume those that pass'])
    expect(one.screen()).toContain(text);
});

const gridHead = {
  ...otherHead('switch', 'Switches'),
  blocks: [
    {
      type: 'grid' as const,
      id: 'grid',
      columns: ['far'],
      rows: [
        { key: 'c1', title: 'c1', cells: [{ text: '5/5' }], subject: { kind: 'host' as const, id: 'c1' } },
        { key: 'c2', title: 'c2', cells: [{ text: '5/5' }], subject: { kind: 'host' as const, id: 'c2' } },
        { key: 'c3', title: 'c3', cells: [{ text: '5/5' }], subject: { kind: 'host' as const, id: 'c3' } },
      ],
      empty: '',
      again: 'switch.matrix',
    },
  ],
};

test('r on cells that take traffic opens the dialog of the action that makes them; nothing is asked', async () => {
  one = await rig({
    replies: { plan: () => ({ refused: { guard: '3 preconditions', reason: 'c1 has no ping' } }) },
  });
  one.mirror.receive(firstUpdate({ heads: [gridHead] }));
  await one.settle();
  await one.keys('1', 'r');
  expect(requests('plan')).toEqual([
    { action: 'switch.matrix', subjects: [{ kind: 'host', id: 'c1' }], set: {} },
  ]);
  expect(requests('read')).toEqual([]);
  expect(one.screen()).toContain('c1 has no ping');
});

test('marked cells go together, into that dialog and into the menu, wherever the cursor stands', async () => {
  one = await rig({
    replies: { plan: () => ({ refused: { guard: '3 preconditions', reason: 'no ping' } }), menu: () => [] },
  });
  one.mirror.receive(firstUpdate({ heads: [gridHead] }));
  await one.settle();
  await one.keys('1', 'Space', 'Space', 'r');
  const subjects = [
    { kind: 'host', id: 'c1' },
    { kind: 'host', id: 'c2' },
  ];
  expect(requests('plan')).toEqual([{ action: 'switch.matrix', subjects, set: {} }]);
  await one.keys('Esc', 'a');
  expect(requests('menu')).toEqual([{ subjects, system: 'switch' }]);
});

test('a read-only console reads what it may', async () => {
  one = await rig({ readOnly: true, replies: { read: () => ({ asked: 2 }) } });
  one.mirror.receive(firstUpdate({ heads: [gridHead] }));
  await one.settle();
  await one.keys('1', 'r');
  expect(requests('plan')).toEqual([]);
  expect(one.screen()).toContain('asked 2 sources again');
});

test('r reads the pane again now', async () => {
  await open({ read: () => ({ asked: 4 }) });
  await one.keys('1', 'r');
  expect(requests('read')).toEqual([{ pane: 'slurm' }]);
  expect(one.screen()).toContain('asked 4 sources again');
});

test('y copies the row by OSC 52 and says what was copied', async () => {
  await open();
  await one.keys('1', 'y');
  const [, text = ''] = /^\u001B\]52;c;([A-Za-z0-9+/=]+)\u0007$/.exec(one.raw[0] ?? '') ?? [];
  expect(Buffer.from(text, 'base64').toString()).toBe(
    'node1  IDLE+DRAIN  NHC: HDFS mount lost  root  1  1 min',
  );
  expect(one.screen()).toMatch(/copied row node1 \(\d+ characters\) by OSC 52/);
});

test('p holds the picture while the clock goes on', async () => {
  await open();
  await one.keys('1', 'p');
  one.mirror.receive(
    firstUpdate({ rows: [{ pane: 'slurm', block: 'nodes', upsert: [], remove: ['node1'] }] }),
  );
  one.pass(3000);
  await one.settle();
  expect(one.lines()[0]).toMatch(/drawing paused since \d\d:41:07: p goes on/);
  expect(one.lines()[0]).toContain(':41:10');
  expect(one.screen()).toContain('node1 ');
  await one.keys('p');
  expect(one.screen()).not.toContain('node1 ');
});

test('the palette completes, runs, and knows the nearest word', async () => {
  await open({ host: ({ host }) => [{ type: 'text', id: 't', lines: [{ text: `page of ${host}` }] }] });
  await one.type(':');
  await one.type('ho');
  await one.keys('Tab');
  await one.type('node12');
  await one.keys('Enter');
  expect(one.screen()).toContain('page of node12');
  await one.keys('Esc');
  await one.type(':');
  await one.type('hots node1');
  await one.keys('Enter');
  expect(one.screen()).toContain('no command "hots"; did you mean "host"?');
  await one.keys('Esc');
  await one.type(':');
  await one.type('host nod1');
  await one.keys('Enter');
  expect(one.screen()).toContain('no host "nod1"; did you mean "node1"?');
  await one.keys('Esc');
  // On the smallest screen all the commands that there are stand there in full.
  await one.resize(80, 24);
  await one.type(':');
  await one.type('frobnicate');
  await one.keys('Enter');
  const said = one.lines().slice(-4).join(' ');
  expect(said).toContain('no command "frobnicate"; known: host,');
  expect(said).not.toContain('…');
  await one.keys('Esc');
  await one.type(':');
  await one.type('pane 2');
  await one.keys('Enter', 'Enter');
  expect(one.lines()[1]).toContain('2 Switches');
  await one.type(':');
  await one.type('quit');
  await one.keys('Enter');
  expect(one.exits).toBe(1);
});

test('? shows the keys of this place first; q goes back', async () => {
  await open();
  await one.keys('?');
  expect(one.lines()[1]).toContain('board');
  expect(one.screen()).toContain('actions of the row or the marked rows');
  await one.keys('q');
  expect(one.screen()).not.toContain('actions of the row or the marked rows');
  await one.keys('1', 'Enter');
  expect(one.console.state().ui.zoom).toBe(true);
  await one.keys('q');
  expect(one.console.state().ui).toMatchObject({ zoom: false, overlays: [] });
  expect(one.exits).toBe(0);
});

describe('q on the board asks whether to leave', () => {
  const isAsked = (): boolean => one.screen().includes('Leave faultline?');

  test('y leaves; Esc, Enter and n stay', async () => {
    await open();
    for (const stay of ['Esc', 'Enter', 'n']) {
      await one.keys('q');
      expect(isAsked()).toBe(true);
      await one.keys(stay);
      expect(isAsked()).toBe(false);
    }
    expect(one.exits).toBe(0);
    await one.keys('q', 'y');
    expect(one.exits).toBe(1);
  });

  test('a second q leaves, at once or after a while; a held one and a pasted one do not', async () => {
    await open();
    await one.type('qqqy');
    expect(one.exits).toBe(0);
    one.pass(400);
    await one.keys('q');
    one.pass(30);
    await one.keys('q');
    expect(one.exits).toBe(0);
    expect(one.screen()).toContain('held and pasted keys do not leave: press y');
    one.pass(1000);
    await one.keys('q');
    expect(one.exits).toBe(1);
    await one.keys('Esc', 'q', 'q');
    expect(one.exits).toBe(2);
  });

  test('Ctrl-C asks, the second one leaves, wherever it is pressed', async () => {
    await open();
    await one.keys('?', 'Ctrl-C');
    expect(isAsked()).toBe(true);
    expect(one.exits).toBe(0);
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(1);
  });
});

test('pasted text runs no keys', async () => {
  await open();
  await one.type('\u001B[200~qqq\u001B[201~');
  expect(one.exits).toBe(0);
  expect(one.screen()).toContain('a paste does nothing here: press / or : first');
  await one.keys('/');
  await one.type('\u001B[200~node2\nx\u001B[201~');
  expect(one.screen()).toContain('/node2 x_');
});

test('of a long paste the end is seen where it is typed, and a complaint quotes its beginning', async () => {
  await open();
  await one.resize(80, 24);
  const pasted = `\u001B[200~${'abcdefghi '.repeat(200)}\u001B[201~`;
  await one.keys('/');
  await one.type(pasted);
  expect(one.lines().at(-1)).toContain('abcdefghi _');
  expect(one.screen()).toMatch(/no row matches "abcdefghi .{19}…" \(\d+ hidden; \/ changes it\)/);
  await one.keys('Esc', ':');
  await one.type(pasted);
  expect(one.lines().at(-2)).toContain('abcdefghi _');
  await one.keys('Enter');
  expect(one.lines().filter((line) => line.includes('abcdefghi abcdefghi'))).toHaveLength(1);
  expect(one.screen()).toContain('no command "abcdefghi"');
});

test('! on a host’s page shows where a shell would go, opens it, and comes back to the page', async () => {
  const shells: string[] = [];
  const replies: Replies = {
    host: () => [{ type: 'text', id: 't', lines: [{ text: 'all there is of it' }] }],
    shell: () => ({ written: true }),
    read: () => ({ asked: 3 }),
  };
  const page = async (readOnly: boolean): Promise<void> => {
    one = await rig({ replies, readOnly, shell: async (host) => void shells.push(host) });
    one.mirror.receive(firstUpdate({ heads: [slurmHead] }));
    await one.settle();
    await one.keys(':');
    await one.type('host node12');
    await one.keys('Enter');
    expect(one.screen()).toContain('all there is of it');
  };
  await page(false);
  expect(one.lines().at(-1)).toMatch(/K ask its kernel +! shell/);
  await one.keys('!');
  expect(one.screen()).toContain('ssh node12');
  expect(shells).toEqual([]);
  await one.keys('Esc', '!', 'Enter');
  expect(requests('shell')).toEqual([{ host: 'node12' }]);
  expect(shells).toEqual(['node12']);
  expect(one.screen()).toContain('back from node12: asked 3 of its sources again');
  expect(one.screen()).toContain('all there is of it');
  one.close();
  // Evidence is no host's page, and a read-only console opens none.
  await page(true);
  expect(one.lines().at(-1)).not.toContain('! shell');
  await one.keys('!');
  expect(one.screen()).toContain('opens no shells: it is read-only');
  one.pass(10_000);
  await one.keys('Esc', 'e');
  expect(one.lines().at(-1)).not.toMatch(/kernel|shell/);
});

test('the file of a ticket is named by the end of its path, which says which it is', async () => {
  const file = '/home/oncall/.local/state/faultline/sherlock/tickets/2026-11-28T03-00-00Z-slurm.md';
  one = await rig({
    columns: 80,
    rows: 24,
    replies: { detail: () => [], evidence: () => [] },
    saveTicket: () => Promise.resolve(file),
  });
  one.mirror.receive(firstUpdate({ heads: [slurmHead] }));
  await one.settle();
  await one.keys('Y');
  expect(one.lines().at(-1)).toMatch(/copied for the ticket .* written to ….*T03-00-00Z-slurm\.md$/);
});
