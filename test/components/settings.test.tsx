import { afterEach, expect, test } from 'vitest';
import { boundKeys, checkBindings } from '../../components/bindings.ts';
import type { Bindings, Place } from '../../components/keys.ts';
import { placeTitles } from '../../components/help.ts';
import { themeNames } from '../../components/theme.ts';
import { rig, type Rig } from './harness.tsx';
import { finding, findings, firstUpdate, otherHead, slurmHead } from './fixture.ts';

let one: Rig;
const open = async (options: Parameters<typeof rig>[0] = {}): Promise<void> => {
  one = await rig({ replies: { detail: () => [], menu: () => [] }, ...options });
  one.mirror.receive(firstUpdate({ heads: [slurmHead, otherHead('switch', 'Switches')] }));
  await one.settle();
};
afterEach(() => one?.close());

const overlays = (): readonly string[] => one.console.state().ui.overlays.map(({ kind }) => kind);
const withKeys = (keys: Bindings) => ({ settings: { keys } });

test('a key of the operator does what it is given to; the one before does nothing, and named keys stay', async () => {
  await open(withKeys({ actions: ['x'], down: ['n'] }));
  await one.keys('a');
  expect(overlays()).toEqual([]);
  await one.keys('1', 'n', 'Down');
  expect(one.lines().find((line) => line.startsWith('>'))).toContain('node3 ');
  await one.keys('x');
  expect(overlays()).toEqual(['menu']);
});

test('help and the line of hints have the keys of the operator', async () => {
  await open(withKeys({ actions: ['x'], note: ['a'] }));
  expect(one.lines().at(-1)).toContain('x actions');
  await one.keys('?');
  expect(one.screen()).toMatch(/^ {3}x +actions of the row/m);
  expect(one.screen()).toMatch(/^ {3}a +note something/m);
});

test('what is typed into a text is what is written on the keys', async () => {
  await open(withKeys({ actions: ['x'], filter: ['F'] }));
  await one.keys('F', 'x', 'a');
  expect(one.screen()).toContain('no row matches "xa" (3 hidden; F changes it)');
  expect(one.console.state().ui.areas['findings']?.filter).toBe('xa');
  await one.keys('Esc', '?', '/', 'x', 'a');
  expect(one.lines().at(-1)).toContain('/xa_');
});

test('the keys of a confirmation, of leaving and of a shell are the same in every console', () => {
  const bindings = { cancel: ['x'], whole: ['w'], confirm: ['c'], enter: ['e'], stop: ['S'], open: ['o'] };
  for (const place of ['confirm', 'leave', 'shell', 'run', 'form', 'palette', 'filter', 'always'] as const)
    expect(boundKeys(place, bindings)).toBe(boundKeys(place, {}));
});

test('two actions on one key are refused in every place where both are', () => {
  expect(checkBindings({ note: ['a'] })).toMatchObject({ bindings: {}, problems: [{ action: 'note' }] });
  expect(checkBindings({ kernel: ['n'] }).problems[0]?.text).toContain('"n" is the key of "nextHit"');
  // Not at one place: a key of the log and one of the board.
  expect(checkBindings({ raw: ['w'] }).problems).toEqual([]);
  const swapped = { note: ['a'], actions: ['N'] };
  expect(checkBindings(swapped)).toEqual({ bindings: swapped, problems: [] });
});

test('whatever is bound, no key means two things in one place and none opens what it confirms', () => {
  const { bindings } = checkBindings({
    actions: ['y'],
    open: ['y'],
    undo: ['a', 'y'],
    note: ['u'],
    up: ['j'],
    down: ['k'],
    mark: ['a'],
  });
  for (const place of Object.keys(placeTitles) as Place[]) {
    const keys = boundKeys(place, bindings).flatMap((key) => key.keys);
    expect(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      place,
    ).toEqual([]);
  }
  const opening = boundKeys('board', bindings).filter(({ does }) => does !== 'copy');
  expect(opening.some(({ keys }) => keys.includes('y'))).toBe(false);
});

test('menus and messages name the keys that the operator has', async () => {
  await open({ settings: { keys: { evidence: ['E'], ticket: ['T'] } } });
  one.mirror.receive(firstUpdate({ seq: 2, heads: [], findings: [finding('alone', { remedies: [] })] }));
  await one.settle();
  await one.keys('a');
  expect(one.screen()).toContain('the evidence is under E, T copies it for the ticket');
  expect(one.lines().find((line) => line.includes('Esc  close'))).toContain('T  ticket');
  await one.keys('Esc', '?');
  expect(one.screen()).toMatch(/^ {3}E {2,}evidence/m);
});

test('a pane has the columns that are wanted, in their order, and begins in the wanted order', async () => {
  await open({ settings: { panes: { slurm: { columns: ['reason', 'NODE', 'jobs'], sort: '-jobs' } } } });
  const head = one.lines().find((line) => line.includes('REASON'));
  expect(head).toMatch(/^ +REASON +NODE +JOBS↓/);
  await one.keys('1');
  expect(one.lines().find((line) => line.startsWith('>'))).toMatch(/^>! NHC: HDFS mount lost +node6 +6( |$)/);
});

test(':filter sets a filter of the operator by its name, and tells the nearest of one that is not there', async () => {
  await open({ settings: { filters: { one: 'node7', two: 'alice' } } });
  await one.keys('1', ':');
  await one.type('filter ');
  expect(one.lines().slice(-4).join('\n')).toMatch(/^ {2}one$[^]*^ {2}two$/m);
  await one.type('one');
  await one.keys('Enter');
  expect(one.screen()).toContain('filter "node7" 1 of 30');
  await one.keys(':');
  await one.type('filter tow');
  await one.keys('Enter');
  expect(one.screen()).toContain('no filter "tow"; did you mean "two"?');
});

test(':save keeps the filter of the pane by name, at once and in the settings', async () => {
  const saved: string[][] = [];
  const saveFilter = async (name: string, filter: string) => {
    saved.push([name, filter]);
    if (name === 'bad') throw new Error('disk full; write into /c.yaml');
    return '/c.yaml';
  };
  await open({ settings: { filters: { two: 'alice' } }, saveFilter });
  const say = async (line: string) => {
    await one.keys(':');
    await one.type(line);
    await one.keys('Enter');
  };
  await say('save one');
  expect(one.screen()).toContain('this pane has no filter to save');
  await one.keys('Esc', '1', '/');
  await one.type('node7');
  await one.keys('Enter');
  await say('save one');
  expect(one.lines().at(-1)).toContain(':filter one is "node7", also in later consoles: /c.yaml');
  await say('filter two');
  await say('filter one');
  expect(one.screen()).toContain('filter "node7" 1 of 30');
  await say('save bad');
  expect(one.lines().at(-1)).toContain('not saved: disk full; write into /c.yaml');
  await say('filter bad');
  expect(one.screen()).toContain('no filter "bad"');
  expect(saved).toEqual([
    ['one', 'node7'],
    ['bad', 'node7'],
  ]);
});

test(':finding goes to a finding, also to one that another folds; :user knows whom findings hurt', async () => {
  await open();
  const [cause] = findings;
  const folded = finding('folded', { explainedBy: cause?.id ?? '', hurt: { users: ['bob', 'alice'] } });
  one.mirror.receive(firstUpdate({ seq: 2, heads: [], findings: [...findings, folded] }));
  await one.settle();
  await one.keys('1', ':');
  await one.type('finding slurm:fol');
  await one.keys('Tab', 'Enter');
  expect(one.console.state().ui).toMatchObject({ focus: 'findings' });
  expect(one.console.state().ui.areas['findings']?.cursor).toBe('findings/slurm:folded');
  await one.keys(':');
  await one.type('user a');
  await one.keys('Tab');
  expect(one.screen()).toContain(':user alice_');
});

test('a column that no table has is told with the nearest', async () => {
  await open({ settings: { panes: { slurm: { columns: ['NODE', 'raeson'] } } } });
  one.console.say('said after that');
  await one.settle();
  expect(one.lines().at(-1)).toContain('your settings: Slurm has no column "raeson"; did you mean "reason"?');
  one.pass(6000);
  await one.settle();
  expect(one.lines().at(-1)).toContain('said after that');
});

test.each(themeNames)('%s: the same signs and words as in every theme', async (theme) => {
  await open({ theme });
  const plain = one.screen();
  one.close();
  await open({ env: { LANG: 'en_US.UTF-8', NO_COLOR: '1' } });
  expect(plain).toBe(one.screen());
});

test('themes colour trouble each in their way', async () => {
  const colours = new Set<number>();
  for (const theme of themeNames) {
    await open({ theme });
    const line = one.lines().findIndex((text) => text.includes('✖ slurm'));
    colours.add(one.colourAt(line, 1));
    one.close();
  }
  expect(colours.size).toBeGreaterThan(2);
});

test(':theme gives other colours to all that is on the screen, until the console is left', async () => {
  const colours = (): number[][] =>
    Array.from({ length: 45 }, (_, line) =>
      Array.from({ length: 160 }, (__, column) => one.colourAt(line, column)),
    );
  await open({ theme: 'light' });
  const light = colours();
  const words = one.screen();
  one.close();
  await open();
  expect(colours()).not.toEqual(light);
  await one.type(':');
  await one.type('theme li');
  await one.keys('Tab');
  expect(one.screen()).toContain(':theme light_');
  await one.keys('Enter');
  expect(one.screen()).toContain('theme light');
  // The last line holds the word that is said.
  expect(one.screen().split('\n').slice(0, -1)).toEqual(words.split('\n').slice(0, -1));
  expect(colours().slice(0, -1)).toEqual(light.slice(0, -1));
  // The page over the board, too.
  await one.keys('?');
  expect(new Set(colours().flat())).not.toContain(6);
});

test(':theme names the nearest of an unknown theme and changes nothing; without colours it says so', async () => {
  await open();
  await one.type(':');
  await one.type('theme lihgt');
  await one.keys('Enter');
  expect(one.screen()).toContain('no theme "lihgt"; did you mean "light"?');
  expect(one.console.ports.theme.name).toBe('dark');
  one.close();
  await open({ env: { LANG: 'en_US.UTF-8', NO_COLOR: '1' } });
  await one.type(':');
  await one.type('theme contrast');
  await one.keys('Enter');
  expect(one.screen()).toContain('theme contrast; NO_COLOR is set: no colours');
});
