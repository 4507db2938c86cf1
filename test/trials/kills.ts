import { existsSync } from 'node:fs';
import type { Cluster } from './cluster.ts';
import { TARGETS } from './cluster.ts';
import { isDrainedBy, judgeDrain, reachedOf, startDrain, type Drain } from './drains.ts';
import { entriesOf } from './journal.ts';
import { pause, type Kind } from './kind.ts';
import { isTooBusy, saidOf, type Started } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import { settle } from './settle.ts';

/** The steps of an act that is not held. */
export const STEPS = ['lock', 'intent', 'send', 'effect', 'verify', 'result', 'release'] as const;
export type Step = (typeof STEPS)[number];

/** The program is killed at the latest here if the step was never seen. */
const LIMIT_MS = 120_000;

const holdsAt: Readonly<Partial<Record<Step, 'before' | 'after'>>> = {
  send: 'before',
  effect: 'after',
  verify: 'after',
};

/** To be called before the program is started: `reach` resolves when it is at the step, `open` lets the host go on. */
export const watchStep = (
  cluster: Cluster,
  { home }: Drain,
  step: Step,
): { reach(started: Started): Promise<boolean>; open(): void } => {
  const { scontrol } = cluster;
  const gate = holdsAt[step];
  if (gate !== undefined) scontrol.close(gate);
  let locked = false;
  let answered = false;
  const isThere = (): boolean => {
    if (step === 'lock') return cluster.locks().length > 0;
    if (step === 'intent' || step === 'result')
      return existsSync(home.state) && entriesOf(home.state).some(({ kind }) => kind === step);
    if (step === 'release') {
      locked ||= cluster.locks().length > 0;
      return locked && cluster.locks().length === 0;
    }
    if (step !== 'verify') return scontrol.waitsAt(gate ?? 'before');
    if (!answered && scontrol.waitsAt('after')) {
      answered = true;
      scontrol.forgetShown();
      scontrol.open('after');
    }
    return answered && scontrol.wasShown();
  };
  return {
    reach: async (started) => {
      const until = performance.now() + LIMIT_MS;
      while (!isThere()) {
        if (!started.running() || performance.now() > until) return false;
        await pause(1);
      }
      return true;
    },
    open: () => {
      if (gate !== undefined) scontrol.open(gate);
    },
  };
};

/** SIGKILL at a step; then a colleague, then the next act or console of the same operator. */
export const kills: Kind<Cluster> = {
  name: 'kill',
  about: 'SIGKILL at every step of an act',
  short: 7,
  long: 100,
  try: async (cluster, seed) => {
    const chance = chanceOf(seed);
    const step = inTurn(STEPS, seed);
    const node = chance.pick(TARGETS);
    const looker = seed % 3 === 0 ? 'console' : 'act';
    const drain: Drain = { node, reason: `kill ${seed}`, home: cluster.newHome() };
    const watched = watchStep(cluster, drain, step);
    const started = startDrain(drain);
    const there = await watched.reach(started);
    started.kill();
    const claim = await started.ended;
    await pause(chance.whole(0, 1_500));
    watched.open();
    // The last steps take a few milliseconds: on a busy machine the program may end between two looks. It was right all the same.
    const late = !there && claim.code === 0 && (step === 'result' || step === 'release');
    if (late) drain.claim = claim;
    const what =
      `${late ? 'ended before it was' : ''} killed at the ${step}, ${node}, then looked at by ${looker}`.trim();
    if (!there && isTooBusy(claim)) return { what, broke: [], untried: saidOf(claim) };
    if (!there && !late) return { what, broke: [`the step was never seen: ${saidOf(claim)}`] };
    await cluster.scontrol.settled();
    const broke = judgeDrain(cluster, drain);
    broke.push(...(await judgeColleague(cluster, drain)), ...(await settle(cluster, drain, looker)));
    return { what, broke };
  },
};

/**
 * A colleague on another machine cannot know what the killed one did: while its lock lies there he is refused, and sends nothing.
 */
const judgeColleague = async (cluster: Cluster, first: Drain): Promise<string[]> => {
  if (cluster.locks().length === 0 || isDrainedBy(cluster, first)) return [];
  const colleague: Drain = {
    node: first.node,
    reason: `${first.reason} colleague`,
    home: cluster.newHome('colleague'),
  };
  const within = ['unshare', '--uts', 'sh', '-c', 'hostname adm9; exec "$@"', 'sh'];
  const started = startDrain(colleague, { within });
  colleague.claim = await started.ended;
  const broke = judgeDrain(cluster, colleague).map((text) => `a colleague: ${text}`);
  if (reachedOf(cluster, colleague).length > 0)
    broke.push('a colleague acted under the lock of the killed one');
  return broke;
};
