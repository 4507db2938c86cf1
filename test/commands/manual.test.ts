import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { cli } from '../../src/commands/cli.ts';
import { commandPage } from '../../src/commands/manual/command-page.ts';
import { pageAsRoff, pageAsText, type Page } from '../../src/commands/manual/page.ts';
import { rightsMarkdown } from '../../src/commands/manual/rights.ts';
import { siteReferenceMarkdown } from '../../src/commands/manual/reference.ts';
import { parts } from '../../src/commands/parts.ts';
import { createProgram } from '../../src/commands/program.ts';
import { systems } from '../../src/registries/systems.ts';
import { platforms } from '../../src/site/platforms.ts';
import { fakeIo } from './fake-io.ts';

const help = async (...words: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
  const fake = fakeIo();
  const code = await cli(['help', ...words], fake.io, parts);
  return { code, out: fake.out(), err: fake.err() };
};

describe('faultline help', () => {
  it('prints a topic within the width of a terminal', async () => {
    for (const topic of ['keys', 'site', 'exit-codes', 'roles', 'platforms', 'rights']) {
      const { code, out } = await help(topic);
      expect(code).toBe(0);
      expect(
        out.split('\n').filter((line) => line.length > 100),
        topic,
      ).toEqual([]);
      expect(out.split('\n').length, topic).toBeGreaterThan(10);
    }
  });

  it('names every role and platform', async () => {
    const roles = (await help('roles')).out;
    for (const role of systems.flatMap((system) => system.roles))
      expect(roles).toMatch(new RegExp(`^ {2}${role}\\b`, 'm'));
    const shown = (await help('platforms')).out;
    for (const name of platforms) expect(shown).toContain(`  ${name} `);
  });

  it('of a command is what its --help prints', async () => {
    const fake = fakeIo();
    await cli(['status', '--help'], fake.io, parts);
    expect((await help('status')).out).toBe(fake.out());
  });

  it('names the nearest of what is no topic', async () =>
    expect(await help('exit-code')).toMatchObject({
      code: 64,
      err: 'faultline: unknown topic "exit-code"; did you mean "exit-codes"?\n',
    }));
});

const page: Page = {
  title: 'A page',
  summary: 'it says',
  parts: [
    { heading: 'Part' },
    { text: '.begins with a point' },
    { list: [['--long-term-of-a-list-that-is-long', 'a\\b']] },
    { code: ["'quote"] },
  ],
};

describe('a page', () => {
  it('as roff holds no request that its text made', () =>
    expect(pageAsRoff(page, { name: 'a-page', section: 1, version: '1' }).split('\n')).toEqual([
      '.TH A-PAGE 1 "" "faultline 1" "Faultline"',
      '.SH NAME',
      'a\\-page \\- it says',
      '.SH PART',
      '.PP',
      '\\&.begins with a point',
      '.TP',
      '.B \\-\\-long\\-term\\-of\\-a\\-list\\-that\\-is\\-long',
      'a\\eb',
      '.PP',
      '.nf',
      '.RS 4',
      "\\&'quote",
      '.RE',
      '.fi',
      '',
    ]));

  it('as text puts a long term on a line of its own', () =>
    expect(pageAsText(page, 60)).toContain('  --long-term-of-a-list-that-is-long'));

  it('of the program names each command, option and topic', () => {
    const { io } = fakeIo();
    const root = createProgram(io, parts, () => undefined);
    const roff = pageAsRoff(commandPage(root, systems), { name: 'faultline', section: 1, version: '1' });
    for (const command of root.createHelp().visibleCommands(root)) {
      expect(roff).toContain(`.SH COMMAND ${command.name().toUpperCase()}`);
      for (const { long } of command.options) expect(roff).toContain(String(long).replaceAll('-', '\\-'));
    }
    expect(roff).toContain('.SH EXIT CODES');
  });
});

it.each([
  ['site-file.md', siteReferenceMarkdown],
  ['rights.md', rightsMarkdown],
])('docs/%s is what the tables of the program say; npm run schema writes it', async (name, textOf) => {
  const file = new URL(`../../docs/${name}`, import.meta.url);
  const options = { ...(await resolveConfig(file)), parser: 'markdown' };
  expect(readFileSync(file, 'utf8')).toBe(await format(textOf(systems), options));
});

it('the reference of the site file says of each key what it takes, also where that is one of several shapes', () => {
  const text = siteReferenceMarkdown(systems);
  expect(text).not.toMatch(/(?:list of|: ) ?any(?:;| *\|)/);
  expect(text).toMatch(/`storage\.raid`.*one of storcli, .*, or map/);
  expect(text).toContain('`storage.raid[].hosts`');
});
