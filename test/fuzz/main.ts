import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { residentMb } from '../bench/processes.ts';
import { figure, quantile, table, within, type Row } from '../bench/row.ts';
import { fromSource } from '../helpers/source.ts';
import { newHome } from '../smoke/terminal.ts';
import { chanceOf } from '../trials/random.ts';
import { brokenWords, gapsIn, oddSubjects, shiftedRow, unreadWords } from './checks.ts';
import { openScreen, type Screen } from './screen.ts';

const USAGE = `usage: npm run test:fuzz -- [--minutes N] [--seed N]

Runs the built console on a demo site whose hosts answer two questions of three with spoiled text, for so many minutes (60 unless said),
while keys are pressed; then the site is fine again. Prints what was measured against the same console before; exit code 1 when
something must not be.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const KEYS = [...'jkjkjkjk12345es/?Ca', '\t', '\r', '\u001B', '\u001B', '\u001B[B', '\u001B[6~'];
const MOVES = 80;
/** A source that could not be read rests at first 10 minutes, at most an hour. */
const RECOVERY_MS = 75 * 60_000;
const STATUS_EVERY_MS = 60_000;
const FILLED = /^(?![^]*waiting for the first)[^]*Slurm[^]*HDFS mount lost/;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** What must not be, each once. */
const wrong = new Set<string>();
const blame = (what: string): void => {
  if (!wrong.has(what)) say(`WRONG: ${what}`);
  wrong.add(what);
};

/** Waits until the screen shows nothing unread but this; says every minute what is in the way. */
const untilRead = async (screen: Screen, but: string | undefined, limitMs: number): Promise<boolean> => {
  const from = performance.now();
  let told = from;
  for (; performance.now() - from < limitMs; await wait(500)) {
    const unread = unreadWords(await screen.text());
    if (unread === but) return true;
    if (performance.now() - told < 60_000) continue;
    told = performance.now();
    say(`not read again yet: ${unread?.trim() ?? ''}`);
  }
  return false;
};

/** Back at the board, with nothing open and nothing filtered. */
const toBoard = async (screen: Screen): Promise<void> => {
  for (let count = 0; count < 4; count++) {
    screen.type('\u001B');
    await wait(150);
  }
};

/** Times from a key to what is drawn next, each after the screen was quiet, ms. */
const keyTimes = async (screen: Screen): Promise<number[]> => {
  const times: number[] = [];
  for (let count = 0; count < MOVES; count++) {
    for (let tries = 0; tries < 50; tries++) if ((await screen.next(30)) === undefined) break;
    screen.type(count % 2 === 0 ? 'j' : 'k');
    const ms = await screen.next(2000);
    if (ms !== undefined) times.push(ms);
  }
  return times;
};

/** What stands on the screen, judged; twice, for a frame may be half drawn. */
const judge = async (screen: Screen, gaps: readonly number[]): Promise<void> => {
  const broken = brokenWords(await screen.text());
  if (broken !== undefined) blame(broken.trim());
  const shifted = shiftedRow(await screen.cells(), gaps);
  if (shifted === undefined) return;
  await wait(300);
  const still = shiftedRow(await screen.cells(), gaps);
  if (still === shifted) blame(`a column is off: ${still}`);
};

const STATUS_MS = 300_000;

/** What `status --json` prints; of one that prints nothing why. */
const statusOf = (siteFile: string, env: NodeJS.ProcessEnv): Promise<{ json: string } | { none: string }> =>
  new Promise((resolve) => {
    const program = join(import.meta.dirname, '../../dist/faultline.mjs');
    const args = [program, 'status', '--json', '--quick', '--site', siteFile];
    execFile(process.execPath, args, { env, maxBuffer: 64e6, timeout: STATUS_MS }, (error, stdout, stderr) =>
      resolve(
        stdout === ''
          ? { none: `${error?.signal ?? error?.code ?? 0}, ${stderr.slice(-300)}` }
          : { json: stdout },
      ),
    );
  });

/** Keys, looks and status on the hostile site until the time is over. */
const attack = async (screen: Screen, siteFile: string, env: NodeJS.ProcessEnv, gaps: readonly number[]) => {
  const chance = chanceOf(Number(values.seed));
  const memory: number[] = [];
  const times: number[] = [];
  const end = performance.now() + Number(values.minutes) * 60_000;
  let statuses = 0;
  let asked = 0;
  let pending: Promise<void> = Promise.resolve();
  while (performance.now() < end) {
    for (let count = 0; count < 25; count++) {
      screen.type(KEYS[chance.whole(0, KEYS.length - 1)] ?? '');
      await screen.next(150);
      if (count % 5 === 0) await judge(screen, gaps);
    }
    await toBoard(screen);
    await judge(screen, gaps);
    memory.push(residentMb(screen.pid));
    if (performance.now() - asked > STATUS_EVERY_MS) {
      asked = performance.now();
      await pending;
      // As before the hostility: with nothing else of ours on the machine, which `status` is when it logs in everywhere at once.
      times.push(...(await keyTimes(screen)));
      pending = statusOf(siteFile, env).then((said) => {
        statuses += 1;
        if ('none' in said) return blame(`status --json printed nothing: ${said.none}`);
        for (const odd of oddSubjects(said.json)) blame(`a subject that is no plain word: ${odd}`);
      });
    }
  }
  await pending;
  return { memory, times, statuses };
};

const openSite = (seed: string) => {
  const child = spawn(process.execPath, [...fromSource('test/fuzz/site.ts'), seed], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value ?? '');
  return {
    siteFile: next(),
    tell: (word: string) => void child.stdin.write(`${word}\n`),
    next,
    end: () => child.stdin.end(),
  };
};

const run = async (): Promise<void> => {
  const home = newHome();
  const site = openSite(values.seed);
  const siteFile = await site.siteFile;
  const screen = openScreen(siteFile, home.env);
  try {
    for (const from = performance.now(); !FILLED.test(await screen.text()); await wait(500))
      if (performance.now() - from > 120_000) throw new Error(`no full board:\n${await screen.text()}`);
    await untilRead(screen, undefined, 120_000);
    const unreadBefore = unreadWords(await screen.text());
    if (unreadBefore !== undefined) say(`unread on the fine site: ${unreadBefore.trim()}`);
    const gaps = gapsIn(await screen.cells()) ?? [];
    if (gaps.length === 0) throw new Error(`no column between panes:\n${await screen.text()}`);
    const before = await keyTimes(screen);
    say(`fine: key to frame p95 ${figure(quantile(before, 0.95))} ms; columns ${gaps.join(', ')} are blank`);
    site.tell('hostile');
    const { memory, times, statuses } = await attack(screen, siteFile, home.env, gaps);
    site.tell('fine');
    site.tell('count');
    say(await site.next());
    const from = performance.now();
    await toBoard(screen);
    const recovered = await untilRead(screen, unreadBefore, RECOVERY_MS);
    const took = (performance.now() - from) / 1000;
    if (!recovered) blame(`not read again: ${unreadWords(await screen.text())?.trim() ?? ''}`);
    for (const odd of screen.raw) blame(`a raw control character: ${odd}`);
    // A machine has more to do at one time than at another: before and behind.
    const fine = [...before, ...(await keyTimes(screen))];
    process.stdout.write(`${table(rows({ fine, times, memory, took, recovered, statuses, screen }))}\n`);
  } finally {
    await screen.end();
    site.end();
    home.remove();
  }
};

interface Measured {
  fine: readonly number[];
  times: readonly number[];
  memory: readonly number[];
  took: number;
  recovered: boolean;
  statuses: number;
  screen: Screen;
}

const rows = ({ fine, times, memory, took, recovered, statuses, screen }: Measured): Row[] => {
  const [usual, hostile] = [quantile(fine, 0.95), quantile(times, 0.95)];
  // Of the second quarter and the last: at first the memory fills with what is kept.
  const quarter = Math.floor(memory.length / 4);
  const early = quantile(memory.slice(quarter, quarter * 2), 0.5);
  const late = quantile(memory.slice(-quarter), 0.5);
  return [
    within('raw control characters on the terminal', screen.raw.length, 0, 'characters'),
    within('all that must not be: raw, shifted, broken, odd subjects', wrong.size, 0, 'kinds'),
    {
      ...within('key to frame p95, hostile against fine', hostile / usual, 2, 'x'),
      note: `${figure(hostile)} / ${figure(usual)} ms`,
    },
    {
      ...within('memory, last quarter against the second', late / early, 1.2, 'x'),
      note: `${figure(late)} / ${figure(early)} MB`,
    },
    {
      what: 'all sources read again after',
      unit: 's',
      ...(recovered ? { value: took } : { limit: took, note: 'some were not' }),
    },
    { what: 'status --json in between', unit: 'times', value: statuses },
    { what: 'written to the terminal', unit: 'MB', value: screen.bytes() / 1e6 },
  ];
};

if (values.help) process.stdout.write(USAGE);
else {
  await run();
  process.exitCode = wrong.size > 0 ? 1 : 0;
}
