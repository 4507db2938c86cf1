import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { newHome, type Terminal } from '../smoke/terminal.ts';
import { idleShare, measureMoves, wait } from './measure.ts';
import { cpuMs, residentMb } from './processes.ts';
import type { Program } from './program.ts';
import { figure, within, type Row } from './row.ts';
import { openScreen, quit } from './screen.ts';
import { fromSource } from '../helpers/source.ts';

/** The first round over all hosts is not yet everyday. */
const SETTLE_MS = 40_000;
/** Rows that every one of these tables has. */
const TURN = 30;

/** A large site, served by a process of its own. */
export interface Served {
  siteFile: string;
  end(): Promise<void>;
}

/**
 * Makes the demo's site file one that the program reads: without the demo's own intervals, which name probes, and without the roles and
 * systems' sections that it shall do without. An older program refuses what it does not know of these.
 */
export const plainSite = (siteFile: string, { without }: Program): void => {
  const roles = (list: string): string =>
    JSON.stringify((JSON.parse(list) as string[]).filter((role) => !without.includes(role)));
  const text = readFileSync(siteFile, 'utf8')
    .replace(/^intervals: .*$/m, 'intervals: {}')
    .replace(/(?<="roles":)\[[^\]]*\]/g, roles)
    .replace(/^(\w+): .*\n/gm, (line, section: string) => (without.includes(section) ? '' : line));
  writeFileSync(siteFile, text);
};

export const serve = async (program: Program, site: string, incident = 'quiet'): Promise<Served> => {
  const argv = [...fromSource('test/bench/serve.ts'), site, incident];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [siteFile] = (await once(createInterface(child.stdout), 'line')) as [string];
  plainSite(siteFile, program);
  return {
    siteFile,
    end: async () => {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
};

interface Large {
  site: string;
  name: string;
  /** The key of its pane, and what stands there once every host answered. */
  pane: string;
  filled: RegExp;
}

const cases: readonly Large[] = [
  {
    site: 'switches',
    name: '100 switches x 64 ports',
    pane: '2',
    filled: /3,200 links/,
  },
  {
    site: 'lustre',
    name: 'Lustre, 400 OSTs',
    pane: '4',
    filled: /400 OSTs[^]*4 MDTs/,
  },
];

/** Keys, memory and the cost of polling on one large system. */
export const largeRows = async (program: Program): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measure(program, one)));
  return rows;
};

const measure = async (program: Program, one: Large): Promise<Row[]> => {
  const served = await serve(program, one.site);
  try {
    const { rows, cpuPerSecond } = await measureConsole(program, one, served.siteFile);
    return [...rows, await askingRow(one.name, served.siteFile, cpuPerSecond)];
  } finally {
    await served.end();
  }
};

/** `cpuPerSecond` in ms, of all threads. */
const measureConsole = async (
  program: Program,
  { name, pane, filled }: Large,
  siteFile: string,
): Promise<{ rows: Row[]; cpuPerSecond: number }> => {
  const home = newHome();
  const screen = openScreen(program, ['--site', siteFile], home.env);
  try {
    await zoomed(screen, pane, filled);
    const first = screen.age();
    const used = cpuMs(screen.pid);
    await wait(SETTLE_MS);
    const { all, drawing } = await idleShare(screen);
    const moves = await measureMoves(screen, name, TURN);
    const rows = [
      { what: `${name}: all hosts answered`, unit: 'ms', value: first },
      { what: `${name}: all hosts answered: CPU`, unit: 'ms', value: used },
      ...moves,
      {
        what: `${name}, polled at the default intervals: CPU of the drawing thread`,
        unit: '%',
        value: drawing,
      },
      { what: `${name}, polled at the default intervals: CPU of one core`, unit: '%', value: all },
      within(`${name}: memory`, residentMb(screen.pid), 300, 'MB RSS'),
    ];
    return { rows, cpuPerSecond: all * 10 };
  } finally {
    await quit(screen);
    home.remove();
  }
};

/** CPU of the whole console for each question, beside what asking the same costs when nobody reads the answers. */
const askingRow = async (name: string, siteFile: string, cpuPerSecond: number): Promise<Row> => {
  const client = join(import.meta.dirname, 'ask-client.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [client, siteFile]);
  const { asked, failed, cpuMs, seconds } = JSON.parse(stdout) as Record<
    'asked' | 'failed' | 'cpuMs' | 'seconds',
    number
  >;
  const [whole, alone] = [cpuPerSecond / (asked / seconds), cpuMs / asked];
  return {
    what: `${name}: CPU a question, read, judged and drawn, against asking alone`,
    unit: 'x',
    ...(failed > 0
      ? { note: `${failed} of ${asked} not answered` }
      : { value: whole / alone, note: `${figure(whole)} ms against ${figure(alone)} ms` }),
  };
};

const zoomed = async (screen: Terminal, pane: string, filled: RegExp): Promise<void> => {
  await screen.until(new RegExp(` ${pane} [A-Z]`), 60_000);
  screen.type(pane);
  await wait(300);
  screen.type('\r');
  await screen.until(filled, 120_000);
};
