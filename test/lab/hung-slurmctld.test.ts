import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODES, places } from './folder.ts';
import { auditLog, openLab, type OpenLab } from './open.ts';
import { end, until } from './processes.ts';
import { freeze, nodeState, pidFileOf, slurm, startController, thaw } from './slurm.ts';

/** Two of each by default; by hand `FAULTLINE_LAB_HANGS=20`. */
const RUNS = Number(process.env['FAULTLINE_LAB_HANGS'] ?? 2);
const isLong = RUNS > 2;
/** scontrol gives up after this long, s. */
const PATIENCE_S = 3;

interface Line {
  kind: string;
  run?: string;
  target?: string;
  outcome?: string;
  detail: Record<string, unknown>;
}

describe('slurmctld hangs for longer than scontrol waits', () => {
  let lab: OpenLab;
  beforeAll(async () => {
    lab = await openLab();
    appendFileSync(places(lab.folder).slurmConf, `MessageTimeout=${PATIENCE_S}\n`);
    slurm(lab.folder, 'scontrol', 'reconfigure');
    await until('slurmctld has read its patience', () =>
      /MessageTimeout +=\s*3 sec/.test(slurm(lab.folder, 'scontrol', 'show', 'config')),
    );
  });
  afterAll(async () => {
    thaw(lab.folder, 'slurmctld');
    await lab.close();
  });

  /** Of the small partition none may go: guard 6. */
  const nodeOf = (turn: number): string => NODES[turn % 4] ?? '';
  const log = (): Line[] => {
    const file = auditLog(lab);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    // The last piece is what a writer may be at.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Line);
  };
  const intents = (): Line[] => log().filter(({ kind }) => kind === 'intent');
  const isDrained = (node: string): boolean => nodeState(lab.folder, node).startsWith('drain');
  const drain = (node: string) =>
    lab.program('act', 'slurm.drain', node, '--reason', 'lab', '--confirm', 'y');

  /** Drains a node and stops slurmctld so long after the intent was written: the command is on its way by then, or soon. */
  const hung = async (node: string, afterMs: number) => {
    const before = intents().length;
    let over = false;
    const ended = drain(node).finally(() => (over = true));
    await until('the intent', () => over || intents().length > before, 120_000);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    freeze(lab.folder, 'slurmctld');
    const { code, stdout, stderr } = await ended;
    const run = intents().at(-1)?.run ?? '';
    return { code, run, said: stdout + stderr };
  };
  const goOn = async (): Promise<void> => {
    thaw(lab.folder, 'slurmctld');
    await until('slurmctld answers', () => nodeState(lab.folder, 'node1') !== '');
  };
  const recorded = (run: string): string[] =>
    log().flatMap((line) =>
      line.run === run && line.outcome !== undefined ? [`${line.kind} ${line.outcome}`] : [],
    );

  it.each(Array.from({ length: RUNS }, (_, turn) => turn))(
    'stopped before the command is sent (%i): unknown, looked at again by the next act, undone',
    { timeout: 240_000 },
    async (turn) => {
      const node = nodeOf(turn);
      const { code, run, said } = await hung(node, 0);
      expect(code, said).toBe(6);
      expect(said).toMatch(/Socket timed out on send\/recv operation/);
      expect(recorded(run)).toEqual(['result unknown']);
      await goOn();
      await until(`${node} is drained all the same`, () => isDrained(node));
      if (turn % 2 === 0) {
        // Any act looks at it, also one on another node.
        await lab.program('act', 'slurm.drain', nodeOf(turn + 1), '--reason', 'x', '--dry-run');
        await until('what became of it is written down', () => recorded(run).length === 2);
      }
      const undone = await lab.program('act', `undo:${run}`, '--confirm', 'y');
      expect(undone.code, undone.stdout + undone.stderr).toBe(0);
      expect(recorded(run)).toEqual(['result unknown', 'recovered done']);
      await until(`${node} is back`, () => nodeState(lab.folder, node) === 'idle');
    },
  );

  it('stopped before the guards read: refused, nothing was sent', { timeout: 120_000 }, async () => {
    const before = log().length;
    freeze(lab.folder, 'slurmctld');
    const { code, stdout, stderr } = await drain('node4');
    await goOn();
    expect(code, stdout + stderr).toBe(4);
    expect(
      log()
        .slice(before)
        .map(({ kind }) => kind),
    ).not.toContain('intent');
    expect(isDrained('node4')).toBe(false);
  });

  it.runIf(isLong).each(Array.from({ length: RUNS }, (_, turn) => turn))(
    'stopped at any moment of the command (%i): what is said agrees with the machine in the end',
    { timeout: 240_000 },
    async (turn) => {
      const node = nodeOf(turn);
      const { code, run, said } = await hung(node, turn * 10);
      await goOn();
      expect([0, 6], said).toContain(code);
      await until(`${node} is drained`, () => isDrained(node));
      const undone = await lab.program('act', `undo:${run}`, '--confirm', 'y');
      expect(undone.code, undone.stdout + undone.stderr).toBe(0);
      expect(recorded(run).at(-1)).toBe(code === 0 ? 'result done' : 'recovered done');
      await until(`${node} is back`, () => nodeState(lab.folder, node) === 'idle');
    },
  );

  it.runIf(isLong)(
    'what was lost with slurmctld is failed, and may be done again',
    { timeout: 300_000 },
    async () => {
      const { code, run } = await hung('node3', 0);
      expect(code).toBe(6);
      // KILL, or it would work off its queue: `end` lets it go on first.
      process.kill(Number(readFileSync(pidFileOf(lab.folder, 'slurmctld'), 'utf8')), 'SIGKILL');
      await end(pidFileOf(lab.folder, 'slurmctld'));
      await startController(lab.folder);
      await until('slurmctld answers', () => nodeState(lab.folder, 'node3') === 'idle');
      const again = await drain('node3');
      expect(again.code, again.stdout + again.stderr).toBe(0);
      expect(recorded(run)).toEqual(['result unknown', 'recovered failed']);
    },
  );
});
