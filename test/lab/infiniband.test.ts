import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { openTerminal, runProgram, type Terminal } from '../smoke/terminal.ts';
import { Fabric, fabricProblem } from './fabric.ts';
import { until } from './processes.ts';

const repository = join(import.meta.dirname, '../..');
const problem = fabricProblem();
if (problem !== undefined) process.stderr.write(`InfiniBand lab: skipped: ${problem}\n`);

/** A dialog takes what it is sent after it was drawn. */
const write = async (screen: Terminal, ...pieces: readonly string[]): Promise<void> => {
  for (const piece of pieces) {
    screen.type(piece);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
};

/** Down in a menu to the entry, and Enter. */
const choose = async (screen: Terminal, entry: RegExp): Promise<void> => {
  for (let line = 0; line < 12 && !entry.test(screen.text()); line++) await write(screen, 'j');
  await screen.until(entry);
  await write(screen, '\r');
};

/** The plan seen to its end, then what the dialog wants typed, letter by letter, once it is armed: pastes do nothing. */
const confirm = async (screen: Terminal, typed: string): Promise<void> => {
  await screen.until(new RegExp(`type "?${typed}"?`));
  for (let page = 0; page < 12 && /more lines? below|read to the end/.test(screen.text()); page++)
    await write(screen, '\u001B[6~');
  await write(screen, '', '', '', '', '', ...typed, '\r');
};

interface Finding {
  kind: string;
  severity: string;
  subject: { id: string };
  summary: string;
}

describe.skipIf(problem !== undefined)('a fabric of ibsim, opensm and infiniband-diags', () => {
  const fabric = new Fabric(emptyFolder('ib'));
  const env = { ...process.env, XDG_STATE_HOME: join(fabric.folder, 'state') };
  beforeAll(() => fabric.up(), 60_000);
  afterAll(() => fabric.down());

  const program = (own: typeof env, ...words: string[]) =>
    runProgram([...programArgs(), ...words, '--site', fabric.siteFile], own, repository);

  const found = async (state = 'state'): Promise<string[]> => {
    const own = { ...env, XDG_STATE_HOME: join(fabric.folder, state) };
    const { stdout, stderr } = await program(own, 'status', '--json');
    if (stdout === '') throw new Error(stderr);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    return findings.flatMap((one) =>
      one.severity === 'notice' ? [] : `${one.kind} ${one.subject.id}: ${one.summary}`,
    );
  };

  const set = (port: string, counter: string, value: number): void =>
    fabric.tell(`PerformanceSet ${port} PortCounters.${counter}=${value}`);

  it('a healthy fabric gives nothing above a notice', async () => {
    expect(await found()).toEqual([]);
  });

  it('symbol errors alone, received errors, and counters that stand still', async () => {
    let value = 20;
    set('"leaf1"[32]', 'LinkDownedCounter', 7);
    const timer = setInterval(() => {
      value += 10;
      set('"leaf1"[32]', 'SymbolErrorCounter', value);
      set('"spine"[3]', 'PortRcvErrors', value);
    }, 100);
    const told = await found().finally(() => clearInterval(timer));
    expect(told.toSorted()).toEqual([
      expect.stringMatching(/^bad-link adm:spine\/3: .*, suspect adm leaf2\/31/),
      expect.stringMatching(/^weak-signal adm:leaf1\/32: .*symbol errors/),
    ]);
    expect(await found()).toEqual([]);
  });

  it('a link that goes down again and again, by LinkDownedCounter alone', async () => {
    let downs = 7;
    const timer = setInterval(() => set('"leaf1"[32]', 'LinkDownedCounter', (downs += 1)), 500);
    // What flapped is told for an hour: a history of its own, and the count as it was, keep it from the other cases.
    const told = await found('flapping').finally(() => clearInterval(timer));
    expect(told).toEqual([
      expect.stringMatching(/^flapping adm:leaf1\/32: adm leaf1\/32 to adm .* flaps: down/),
    ]);
    set('"leaf1"[32]', 'LinkDownedCounter', 7);
    expect(await found()).toEqual([]);
  });

  it('a link that is cut, until it is back', async () => {
    fabric.tell('Unlink "leaf1"[31]');
    await until('the cut', () => fabric.links() === 10);
    expect(await found()).toEqual([
      expect.stringMatching(/^link-down adm:(?:leaf1\/31: .*spine\/1|spine\/1: .*leaf1\/31) down/),
    ]);
    fabric.tell('ReLink "leaf1"[31]');
    await until('the link', () => fabric.links() === 12);
  });

  it('a port that somebody shut by hand is no fault, nor is it once it is back', async () => {
    await fabric.disable('leaf1', 31);
    expect(await found()).toEqual([]);
    fabric.setPort('leaf1', 31, 'enable');
    await until('the link', () => fabric.links() === 12);
    expect(await found()).toEqual([]);
  });

  it('a port with errors is shut, kept and restored by keys', async () => {
    let value = 100;
    const timer = setInterval(() => set('"leaf1"[32]', 'SymbolErrorCounter', (value += 10)), 100);
    const screen = openTerminal([...programArgs(), '--site', fabric.siteFile], env, repository);
    try {
      await screen.until(/! switch +adm leaf1\/32 .*symbol errors/, 120_000);
      await write(screen, '0', 'g', 'a');
      await choose(screen, /> shut port/);
      await screen.until(/Shut leaf1\/32 in the fabric of adm/);
      await confirm(screen, 'shut adm:leaf1/32');
      await screen.until(/type "?keep"? to keep it/, 60_000);
      expect(fabric.links()).toBe(10);
      await write(screen, ...'keep', '\r');
      await screen.until(/kept: leaf1\/32 reads down/, 60_000);
      clearInterval(timer);
      await write(screen, '\u001B');
      await screen.until(/adm leaf1\/32 shut by/, 60_000);
      await screen.until(/0 +! 0 /, 60_000);
      await write(screen, '0', 'g', 'a');
      await choose(screen, /> restore port/);
      await screen.until(/Restore leaf1\/32 in the fabric of adm/);
      await confirm(screen, 'restore adm:leaf1/32');
      await screen.until(/leaf1\/32 reads up/, 90_000);
      expect(fabric.links()).toBe(12);
    } finally {
      clearInterval(timer);
      screen.kill();
    }
  });
});
