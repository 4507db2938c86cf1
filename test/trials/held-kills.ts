import { entriesOf, openRuns, toldRuns } from './journal.ts';
import { pause, type Kind } from './kind.ts';
import { isTooBusy, saidOf, start } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import {
  happened,
  judgeShut,
  newShut,
  quiet,
  SHUTTABLE,
  shutLocks,
  startShut,
  type Shut,
} from './switch-shut.ts';
import { HOLD_S, type SwitchWorld } from './switch-world.ts';

/** Steps of a held change as the audit log tells them, and the time in between. */
const STEPS = ['changed', 'armed', 'held', 'keep', 'intent', 'kept', 'restore', 'change'] as const;
type Step = (typeof STEPS)[number];

const LIMIT_MS = 150_000;
const SLACK_MS = 120_000;

const isAt = ({ home }: Shut, step: Step): boolean =>
  entriesOf(home.state).some(({ kind, detail }) =>
    step === 'intent' ? kind === 'intent' : detail.phase === step,
  );

const reach = async (shut: Shut, step: Step, running: () => boolean, heldMs: number): Promise<boolean> => {
  const until = performance.now() + LIMIT_MS;
  const sought = step === 'held' ? 'changed' : step;
  while (!isAt(shut, sought)) {
    if (!running() || performance.now() > until) return false;
    await pause(2);
  }
  if (step === 'held') await pause(heldMs);
  return running();
};

/** SIGKILL while a change is held: what was armed brings the port back, and nobody else acts on the LAG before. */
export const heldKills: Kind<SwitchWorld> = {
  name: 'held-kill',
  about: 'SIGKILL at every step of a held change: the armed undo brings the port back',
  short: 3,
  long: 30,
  lane: (seed) => inTurn(SHUTTABLE, seed).device,
  try: async (world, seed) => {
    const at = inTurn(SHUTTABLE, seed);
    const step = STEPS[(seed - 1 + Math.floor((seed - 1) / SHUTTABLE.length)) % STEPS.length] ?? 'changed';
    await quiet(world, at);
    const shut = await newShut(world, at);
    const keep = step === 'keep' || step === 'kept';
    const started = startShut(shut, ...(keep ? ['--keep-if-verified'] : []));
    const there = await reach(shut, step, started.running, chanceOf(seed).whole(500, 5_000));
    started.kill();
    const killed = await started.ended;
    const what = `${at.target} killed at "${step}"`;
    if (!there && isTooBusy(killed)) return { what, broke: [], untried: saidOf(killed) };
    if (!there) return { what, broke: [`the step was never seen: ${saidOf(killed)}`] };
    const broke = await judgeColleague(world, shut);
    await whenOver(world, shut, keep);
    broke.push(...(await judgeShut(world, shut)));
    const up = await world.isUp(at.device, at.port);
    if (!up && !keep) broke.push(`the port is still shut ${HOLD_S} s and more after it`);
    broke.push(...(await judgeRecovery(world, shut)));
    return { what: `${what}: ${up ? 'restored' : 'kept'}`, broke };
  },
};

/** Until what was armed must have done its work; a change that was to be kept may stay. */
const whenOver = async (world: SwitchWorld, { at }: Shut, keep: boolean): Promise<void> => {
  await pause(HOLD_S * 1_000);
  const until = performance.now() + SLACK_MS;
  const isOver = async (): Promise<boolean> => keep || (await world.isUp(at.device, at.port));
  while (!(await isOver()) && performance.now() < until) await pause(2_000);
  await pause(5_000);
};

/** While the undo may still come nobody acts on the same LAG. */
const judgeColleague = async (world: SwitchWorld, first: Shut): Promise<string[]> => {
  const other = first.at.others[0] ?? '';
  const target = first.at.target.replace(first.at.port.replace(/^\D+/, ''), other.replace(/^\D+/, ''));
  const at = { ...first.at, port: other, target };
  const second: Shut = { ...(await newShut(world, at)), home: first.home };
  second.claim = await startShut(second).ended;
  const events = await happened(world, second);
  return events.length > 0 && !isSettledBefore(second)
    ? [`another port of the LAG was shut meanwhile: ${saidOf(second.claim)}`]
    : [];
};

/** What became of the first run was looked at and recorded before the last one began. */
const isSettledBefore = ({ home }: Shut): boolean => {
  const entries = entriesOf(home.state);
  const last = entries.findLastIndex(({ kind }) => kind === 'intent');
  const first = entries.find(({ kind }) => kind === 'intent')?.run;
  return entries.slice(0, last).some(({ run, outcome }) => run === first && outcome !== undefined);
};

/** The next act says what became of it, and its locks go. */
const judgeRecovery = async (world: SwitchWorld, shut: Shut): Promise<string[]> => {
  const { at, home } = shut;
  const broke: string[] = [];
  const left = openRuns(home.state).map(({ run }) => run);
  const until = performance.now() + SLACK_MS;
  while (openRuns(home.state).length > 0 && performance.now() < until) {
    await start(['act', 'switch.shut', at.target, '--dry-run', '--json'], { env: home.env }).ended;
    await pause(1_000);
  }
  const up = await world.isUp(at.device, at.port);
  const shutOnce = (await happened(world, shut)).includes('shutdown');
  for (const run of left) {
    const told = toldRuns(home.state).find((one) => one.run === run);
    const is = told?.outcome ?? 'nothing';
    if (is === 'unknown' || is === 'nothing')
      broke.push(`the open run ${run} was forgotten: its log says ${is}`);
    else if ((is === 'done') === up)
      broke.push(`it is recorded as ${is} (${told?.text}), and the port is ${up ? 'up' : 'down'}`);
    // What the log proves, or that it can't tell, is in the words.
    else if (is === 'undone' && !shutOnce && !/never changed/.test(told?.text ?? ''))
      broke.push(`it is recorded as undone (${told?.text}), and was never shut`);
  }
  const again: Shut = await newShut(world, at);
  const { code, said } = (again.claim = await startShut({ ...again, home }).ended);
  const guard = said?.refused?.guard ?? '';
  if (code === 4 && /^1[0125]\b/.test(guard))
    broke.push(`the next act does not come through: ${saidOf(again.claim)}`);
  const locks = await shutLocks(world, shut);
  if (locks.length > 0) broke.push(`locks left behind: ${locks.join(', ')}`);
  return broke;
};
