import { readFile, writeFile } from 'node:fs/promises';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { confirmPlan, leave, readPlan } from './confirm.ts';
import { isRestored, mouseIsOn, start, type Session } from './driver.ts';
import { faultline } from './run.ts';

const filled = 'drained by the health check';

describe('the board on the demo site', () => {
  let session: Session;
  beforeAll(async () => {
    session = start(['demo', '--incident', 'hdfs-lost'], { columns: 200, rows: 50 });
    await session.until('17 of 18 pass it now');
  });
  afterAll(() => session.close());

  test('is filled, the drained group first, with age and beating clock', async () => {
    expect(session.lines()[3]).toMatch(/^>! slurm +node\[12-28,31\] drained by the health check/);
    await session.until(/─ ! 1 Slurm ─+ 200 nodes, 19 out of service/);
    expect(session.lines()[0]).toMatch(/oldest reading \d+ s +[●○] \d\d:\d\d:\d\d$/);
    const beat = session.lines()[0];
    await session.until((screen) => screen.split('\n')[0] !== beat);
  });

  test('filters a pane and keeps the filter', async () => {
    await session.keys('1', 'Enter', '/');
    await session.type('node14');
    await session.keys('Enter', 'Esc', '0', '1', 'Enter');
    await session.until(/filter "node14" \d+ of \d+/);
    await session.until(/^ . node140 /m);
    await session.until((screen) => !/^ . node16 /m.test(screen));
    await session.keys('/', 'Esc');
    await session.until(/^ . node16 /m);
    await session.keys('Esc');
  });

  test('zooms with the detail of the row, shows all of it, goes back', async () => {
    await session.keys('1', 'Enter');
    await session.until('─ node node[12-28,31] ─');
    await session.keys('Enter');
    await session.until((screen) => screen.split('\n')[0]?.includes('node[12-28,31]') ?? false);
    await session.keys('Esc', 'Esc');
    await session.until((screen) => screen.split('\n')[1]?.includes('─ Findings ─') ?? false);
  });

  test('shows the raw answers behind a row', async () => {
    await session.keys('1', 'e');
    await session.until(/took [\d,]+ ms/);
    await session.until((screen) => screen.split('\n')[0]?.includes('Evidence for node[12-28,31]') ?? false);
    await session.until('slurm.nodes on ctl1');
    await session.until(/stdout: [\d,]+ lines, marked: what is said of node\[12-28,31\]/);
    await session.until(/> +"name": "node12",[^]*> +"DRAIN"[^]*> +"reason": "NHC: HDFS mount lost"/);
    await session.keys('Esc');
  });

  test('shows help made from the keys, and the page of a host', async () => {
    await session.keys('?');
    await session.until('actions of the row or the marked rows');
    await session.keys('Esc');
    await session.type(':host node140');
    await session.keys('Enter');
    await session.until('bad DIMM');
    await session.keys('Esc');
    await session.type(':hots');
    await session.keys('Enter');
    await session.until('did you mean "host"');
    await session.keys('Esc');
  });

  test('survives every size and comes back', async () => {
    for (const [columns, rows] of [
      [79, 24],
      [20, 5],
      [2, 1],
      [300, 100],
      [80, 24],
      [100, 30],
    ] as const) {
      await session.resize(columns, rows);
      if (columns < 80) expect(session.screen().replaceAll('\n', ' ')).toContain('f');
    }
    await session.until('[1 Slurm !]');
    await session.resize(200, 50);
    await session.until(filled);
    expect(session.lines()[0]).toMatch(/\d\d:\d\d:\d\d$/);
  });

  test('a click selects, a second one opens, the wheel moves; a paste and what is cut do nothing', async () => {
    const line = session.lines().findIndex((row) => row.includes('node140 drained by alice'));
    const click = `\u001B[<0;20;${line + 1}M\u001B[<0;20;${line + 1}m`;
    session.write(click);
    await session.until(/^>· slurm +node140 drained by alice/m);
    session.write(click);
    await session.until('─ node node140 ─');
    await session.keys('Esc', 'g');
    await session.until(/^>! slurm +node\[12-28,31\]/m);
    session.write('\u001B[<65;20;5M');
    await session.until(/^>· slurm +node140 drained by alice/m);
    await session.keys('g');
    session.write(click.slice(0, 7));
    // A busy program must have read it by then: with the rest in the same read it would be no cut.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    session.write(click.slice(7));
    session.write(`\u001B[200~q${click}y\u001B[201~`);
    await session.idle();
    expect(session.screen()).toMatch(/^>! slurm +node\[12-28,31\]/m);
    expect(session.screen()).not.toContain('Leave faultline?');
  });

  test('Ctrl-Z gives the terminal back and stops; it goes on where it was', async () => {
    const pid = session.pid();
    session.write('\u001A');
    const stopped = async (): Promise<boolean> => / T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
    while (!(await stopped())) await new Promise((resolve) => setTimeout(resolve, 20));
    await session.until(() => !session.onAlternateScreen());
    expect(mouseIsOn(session)).toBe(false);
    session.signalGroup('SIGCONT');
    await session.until(() => session.onAlternateScreen());
    await session.until(() => mouseIsOn(session));
    await session.until(filled);
    await session.keys('?');
    await session.until('actions of the row or the marked rows');
    await session.keys('Esc');
  });

  test('q asks, y leaves with 0 and the terminal as it was', async () => {
    expect(await leave(session)).toMatch(/exit 0\r?\n/);
    expect(isRestored(session)).toBe(true);
  });
});

describe('resuming', () => {
  let session: Session;
  afterEach(() => session.close());
  const records = async (): Promise<{ kind: string; outcome?: string; target?: string }[]> => {
    const [file] = await Array.fromAsync(glob(join(session.state, '**/audit*.jsonl')));
    const text = await readFile(file ?? '', 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  test('five keys from the first finding resume those that pass; the one drained by a person is refused, with its reason', async () => {
    session = start(['demo', '--incident', 'hdfs-lost']);
    await session.until('17 of 18 pass it now');
    await session.until('drained by alice');
    await session.keys('Space', 'Space', 'a');
    await session.until('17 of 19');
    await session.keys('Enter');
    await session.until('Resume 17 nodes');
    await session.until('node31: the health check fails ("/hdfs is empty")');
    await session.until(/node140: drained by alice .*"bad DIMM, RMA 1234"/);
    for (let node = 12; node < 29; node++)
      await session.until(`scontrol update nodename=node${node} state=resume`);
    await confirmPlan(session);
    await session.until('17 of 17 done and verified');
    await session.keys('Esc');
    await session.until(/Fixed in the last hour[\s\S]*✓ slurm +node\[12-28\] +resume by/);
    await session.until('node140 drained by alice');
    const written = await records();
    expect(written.filter((record) => record.kind === 'intent')).toHaveLength(17);
    expect(written.filter((record) => record.kind === 'result' && record.outcome === 'done')).toHaveLength(
      17,
    );
    expect(written.some((record) => record.target === 'node140')).toBe(false);
    await session.keys('L');
    await session.until('the chain of hashes is whole');
    await session.until(/Resume 17 nodes +node\[12-28\] +done +r-[0-9a-f]{12}/);
    await session.keys('u');
    await session.until(/scontrol update nodename=node28 state=drain 'reason=NHC: HDFS mount lost'/);
    await readPlan(session);
    await session.keys('Esc', 'Esc', 'q', 'y');
    expect(await session.ended()).toContain('exit 0');
    const env = { XDG_STATE_HOME: session.state };
    expect(await faultline(['audit', 'verify'], env)).toMatchObject({ code: 0 });
    const [file = ''] = await Array.fromAsync(glob(join(session.state, '**/audit*.jsonl')));
    await writeFile(file, (await readFile(file, 'utf8')).replace('node12', 'node13'));
    expect(await faultline(['audit', 'verify'], env)).toMatchObject({ code: 1 });
  });

  test('a, Enter, y is all it takes for the group alone; Cancel is the default', async () => {
    session = start(['demo', '--incident', 'hdfs-lost']);
    await session.until('17 of 18 pass it now');
    await session.keys('a');
    await session.until('> resume');
    await session.keys('Enter');
    await session.until('Resume 17 nodes');
    await readPlan(session);
    await session.keys('Enter');
    await session.until('cancelled: nothing was sent to any host');
    await session.keys('a');
    await session.until('> resume');
    await session.keys('Enter');
    await session.until('Resume 17 nodes');
    await readPlan(session);
    session.write('yyyy');
    await session.idle();
    await session.until('[ Cancel ]');
    await session.until('a held key confirms nothing');
    // What is said of a key stands until the next one.
    await session.keys('Up');
    await confirmPlan(session);
    await session.until('17 of 17 done and verified');
  });
});

describe('leaving', () => {
  let session: Session;
  afterEach(() => session.close());

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s restores the terminal', async (signal, code) => {
    session = start(['demo', '--incident', 'quiet'], { columns: 100, rows: 30 });
    await session.until('Findings');
    process.kill(session.pid(), signal);
    expect(await session.ended()).toMatch(new RegExp(`exit ${code}\\r?\\n`));
    expect(isRestored(session)).toBe(true);
  });

  test('Ctrl-C twice leaves, before the first answer too', async () => {
    session = start(['demo', '--incident', 'quiet'], { columns: 100, rows: 30 });
    await session.until('Findings');
    session.write('\u0003');
    await session.until('Leave faultline?');
    session.write('\u0003');
    expect(await session.ended()).toMatch(/exit 0\r?\n/);
    expect(isRestored(session)).toBe(true);
  });
});

describe('terminals', () => {
  let session: Session | undefined;
  afterEach(() => session?.close());

  test('NO_COLOR draws no colour, and every sign all the same', async () => {
    session = start(['demo', '--incident', 'hdfs-lost'], { env: { NO_COLOR: '1' } });
    await session.until('17 of 18 pass it now');
    expect([...session.colours()]).toEqual([]);
    await session.until('>! slurm');
  });

  test('a locale without UTF-8 gets ASCII', async () => {
    session = start(['demo', '--incident', 'hdfs-lost'], { env: { LANG: 'C' } });
    await session.until('17 of 18 pass it now');
    await session.until(/^[\x20-\x7e\n]*$/);
  });

  test('without a terminal it says what to use instead: exit 64', async () => {
    const ran = await faultline(['demo']);
    expect(ran.code).toBe(64);
    expect(ran.stderr).toContain('faultline status');
  });

  test('demo --list names the incidents', async () => {
    const ran = await faultline(['demo', '--list']);
    expect(ran.code).toBe(0);
    for (const name of ['hdfs-lost', 'breaker', 'controller-slow', 'quiet', 'night'])
      expect(ran.stdout).toMatch(new RegExp(`^${name} `, 'm'));
  });
});
