import { cpuMs, drawingCpuMs } from './processes.ts';
import { quantile, within, type Row } from './row.ts';
import type { Terminal } from '../smoke/terminal.ts';

const MOVES = 150;
const IDLE_MS = 20_000;

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const bytesOf = (screen: Terminal): number => Buffer.byteLength(screen.written());

/**
 * One key at a time, each after the screen has been quiet: time to the first byte, and what the move cost. Back up after `turn` moves,
 * where the table is short.
 */
export const measureMoves = async (screen: Terminal, where: string, turn = MOVES): Promise<Row[]> => {
  const times: number[] = [];
  const bytes: number[] = [];
  let unanswered = 0;
  for (let count = 0; count < MOVES; count++) {
    await quiet(screen);
    const before = bytesOf(screen);
    screen.type(Math.floor(count / turn) % 2 === 0 ? 'j' : 'k');
    const time = await screen.next(1000);
    if (time === undefined) unanswered += 1;
    else times.push(time);
    await wait(40);
    bytes.push(bytesOf(screen) - before);
  }
  return [
    within(`key to frame, ${where}: median`, quantile(times, 0.5), 16, 'ms'),
    within(`key to frame, ${where}: p95`, quantile(times, 0.95), 33, 'ms'),
    { what: `key to frame, ${where}: worst`, unit: 'ms', value: Math.max(...times) },
    within(`keys without an answer of ${MOVES}, ${where}`, unanswered, 0, 'keys'),
    within(`bytes per cursor move, ${where}: median`, quantile(bytes, 0.5), 600, 'bytes'),
  ];
};

/** Until nothing was written for 30 ms: the clock's beat must not be taken for the answer to a key. */
const quiet = async (screen: Terminal): Promise<void> => {
  for (let tries = 0; tries < 50; tries++) if ((await screen.next(30)) === undefined) return;
};

/** CPU share of one core over `IDLE_MS`, with nobody at the keys. */
export const idleShare = async (
  screen: Terminal,
): Promise<{ all: number; drawing: number; bytesPerSecond: number }> => {
  await wait(1000);
  const before = cpuMs(screen.pid);
  const drawn = drawingCpuMs(screen.pid);
  const bytes = bytesOf(screen);
  const began = performance.now();
  await wait(IDLE_MS);
  const seconds = (performance.now() - began) / 1000;
  return {
    all: (cpuMs(screen.pid) - before) / (seconds * 10),
    drawing: (drawingCpuMs(screen.pid) - drawn) / (seconds * 10),
    bytesPerSecond: (bytesOf(screen) - bytes) / seconds,
  };
};
