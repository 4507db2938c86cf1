import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { newHome, type Terminal } from '../smoke/terminal.ts';
import { idleShare, measureMoves, wait } from './measure.ts';
import { cpuMs, residentMb } from './processes.ts';
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

export const serve = async (site: string, incident = 'quiet'): Promise<Served> => {
  const argv = [...fromSource('test/bench/serve.ts'), site, incident];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [siteFile] = (await once(createInterface(child.stdout), 'line')) as [string];
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
export const largeRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measure(one)));
  return rows;
};

const measure = async (one: Large): Promise<Row[]> => {
  const served = await serve(one.site);
  try {
    const { rows, cpuPerSecond } = await measureConsole(one, served.siteFile);
    return [...rows, await askingRow(one.name, served.siteFile, cpuPerSecond)];
  } finally {
    await served.end();
  }
};

/** `cpuPerSecond` in ms, of all threads. */
const measureConsole = async (
  { name, pane, filled }: Large,
  siteFile: string,
): Promise<{ rows: Row[]; cpuPerSecond: number }> => {
  const home = newHome();
  const screen = openScreen(['--site', siteFile], home.env);
  try {
    await zoomed(screen, pane, filled);
    const first = screen.age();
    const used = cpuMs(screen.pid);
    await wait(SETTLE_MS);
    const { all, drawing } = await idleShare(screen);
    const moves = await measureMoves(screen, name, TURN);
    const rows = [
      {
        what: `${name}: all hosts answered`,
        budget: '-',
        measured: `${figure(first)} ms, ${figure(used)} ms CPU`,
      },
      ...moves,
      {
        what: `${name}, polled at the default intervals: CPU of one core`,
        budget: '-',
        measured: `${figure(drawing)} % drawing, ${figure(all)} % in all`,
      },
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
    budget: '-',
    measured:
      failed > 0
        ? `${failed} of ${asked} not answered`
        : `${figure(whole)} ms against ${figure(alone)} ms: ${figure(whole / alone)} x`,
  };
};

const zoomed = async (screen: Terminal, pane: string, filled: RegExp): Promise<void> => {
  await screen.until(new RegExp(` ${pane} [A-Z]`), 60_000);
  screen.type(pane);
  await wait(300);
  screen.type('\r');
  await screen.until(filled, 120_000);
};
