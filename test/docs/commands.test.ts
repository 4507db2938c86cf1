import { expect, test } from 'vitest';
import { cli } from '../../src/commands/cli.ts';
import type { Parts } from '../../src/commands/command-line.ts';
import { commandHelp } from '../../src/registries/help.ts';
import { loadFormats } from '../../src/registries/formats.ts';
import { fakeIo } from '../commands/fake-io.ts';
import { blockLines, chapters, spansOf } from './markdown.ts';

const formats = await loadFormats();

const unused = async (): Promise<never> => Promise.reject(new Error('no command runs here'));
const parts: Parts = {
  version: '0',
  commands: {
    console: unused,
    demo: unused,
    wall: unused,
    status: unused,
    act: unused,
    actions: unused,
    parse: unused,
    doctor: unused,
    init: unused,
    audit: unused,
    help: unused,
    completion: unused,
    complete: unused,
  },
  help: commandHelp,
  names: {
    systems: async () => [],
    actions: async () => [],
    systemsOfSites: async () => [],
    incidents: async () => [],
  },
};

const helpOf = async (...words: readonly string[]): Promise<string> => {
  const fake = fakeIo();
  await cli([...words, '--help'], fake.io, parts);
  return fake.out();
};

const optionsIn = (help: string): string[] => help.match(/--[a-z][a-z-]*/g) ?? [];

const [general] = [await helpOf()];
const commands = [...general.matchAll(/^ {2}([a-z]+) (?:\[|<| )/gm)]
  .map((match) => match[1] ?? '')
  .filter((name) => name !== 'faultline');
const options = new Map(
  await Promise.all(
    commands.map(
      async (name) => [name, new Set([...optionsIn(general), ...optionsIn(await helpOf(name))])] as const,
    ),
  ),
);

/** `faultline act ...`, `npm run faultline -- status ...`, as one line each. */
const lines = chapters.flatMap((page) =>
  [...spansOf(page), ...blockLines(page)].flatMap((text) => {
    const match = /^(?:faultline|npm run faultline --)(?: |$)([^#]*)/.exec(text.trim());
    return match ? [{ path: page.path, words: (match[1] ?? '').trim().split(/\s+/) }] : [];
  }),
);

test('the documents name commands, and the help does', () => {
  expect(commands).toContain('status');
  expect(lines.length).toBeGreaterThan(15);
});

test.each(lines)('$path: faultline $words', ({ words: [command = '', ...rest] }) => {
  const bare = command === '' || /^[[-]/.test(command);
  if (!bare && command !== 'COMMAND') expect(commands).toContain(command);
  const known = options.get(command) ?? new Set(optionsIn(general));
  for (const option of [command, ...rest].flatMap(optionsIn)) expect(known).toContain(option);
});

test('every option of every command stands in docs/design.md', () => {
  const design = chapters.find(({ path }) => path === 'docs/design.md')?.text ?? '';
  for (const [command, known] of options)
    for (const option of known)
      if (!['--help', '--version'].includes(option)) expect(design, command).toContain(option);
});

test('docs/formats.md has a chapter for each format and for no other', () => {
  const page = chapters.find(({ path }) => path === 'docs/formats.md')?.text ?? '';
  const headings = [...page.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(headings.toSorted()).toEqual(Object.keys(formats).toSorted());
});
