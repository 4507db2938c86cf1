import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { screenSettings, userKnowledge } from '../../src/commands/user-settings.ts';
import { parseUserFile } from '../../src/site/user-file.ts';
import { emptyFolder } from '../helpers/folder.ts';

const knowledge = await userKnowledge();
const parse = (text: string) => parseUserFile(text, 'config.yaml', knowledge);

it('takes what is right', () => {
  const { settings, problems } = parse(`
theme: colour-blind
mouse: false
keys:
  acknowledge: x
  up: [i, Ctrl-P]
panes:
  findings: {columns: [WHAT, SINCE], sort: "-SINCE"}
  slurm: {sort: nodes}
filters:
  disks: gluster !acked
`);
  expect(problems).toEqual([]);
  expect(settings).toEqual({
    theme: 'colour-blind',
    mouse: false,
    keys: { acknowledge: ['x'], up: ['i', 'Ctrl-P'] },
    panes: { findings: { columns: ['WHAT', 'SINCE'], sort: '-SINCE' }, slurm: { sort: 'nodes' } },
    filters: { disks: 'gluster !acked' },
  });
});

it.each(['', '# nothing yet\n', '{}'])(
  'an empty file sets nothing, and nothing is wrong with it: %j',
  (text) => {
    expect(parse(text)).toEqual({ settings: { keys: {}, panes: {}, filters: {} }, problems: [] });
  },
);

it.each([
  ['thme: light', '1:1: unknown key "thme", ignored; did you mean "theme"?'],
  ['theme: drak', '1:8: theme "drak" is not known; did you mean "dark"?; left out'],
  ['mouse: maybe', '1:8: mouse is a text; it must be true or false; left out'],
  ['keys: {acknowlege: x}', '1:8: unknown key "acknowlege", ignored; did you mean "acknowledge"?'],
  ['keys: {note: F5}', '1:14: keys.note "F5" can\'t be the key of an action'],
  ['keys: {note: "7"}', '"7" can\'t be the key of an action'],
  ['keys: {note: 7}', 'keys.note is the number 7; it must be a text or a list; left out'],
  ['keys: {note: Enter}', '"Enter" can\'t be the key of an action'],
  ['keys: {note: [Ctrl-C]}', '"Ctrl-C" can\'t be the key of an action'],
  ['keys: {confirm: x}', 'unknown key "confirm", ignored'],
  ['keys: {note: y}', '"y" confirms plans; elsewhere it can only be the key of "copy"'],
  ['keys: {note: a}', '1:14: keys.note: "a" is the key of "actions" (board)'],
  ['keys: {note: x, mark: x}', '1:14: keys.note: "x" is the key of "mark" (board)'],
  ['panes: {slrum: {sort: NODES}}', 'unknown key "slrum", ignored; did you mean "slurm"?'],
  ['panes: {slurm: {columns: []}}', 'panes.slurm.columns is empty'],
  ['filters: {"a b": x}', 'filters.a b is not a good name; use letters, digits, "-" and "_"; left out'],
  ['- theme', '1:1: these are no settings: no keys; start with "theme:"'],
  ['theme: [', 'the whole file is ignored'],
])('%s: says what and where, and leaves only that out', (text, problem) => {
  const { problems } = parse(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^config\.yaml:\d+:\d+: /);
  expect(problems[0]).toContain(problem);
});

it('what is wrong in one place leaves the rest as it is', () => {
  const { settings, problems } = parse(
    'theme: light\nkeys: {note: x, mark: [m, F1], actions: N}\nfilters: {a: 3, b: up}\n',
  );
  expect(settings).toMatchObject({
    theme: 'light',
    keys: { note: ['x'], actions: ['N'] },
    filters: { b: 'up' },
  });
  expect(problems).toHaveLength(2);
});

it('two keys can change places', () => {
  expect(parse('keys: {note: a, actions: N}').problems).toEqual([]);
});

let home: string;
let file: string;
beforeEach(() => {
  home = emptyFolder('user-file');
  chmodSync(home, 0o755);
  mkdirSync(join(home, 'faultline'));
  file = join(home, 'faultline', 'config.yaml');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (options: Partial<Parameters<typeof screenSettings>[1]> = {}) =>
  screenSettings({ XDG_CONFIG_HOME: home }, { mouse: true, ...options });

it('without a file all is as usual; what the command line says goes before the file', async () => {
  expect(await read()).toMatchObject({ theme: 'dark', settings: { mouse: true }, problems: [] });
  writeFileSync(file, 'theme: light\n');
  expect(await read()).toMatchObject({ theme: 'light', settings: { mouse: true } });
  expect(await read({ theme: 'contrast', mouse: false })).toMatchObject({
    theme: 'contrast',
    settings: { mouse: false },
  });
  writeFileSync(file, 'mouse: false\n');
  expect(await read()).toMatchObject({ theme: 'dark', settings: { mouse: false } });
});

it('a file that others can write to, a folder and one that is too large set nothing, and it is said', async () => {
  writeFileSync(file, 'theme: light\n');
  chmodSync(file, 0o666);
  const found = await read();
  expect(found.theme).toBe('dark');
  expect(found.problems[0]).toContain('can be written by everybody');
  rmSync(file);
  writeFileSync(file, '#'.repeat(32_001), { mode: 0o600 });
  expect((await read()).problems[0]).toContain('has 32001 bytes; a file of settings has at most 32000');
  rmSync(file);
  mkdirSync(file);
  expect((await read()).problems[0]).toContain('is a folder');
});
