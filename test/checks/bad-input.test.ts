import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../probes/checks/index.ts';
import { assemble, type Assembled } from '../../src/assemble/assemble.ts';
import { askAll } from '../../src/collect/ask-all.ts';
import { systemsOn } from '../../src/collect/on-site.ts';
import { reportOf } from '../../src/commands/status/report.ts';
import { hosts } from '../../probes/hosts/index.ts';
import { isPlain } from '../../src/text/safe.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { siteWith } from './make.ts';

/** Checks that do their worst, on this machine through the real transport. */
const site = siteWith(
  'fine: {run: "echo FINE; exit 0", on: here}',
  'hangs: {run: ": a-check-that-hangs; trap : TERM; while :; do sleep 1; done", on: here, timeout: 1s}',
  'floods: {run: "yes 0123456789abcdef | head -c 100000000", on: here, timeout: 20s}',
  `escapes: {run: 'printf "\\033[2J\\033]0;title\\007\\302\\233 \\342\\200\\256 | a\\033[1m=1 b=2"; exit 2', on: here}`,
  'missing: {run: [check_that_is_not_there, -H, "{host}"], on: here}',
  'bytes: {run: "head -c 3000 /dev/urandom; exit 0", on: here}',
  'silent: {run: "kill -9 $$", on: here}',
);

let assembled: Assembled;
beforeAll(async () => {
  assembled = await assemble({
    site,
    systems: systemsOn([checks, hosts], site),
    log: () => undefined,
    env: { HOME: emptyFolder('checks') },
    readOnly: false,
    history: 'memory',
    once: true,
  });
  await askAll(assembled.collector, 30_000);
  assembled.collector.update();
}, 60_000);
afterAll(() => assembled.close());

const source = (name: string) => assembled.collector.judgement().readings.source(`checks.${name}`, 'console');
const wordsOf = (name: string): string => JSON.stringify([source(name)?.good?.value, source(name)?.failure]);

describe('a check that', () => {
  it('is well is fine, whatever goes on beside it', () =>
    expect(source('fine')?.good?.value).toMatchObject({ state: 'ok', text: 'FINE' }));

  it('hangs is given up at its limit, and told', () =>
    expect(source('hangs')?.failure).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('timed out after 1 s'),
    }));

  it('prints 100 MB is cut, and told', () => {
    expect(source('floods')?.failure).toMatchObject({
      kind: 'truncated',
      message: expect.stringMatching(/truncated: \d+ MB came, 66 kB kept$/),
    });
  });

  it('prints escapes is shown with them visible, in its words and in the names of its values', () => {
    expect(source('escapes')?.good?.value).toMatchObject({ state: 'critical' });
    expect(isPlain(JSON.parse(wordsOf('escapes'))[0].text)).toBe(true);
    expect(isPlain(wordsOf('escapes'))).toBe(true);
    expect(wordsOf('escapes')).toContain('^[[2J');
  });

  it('is not there is unknown, and says so', () =>
    expect(source('missing')?.good?.value).toMatchObject({
      state: 'unknown',
      text: expect.stringMatching(/^exit 127, no such command: .*check_that_is_not_there/),
    }));

  it('prints bytes is shown as such', () => expect(isPlain(wordsOf('bytes'))).toBe(true));

  it('is killed is unknown', () =>
    expect(source('silent')?.good?.value).toMatchObject({
      state: 'unknown',
      text: expect.stringMatching(/^exit 137, no state of a plug-in/),
    }));
});

it('each is a finding with its words, and the program ends as for something critical', () => {
  const { document, exitCode } = reportOf(assembled.collector, new Set(), 1000);
  expect(document.findings.map(({ id }) => id).toSorted()).toEqual([
    'checks:check-critical:escapes:console',
    'checks:check-unknown:missing:console',
    'checks:check-unknown:silent:console',
    'checks:not-read:console',
  ]);
  for (const { summary } of document.findings) expect(isPlain(String(summary))).toBe(true);
  expect(exitCode).toBe(2);
});

it('none is left running', async () => {
  const left = (): string[] =>
    globSync('/proc/[0-9]*/cmdline').filter((path) => {
      try {
        return readFileSync(path, 'utf8').includes(': a-check-that-hangs;');
      } catch {
        return false;
      }
    });
  for (let tries = 0; tries < 100 && left().length > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(left()).toEqual([]);
});
