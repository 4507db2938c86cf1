import { signal } from '../lab/processes.ts';
import { signalSshd } from '../lab/sshd.ts';
import { ADMIN } from '../lab/folder.ts';
import { TARGETS, type Cluster } from './cluster.ts';
import { judgeDrain, judgeLocks, reachedOf, startDrain, type Drain } from './drains.ts';
import { pause, type Kind } from './kind.ts';
import { isTooBusy, saidOf } from './program.ts';
import { chanceOf, inTurn } from './random.ts';

/** Where they meet: nowhere in particular; all wait for the lock at once; one is in the middle of sending. */
const MEETINGS = ['free', 'at the lock', 'at the send'] as const;

/** Two or three operators on machines of their own drain at once: the same node, or nodes of one partition of which one may go. */
export const races: Kind<Cluster> = {
  name: 'race',
  about: 'two or three operators at once',
  short: 4,
  long: 60,
  try: async (cluster, seed) => {
    const chance = chanceOf(seed);
    const meeting = inTurn(MEETINGS, seed);
    const many = chance.pick([2, 3]);
    const same = chance.share() < 0.6;
    const first = chance.whole(0, TARGETS.length - 1);
    const node = (index: number): string =>
      TARGETS[(first + (same ? 0 : index)) % TARGETS.length] ?? TARGETS[0];
    const drains = Array.from({ length: many }, (_, index): Drain => ({
      node: node(index),
      reason: `race ${seed} ${index}`,
      home: cluster.newHome(`op${index}`),
    }));
    if (meeting === 'at the send') cluster.scontrol.close('before');
    const started = [];
    for (const [index, drain] of drains.entries()) {
      const within = ['unshare', '--uts', 'sh', '-c', `hostname adm${index + 1}; exec "$@"`, 'sh'];
      started.push(startDrain(drain, { within }));
      await pause(chance.whole(0, meeting === 'free' ? 400 : 40));
    }
    if (meeting === 'at the lock') await meetAtLock(cluster, chance.whole(1_500, 3_000));
    if (meeting === 'at the send') {
      const until = performance.now() + 60_000;
      while (
        !cluster.scontrol.waitsAt('before') &&
        started.some((one) => one.running()) &&
        performance.now() < until
      )
        await pause(5);
      await pause(chance.whole(500, 3_000));
      cluster.scontrol.open('before');
    }
    for (const [index, one] of started.entries()) {
      const drain = drains[index];
      if (drain) drain.claim = await one.ended;
    }
    await cluster.scontrol.settled();
    const outcomes = drains.map(({ claim }) => claim?.said?.outcome ?? 'killed');
    const reasons = drains.flatMap(({ claim }) => (claim ? [saidOf(claim)] : []));
    const what = `${many} operators, ${same ? 'one node' : 'a node each'}, meeting ${meeting}: ${outcomes.join(', ')}`;
    const busy = drains.flatMap(({ claim }) => (claim && isTooBusy(claim) ? [saidOf(claim)] : []));
    if (busy.length > 0 && !outcomes.includes('done')) return { what, broke: [], untried: busy[0] ?? '' };
    return { what, broke: [...judgeRace(cluster, drains, same, reasons), ...judgeLocks(cluster, ...drains)] };
  },
};

/** Nobody gets an answer from the shared folder for a while: all stand at the lock when it comes. */
const meetAtLock = async (cluster: Cluster, afterMs: number): Promise<void> => {
  await pause(afterMs);
  signalSshd(cluster.folder, ADMIN, 'SIGSTOP');
  await pause(2_500);
  signalSshd(cluster.folder, ADMIN, 'SIGCONT');
  signal(cluster.admin(), 'SIGCONT');
};

const judgeRace = (
  cluster: Cluster,
  drains: readonly Drain[],
  same: boolean,
  reasons: readonly string[],
): string[] => {
  const broke = drains.flatMap((drain, index) =>
    judgeDrain(cluster, drain, same).map((text) => `operator ${index + 1}: ${text}`),
  );
  const sent = drains.filter((drain) => reachedOf(cluster, drain).length > 0).length;
  if (sent > 1) broke.push(`${sent} operators sent their command where one may`);
  if (!drains.some(({ claim }) => claim?.said?.outcome === 'done'))
    broke.push(`none of them came through: ${reasons.join(' / ')}`);
  const out = TARGETS.filter((node) => cluster.truth(node).drained);
  if (out.length > 1) broke.push(`${out.join(' and ')} are drained, which is more than the site allows`);
  return broke;
};
