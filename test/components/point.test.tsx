import { afterEach, expect, test } from 'vitest';
import { MOUSE_OFF, MOUSE_ON } from '../../components/mouse.ts';
import { rig, type Rig } from './harness.tsx';
import { firstUpdate, otherHead, slurmHead } from './fixture.ts';

let one: Rig;
const open = async (options: Parameters<typeof rig>[0] = {}): Promise<void> => {
  one = await rig({ replies: { detail: () => [], menu: () => [] }, ...options });
  one.mirror.receive(firstUpdate({ heads: [slurmHead, otherHead('switch', 'Switches')] }));
  await one.settle();
};
afterEach(() => one.close());

const cellOf = (text: string): { line: number; column: number } => {
  const line = one.lines().findIndex((row) => row.includes(text));
  return { line, column: (one.lines()[line] ?? '').indexOf(text) };
};
const report = (code: number, { line, column }: { line: number; column: number }): string =>
  `\u001B[<${code};${column + 1};${line + 1}M\u001B[<${code};${column + 1};${line + 1}m`;
const click = (text: string): Promise<void> => one.type(report(0, cellOf(text)));
const wheel = (way: 'up' | 'down', text: string): Promise<void> =>
  one.type(report(way === 'up' ? 64 : 65, cellOf(text)));
const selected = (): string => one.lines().find((line) => line.startsWith('>')) ?? '';

test('a click selects the row and gives its pane the focus; on a head, a rule or nothing it only gives the focus', async () => {
  await open();
  await click('node3 ');
  expect(one.console.state().ui.focus).toBe('slurm');
  expect(selected()).toContain('node3 ');
  await click('REASON');
  expect(selected()).toContain('node3 ');
  await click('node140: bad DIMM');
  expect(one.console.state().ui.focus).toBe('findings');
  expect(selected()).toContain('node140: bad DIMM');
  await click('2 Switches');
  expect(one.console.state().ui.focus).toBe('switch');
});

test('a second click on the same row opens what Enter opens; a slow one, or one on another row, does not', async () => {
  await open();
  await click('node3 ');
  await click('node4 ');
  expect(one.console.state().ui.zoom).toBe(false);
  one.pass(600);
  await click('node4 ');
  expect(one.console.state().ui.zoom).toBe(false);
  await click('node4 ');
  expect(one.console.state().ui).toMatchObject({ zoom: true, focus: 'slurm' });
  expect(selected()).toContain('node4 ');
});

test('rows are where they are drawn, also after scrolling and with a head that stays on top', async () => {
  await open({ columns: 100, rows: 30 });
  await one.keys('1', 'G', 'k', 'k');
  await click('node27 ');
  expect(selected()).toContain('node27 ');
});

test('the wheel moves through the pane under the pointer and leaves the focus where it is', async () => {
  await open();
  await wheel('down', 'node3 ');
  expect(one.console.state().ui.focus).toBe('findings');
  expect(one.console.state().ui.areas['slurm']?.cursor).toBe('nodes/node4');
  await wheel('up', 'node3 ');
  expect(one.console.state().ui.areas['slurm']?.cursor).toBe('nodes/node1');
});

test('a click on a tab goes to its pane', async () => {
  await open({ columns: 80, rows: 24 });
  await click('2 Switches');
  expect(one.console.state().ui.focus).toBe('switch');
  await click('1 Slurm');
  expect(one.console.state().ui.focus).toBe('slurm');
});

test('over a text the wheel scrolls and a click does nothing', async () => {
  await open({ columns: 80, rows: 24 });
  await one.keys('?');
  const before = one.lines()[1];
  await wheel('down', before ?? '');
  expect(one.lines()[1]).not.toBe(before);
  await click(one.lines()[3]?.trim() ?? '');
  expect(one.console.state().ui.overlays).toHaveLength(1);
});

test('no click and no wheel leaves the console', async () => {
  await open();
  await one.keys('q');
  for (const text of ['y  leave', 'Leave faultline?']) {
    await click(text);
    await click(text);
    await wheel('down', text);
  }
  expect(one.exits).toBe(0);
  expect(one.screen()).toContain('Leave faultline?');
});

test('reports are asked for when the drawing begins, and no more at its end', async () => {
  await open();
  const written = (): string => one.written();
  expect(written()).toContain(MOUSE_ON);
  expect(written()).not.toContain(MOUSE_OFF);
  one.close();
  expect(written().lastIndexOf(MOUSE_OFF)).toBeGreaterThan(written().lastIndexOf(MOUSE_ON));
});

test('without the mouse the terminal is asked for nothing', async () => {
  await open({ settings: { mouse: false } });
  one.close();
  expect(one.written()).not.toContain('\u001B[?1000');
});
