import { TARGETS, type Cluster } from './cluster.ts';
import { isDrainedBy, judgeDrain, judgeLocks, judgeTold, startDrain, type Drain } from './drains.ts';
import { openRuns } from './journal.ts';
import { watchStep } from './kills.ts';
import { pause, type Kind } from './kind.ts';
import { isTooBusy, saidOf } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import { settle } from './settle.ts';

/** Where slurmctld stops; `begin`: before the program is started. */
const STEPS = ['send', 'verify', 'intent', 'effect', 'lock', 'result', 'begin'] as const;

/** How long it hangs: shorter than Slurm's own commands wait for it, longer, or until the program has ended. */
const LENGTHS = ['short', 'long', 'whole'] as const;

interface Hang {
  step: (typeof STEPS)[number];
  length: (typeof LENGTHS)[number];
}

/** SIGSTOP at the step, SIGCONT after the length; gives the drain with its claim. */
const hangDuring = async (
  cluster: Cluster,
  drain: Drain,
  { step, length }: Hang,
): Promise<{ there: boolean; untried?: string }> => {
  const watched = step === 'begin' ? undefined : watchStep(cluster, drain, step);
  if (step === 'begin') cluster.freeze();
  const started = startDrain(drain);
  const there = watched === undefined || (await watched.reach(started));
  cluster.freeze();
  watched?.open();
  const hangMs = { short: 0.4, long: 1.6, whole: undefined }[length];
  if (hangMs !== undefined) {
    await pause(cluster.messageTimeoutMs * hangMs);
    cluster.thaw();
  }
  drain.claim = await started.ended;
  cluster.thaw();
  await cluster.scontrol.settled();
  await cluster.isBack();
  // What was queued while it hung is carried out now: before that nobody can say what is true.
  await pause(2_000);
  return there || !isTooBusy(drain.claim) ? { there } : { there, untried: saidOf(drain.claim) };
};

/** slurmctld stops at a step and goes on. */
export const stopped: Kind<Cluster> = {
  name: 'stopped',
  about: 'slurmctld stopped at every step, for a short while, a long one, or until the program has ended',
  short: 2,
  long: 21,
  try: async (cluster, seed) => {
    const hang: Hang = {
      step: inTurn(STEPS, seed),
      length: LENGTHS[Math.floor((seed - 1) / STEPS.length + seed) % 3] ?? 'long',
    };
    const drain: Drain = {
      node: chanceOf(seed).pick(TARGETS),
      reason: `stopped ${seed}`,
      home: cluster.newHome(),
    };
    const { there, untried } = await hangDuring(cluster, drain, hang);
    const { claim } = drain;
    const what = `slurmctld stopped at the ${hang.step} (${hang.length}), ${drain.node}: ${claim?.said?.outcome ?? 'killed'}`;
    if (untried !== undefined) return { what, broke: [], untried };
    if (!there && hang.step !== 'result') return { what, broke: ['the step was never seen'] };
    const broke = [
      ...judgeDrain(cluster, drain),
      ...judgeLocks(cluster, drain),
      ...judgeTold(cluster, drain),
    ];
    if (openRuns(drain.home.state).length > 0) broke.push(...(await settle(cluster, drain)));
    return { what, broke };
  },
};

/** It stops when the command arrives and goes on after the program has ended: nobody can know, and somebody must look again. */
export const hung: Kind<Cluster> = {
  name: 'hung',
  about: 'slurmctld hangs longer than MessageTimeout and carries the command out later',
  short: 2,
  long: 20,
  try: async (cluster, seed) => {
    const looker = inTurn(['act', 'console'], seed);
    const drain: Drain = {
      node: chanceOf(seed).pick(TARGETS),
      reason: `hung ${seed}`,
      home: cluster.newHome(),
    };
    const { there, untried } = await hangDuring(cluster, drain, { step: 'send', length: 'whole' });
    const { claim } = drain;
    const took = isDrainedBy(cluster, drain);
    const what = `${drain.node}, ${took ? 'carried out later' : 'never carried out'}, then looked at by ${looker}: ${claim?.said?.outcome ?? 'killed'}`;
    if (untried !== undefined) return { what, broke: [], untried };
    if (!there) return { what, broke: ['the step was never seen'] };
    const broke = [...judgeDrain(cluster, drain), ...judgeTold(cluster, drain)];
    if (claim?.code !== 6) broke.push(`exit ${claim?.code} where 6 is right`);
    broke.push(...(await settle(cluster, drain, looker)));
    return { what, broke };
  },
};
