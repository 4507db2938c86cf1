import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyFolder } from '../helpers/folder.ts';
import { programArgs } from '../helpers/source.ts';
import { runProgram } from '../smoke/terminal.ts';
import { Fabric, fabricProblem } from './fabric.ts';
import { until } from './processes.ts';

const repository = join(import.meta.dirname, '../..');
const problem = fabricProblem();
if (problem !== undefined) process.stderr.write(`InfiniBand lab: skipped: ${problem}\n`);

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

  const program = (...words: string[]) =>
    runProgram([...programArgs(), ...words, '--site', fabric.siteFile], env, repository);

  const found = async (): Promise<string[]> => {
    const { stdout, stderr } = await program('status', '--json');
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
      expect.stringMatching(/^bad-link adm:spine\/3: .*from adm leaf2\/31: look there first/),
      expect.stringMatching(/^weak-signal adm:leaf1\/32: .*symbol errors/),
    ]);
    expect(await found()).toEqual([]);
  });

  it('a link that is cut, until it is back', async () => {
    fabric.tell('Unlink "leaf1"[31]');
    await until('the cut', () => fabric.links() === 10);
    expect(await found()).toEqual([
      expect.stringMatching(/^link-down adm:(?:leaf1\/31: .*spine\/1|spine\/1: .*leaf1\/31) is down/),
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
});
