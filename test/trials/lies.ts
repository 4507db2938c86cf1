import { TARGETS, type Cluster } from './cluster.ts';
import {
  isDrainedBy,
  judgeDrain,
  judgeLocks,
  judgeTold,
  reachedOf,
  startDrain,
  type Drain,
} from './drains.ts';
import type { Kind } from './kind.ts';
import { isTooBusy, saidOf } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import type { Lie } from './scontrol.ts';

const LIES: readonly [Lie, Lie, Lie] = ['nothing', 'denies', 'stale'];

const words: Readonly<Record<Lie, string>> = {
  nothing: 'scontrol exits 0 and has changed nothing',
  denies: 'scontrol does it and exits 1 in another language',
  stale: 'what is read back is older than the change',
};

/** A tool that does not do what it says, and a reading that is older than the change. */
export const lies: Kind<Cluster> = {
  name: 'lie',
  about: 'a tool that lies: success without effect, effect without success, a reading from before',
  short: 3,
  long: 12,
  try: async (cluster, seed) => {
    const lie = inTurn(LIES, seed);
    const drain: Drain = {
      node: chanceOf(seed).pick(TARGETS),
      reason: `lie ${seed}`,
      home: cluster.newHome(),
    };
    cluster.scontrol.lie(lie);
    drain.claim = await startDrain(drain).ended;
    if (isTooBusy(drain.claim)) return { what: words[lie], broke: [], untried: saidOf(drain.claim) };
    const { outcome } = drain.claim.said ?? {};
    const broke = [
      ...judgeDrain(cluster, drain),
      ...judgeLocks(cluster, drain),
      ...judgeTold(cluster, drain),
    ];
    if (reachedOf(cluster, drain).length === 0)
      broke.push(`nothing was sent, so nothing was tried: ${saidOf(drain.claim)}`);
    if (outcome === 'nothing') broke.push('says nothing to do, though a command was sent');
    if (!isDrainedBy(cluster, drain) && drain.claim.code === 0) broke.push('exit 0, and nothing was done');
    return { what: `${words[lie]}, ${drain.node}: ${outcome ?? 'killed'}`, broke };
  },
};
