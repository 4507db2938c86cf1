import type { Cluster } from './cluster.ts';
import { chainFault, entriesOf, openRuns, toldRuns } from './journal.ts';
import { saidOf, start, type Claim, type Started } from './program.ts';
import type { Reached } from './scontrol.ts';

/** One operator who drains a node with a reason that nobody else gives, and what he was told. */
export interface Drain {
  node: string;
  reason: string;
  home: ReturnType<Cluster['newHome']>;
  /** Absent while it runs. */
  claim?: Claim;
}

interface DrainOptions {
  site?: string;
  within?: readonly string[];
  set?: readonly string[];
}

export const startDrain = (
  { node, reason, home }: Drain,
  { site, within, set = [] }: DrainOptions = {},
): Started =>
  start(
    [
      'act',
      'slurm.drain',
      node,
      '--reason',
      reason,
      ...set.flatMap((one) => ['--set', one]),
      '--confirm',
      'y',
      '--json',
    ],
    { env: { ...home.env, ...(site !== undefined && { FAULTLINE_SITE: site }) }, ...(within && { within }) },
  );

/** The commands of this operator that reached the controller. */
export const reachedOf = (cluster: Cluster, { reason }: Drain): Reached[] =>
  cluster.scontrol.changes().filter(({ argv }) => argv.some((word) => word.endsWith(`: ${reason}`)));

export const isDrainedBy = (cluster: Cluster, { node, reason }: Drain): boolean => {
  const { drained, reason: stands } = cluster.truth(node);
  return drained && stands.endsWith(`: ${reason}`);
};

const CODES: Readonly<Record<string, number>> = {
  done: 0,
  nothing: 0,
  shown: 0,
  refused: 4,
  failed: 5,
  undone: 5,
  unknown: 6,
};

/**
 * What the program said against what the machine says, after everything that reached the machine has ended there. `late`: somebody
 * else may have changed the node since, so what stands there now is not held against it.
 */
export const judgeDrain = (cluster: Cluster, drain: Drain, late = false): string[] => {
  const broke: string[] = [];
  const reached = reachedOf(cluster, drain);
  const stands = isDrainedBy(cluster, drain);
  const { claim, home } = drain;
  if (reached.length > 1) broke.push(`sent ${reached.length} times`);
  const told = toldRuns(home.state).find(
    ({ action, intent }) => action === 'slurm.drain' && JSON.stringify(intent.detail).includes(drain.reason),
  );
  if (reached.length > 0 && told === undefined) broke.push('sent without an intent in the audit log');
  const chain = chainFault(home.state);
  if (chain !== undefined) broke.push(`the audit log is not whole: ${chain}`);
  if (claim === undefined || claim.code === null) return broke;
  const { said, code } = claim;
  if (said === undefined) return [...broke, `exit ${code} and no document: ${saidOf(claim)}`];
  const { outcome } = said;
  const text = saidOf(claim);
  if (CODES[outcome] !== code) broke.push(`says ${outcome} and exits ${code}`);
  const took = reached.some(({ exit }) => exit === 0);
  if (outcome === 'done' && reached.length === 0) broke.push('says done and sent nothing');
  if (outcome === 'done' && !late && !stands)
    broke.push(`says done, but the node is not drained by it (${text})`);
  if ((outcome === 'refused' || outcome === 'nothing') && (took || stands))
    broke.push(`says ${outcome}, but its command took effect (${text})`);
  if (outcome === 'refused' && reached.length > 0)
    broke.push(`says refused, but its command reached the host (${text})`);
  if (outcome === 'failed' && stands) broke.push(`says failed, but the node is drained by it (${text})`);
  if (told !== undefined && (told.outcome ?? 'unknown') !== outcome)
    broke.push(`says ${outcome}, its audit log says ${told.outcome ?? 'nothing'}`);
  return broke;
};

/** No lock is left where no run is open; one that could not be released is told, to the operator and in the log. */
export const judgeLocks = (cluster: Cluster, ...drains: readonly Drain[]): string[] => {
  const left = cluster.locks();
  if (left.length === 0 || drains.some(({ home }) => openRuns(home.state).length > 0)) return [];
  const isToldIn = (text: string): boolean => /\block\b/i.test(text);
  const afterwards = drains.flatMap(({ home }) =>
    entriesOf(home.state).filter(({ kind }) => kind !== 'intent'),
  );
  return [
    ...(drains.some(({ claim }) => isToldIn(claim?.text ?? ''))
      ? []
      : [`left behind, and the operator was not told: ${left.join(', ')}`]),
    ...(afterwards.some(({ detail }) => isToldIn(JSON.stringify(detail)))
      ? []
      : [`left behind, and the audit log says nothing of it: ${left.join(', ')}`]),
  ];
};

/** The line for colleagues stands where it was done, and is taken back where it was not. */
export const judgeTold = (cluster: Cluster, drain: Drain): string[] => {
  const { run } = drain.claim?.said ?? {};
  if (run === undefined) return [];
  const lines = cluster.told().filter((line) => line.includes(`"${run.id}"`));
  if (lines.length === 0) return [];
  const stands = isDrainedBy(cluster, drain);
  const taken = lines.at(-1)?.includes('"none":true') === true;
  return stands && taken ? ['it was done, and colleagues were told that nothing came of it'] : [];
};
