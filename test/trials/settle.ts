import { openTerminal } from '../smoke/terminal.ts';
import type { Cluster } from './cluster.ts';
import { isDrainedBy, type Drain } from './drains.ts';
import { chainFault, openRuns, toldRuns } from './journal.ts';
import { isTooBusy, PROGRAM, saidOf, start, type Claim } from './program.ts';

/** Who looks at what was left open. */
export type Looker = 'act' | 'console';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How long a machine that is busy may take beyond what the audit log itself says a run may go on. */
const SLACK_MS = 120_000;

/** Refused because what was sent may go on, or because of its lock: that ends by itself. */
const isToWaitFor = ({ said }: Claim): boolean => /^1[0125]\b/.test(said?.refused?.guard ?? '');

const patienceOf = (state: string): number =>
  SLACK_MS + Math.max(0, ...openRuns(state).map(({ intent }) => intent.detail.boundMs ?? 0));

/** Opens a console and lets it look until nothing is open any more. */
const byConsole = async ({ home }: Drain): Promise<string[]> => {
  const screen = openTerminal([PROGRAM], home.env);
  const until = performance.now() + patienceOf(home.state);
  while (openRuns(home.state).length > 0 && performance.now() < until) await pause(500);
  screen.kill();
  await screen.ended;
  return openRuns(home.state).length > 0 ? ['a console did not look at what was left open'] : [];
};

/**
 * The next thing an operator does after an act that was killed, or whose outcome is not known: undo it where it took effect, do it
 * again where it did not. It must come through as soon as what was sent can no longer go on, and the audit log must then say what
 * became of the first.
 */
export const settle = async (cluster: Cluster, drain: Drain, looker: Looker = 'act'): Promise<string[]> => {
  const broke: string[] = [];
  const { home, node } = drain;
  await cluster.scontrol.settled();
  const stands = isDrainedBy(cluster, drain);
  const left = openRuns(home.state);
  const until = performance.now() + patienceOf(home.state);
  if (looker === 'console') broke.push(...(await byConsole(drain)));
  const first = toldRuns(home.state).find(({ action }) => action === 'slurm.drain');
  const before = cluster.scontrol.changes().length;
  let claim: Claim;
  do {
    const words =
      stands && first
        ? ['act', `undo:${first.run}`, node]
        : ['act', 'slurm.drain', node, '--reason', `${drain.reason} again`];
    claim = await start([...words, '--confirm', 'y', '--json'], { env: home.env }).ended;
    if (!isToWaitFor(claim) && !isTooBusy(claim)) break;
    await pause(2_000);
  } while (performance.now() < until);
  const text = saidOf(claim);
  if (claim.code !== 0) broke.push(`the next act does not come through: exit ${claim.code}, ${text}`);
  else if (cluster.scontrol.changes().length !== before + 1)
    broke.push(`the next act sent ${cluster.scontrol.changes().length - before} commands`);
  if (claim.code === 0 && cluster.truth(node).drained === stands)
    broke.push(`the next act says ${claim.said?.outcome}, and the node is as it was`);
  for (const { run } of left) {
    const told = toldRuns(home.state).find((one) => one.run === run);
    const is = told?.outcome ?? 'nothing';
    if (is === 'unknown' || is === 'nothing')
      broke.push(`the open run ${run} was forgotten: its log says ${is}`);
    else if (stands !== (is === 'done'))
      broke.push(
        `the open run was recorded as ${is} (${told?.text}), but it had ${stands ? '' : 'not '}taken effect`,
      );
  }
  const chain = chainFault(home.state);
  if (chain !== undefined) broke.push(`the audit log is not whole: ${chain}`);
  const verified = await start(['audit', 'verify'], { env: home.env }).ended;
  if (verified.code !== 0)
    broke.push(`audit verify exits ${verified.code}: ${verified.text.trim().slice(0, 200)}`);
  const locks = cluster.locks();
  if (locks.length > 0) broke.push(`locks left behind: ${locks.join(', ')}`);
  return broke;
};
