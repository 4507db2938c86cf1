import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newHome, type Terminal } from '../smoke/terminal.ts';
import { idleShare, measureMoves, wait } from './measure.ts';
import { cpuMs, residentMb } from './processes.ts';
import { figure, within, type Row } from './row.ts';
import { openScreen, quit } from './screen.ts';

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
  const argv = ['--import', 'tsx', join(import.meta.dirname, 'serve.ts'), site, incident];
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
  hosts: number;
  /** Questions a host is asked in a second, at the default intervals. */
  perSecond: number;
}

const cases: readonly Large[] = [
  {
    site: 'switches',
    name: '100 switches x 64 ports',
    pane: '2',
    filled: /3,200 links/,
    hosts: 100,
    // Counters every 10 s, LAGs and neighbours every minute, optics every two.
    perSecond: 1 / 10 + 2 / 60 + 1 / 120,
  },
  {
    site: 'lustre',
    name: 'Lustre, 400 OSTs',
    pane: '4',
    filled: /400 OSTs[^]*4 MDTs/,
    // 40 OSSs asked once in 10 s, 4 MDSs twice, a client.
    hosts: 45,
    perSecond: (40 / 10 + 8 / 10 + 2 / 30) / 45,
  },
];

/** Keys, memory and the cost of polling on one large system. */
export const largeRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await measure(one)));
  return rows;
};

const measure = async ({ site, name, pane, filled, hosts, perSecond }: Large): Promise<Row[]> => {
  const home = newHome();
  const served = await serve(site);
  const screen = openScreen(['--site', served.siteFile], home.env);
  try {
    await zoomed(screen, pane, filled);
    const first = screen.age();
    const used = cpuMs(screen.pid);
    await wait(SETTLE_MS);
    const { all, drawing } = await idleShare(screen);
    const moves = await measureMoves(screen, name, TURN);
    return [
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
      within(`${name}: CPU a question, read and judged`, (all * 10) / (hosts * perSecond), 10, 'ms'),
      within(`${name}: memory`, residentMb(screen.pid), 300, 'MB RSS'),
    ];
  } finally {
    await quit(screen);
    await served.end();
    home.remove();
  }
};

const zoomed = async (screen: Terminal, pane: string, filled: RegExp): Promise<void> => {
  await screen.until(new RegExp(` ${pane} [A-Z]`), 60_000);
  screen.type(pane);
  await wait(300);
  screen.type('\r');
  await screen.until(filled, 120_000);
};
