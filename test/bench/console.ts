import { startDemo } from '../../src/demo/start.ts';
import { plainSite, serve } from './large.ts';
import { idleShare, measureMoves, wait } from './measure.ts';
import { cpuMs, residentMb } from './processes.ts';
import type { Program } from './program.ts';
import { quantile, within, type Row } from './row.ts';
import { openScreen, quit, withScreen } from './screen.ts';
import { newHome, type Terminal } from '../smoke/terminal.ts';

const STARTS = 5;
/** Longer than any start takes: the program has ended, or says what it does not like. */
const START_MS = 30_000;
const RENDERS = 10_000;
const WARM_RENDERS = 300;
const SETTLE_MS = 15_000;

/** The slow controller of `night` would be measured with it. */
const INCIDENT = 'hdfs-lost';

/** Strip, findings and the line of keys stand on the screen: the first full frame, whatever is known by then. */
const FRAME = /faultline[^]*Findings[^]*quit/;
/** What is written last of it. */
const LAST = 'quit';
/** No pane waits any more for the first answer of all its hosts, and Slurm's has the group of the incident with its count. */
const FILLED = /^(?![^]*waiting for the first)[^]*Slurm[^]*HDFS mount lost +\d/;

/** Start of the bundled console: CPU up to the first frame, and CPU and time until every pane of the demo has content. */
export const startRows = async (program: Program): Promise<Row[]> => {
  const home = newHome();
  const demo = await startDemo({ incident: INCIDENT, log: () => {} });
  try {
    plainSite(demo.siteFile, program);
    const cpu: number[] = [];
    const frame: number[] = [];
    const filledCpu: number[] = [];
    for (let count = 0; count <= STARTS; count++) {
      await withScreen(openScreen(program, ['--site', demo.siteFile], home.env), async (screen) => {
        // At its bytes, not when they were drawn here: what comes after the frame goes on meanwhile.
        while (!screen.written().includes(LAST)) {
          await screen.next(1000);
          if (screen.age() > START_MS) throw new Error(`no frame within ${START_MS} ms:\n${screen.text()}`);
        }
        frame.push(screen.age());
        cpu.push(cpuMs(screen.pid));
        await screen.until(FRAME);
        await screen.until(FILLED);
        filledCpu.push(cpuMs(screen.pid));
      });
    }
    const filled: number[] = [];
    for (let count = 0; count < STARTS; count++) {
      await withScreen(openScreen(program, ['demo', '--incident', INCIDENT], home.env), async (screen) => {
        await screen.until(FILLED);
        filled.push(screen.age());
      });
    }
    // The first start fills the compile cache.
    return [
      within('start to first full frame, bundled: CPU', quantile(cpu.slice(1), 0.5), 250, 'ms'),
      {
        what: 'start to first full frame, on the clock',
        unit: 'ms',
        value: quantile(frame.slice(1), 0.5),
      },
      // Of the console alone, the demo runs beside it: what a busy machine makes longer by the clock it leaves as it is.
      { what: 'start to every pane filled: CPU', unit: 'ms', value: quantile(filledCpu.slice(1), 0.5) },
      within('start to every pane filled, demo site', quantile(filled, 0.5), 1000, 'ms'),
    ];
  } finally {
    await demo.close();
    home.remove();
  }
};

/** Keys, bytes, idling and memory on a site of 10,000 nodes and 5,000 ports. */
export const bigSiteRows = async (program: Program): Promise<Row[]> => {
  const home = newHome();
  const served = await serve(program, 'big', INCIDENT);
  const screen = openScreen(program, ['--site', served.siteFile], home.env);
  try {
    await screen.until(FILLED, 60_000);
    screen.type('1');
    await wait(300);
    screen.type('\r');
    await wait(2000);
    const moves = await measureMoves(screen, '10,000-row table');
    const idle = await measureIdle(screen);
    const growth = await measureRenders(screen);
    return [...moves, ...idle, ...growth];
  } finally {
    await quit(screen);
    await served.end();
    home.remove();
  }
};

/** An idle console on the demo's own size, its polls included. */
export const idleRows = async (program: Program): Promise<Row[]> => {
  const home = newHome();
  const demo = await startDemo({ incident: INCIDENT, log: () => {} });
  plainSite(demo.siteFile, program);
  const screen = openScreen(program, ['--site', demo.siteFile], home.env);
  try {
    await screen.until(FILLED);
    // The first round over all hosts is not idling.
    await wait(SETTLE_MS);
    const { all, drawing, bytesPerSecond } = await idleShare(screen);
    return [
      within('idle with a 1 Hz clock: CPU of the drawing thread, of one core', drawing, 1.5, '%'),
      { what: 'idle, collecting from 200 nodes: CPU of one core', unit: '%', value: all },
      { what: 'idle: bytes a second', unit: 'bytes', value: bytesPerSecond },
      { what: 'memory, 200 nodes', unit: 'MB RSS', value: residentMb(screen.pid) },
    ];
  } finally {
    await quit(screen);
    await demo.close();
    home.remove();
  }
};

const measureIdle = async (screen: Terminal): Promise<Row[]> => {
  const { all, drawing } = await idleShare(screen);
  return [
    { what: 'polling 10,000 nodes: CPU of the drawing thread', unit: '%', value: drawing },
    { what: 'polling 10,000 nodes: CPU of one core', unit: '%', value: all },
    within('memory, 10,000 nodes and 5,000 ports', residentMb(screen.pid), 300, 'MB RSS'),
  ];
};

/** Moves up and down as fast as they are drawn; memory before and after. */
const measureRenders = async (screen: Terminal): Promise<Row[]> => {
  const render = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count++) {
      screen.type(count % 2 === 0 ? 'j' : 'k');
      await screen.next(50);
    }
  };
  await render(WARM_RENDERS);
  const before = residentMb(screen.pid);
  await render(RENDERS);
  const after = residentMb(screen.pid);
  return [within(`growth over ${RENDERS.toLocaleString('en')} renders`, after - before, 10, 'MB')];
};
