import { signal } from '../lab/processes.ts';
import { ADMIN } from '../lab/folder.ts';
import { signalSshd } from '../lab/sshd.ts';
import { TARGETS, type Cluster } from './cluster.ts';
import { judgeDrain, judgeLocks, judgeTold, reachedOf, startDrain, type Drain } from './drains.ts';
import { entriesOf, openRuns } from './journal.ts';
import { watchStep } from './kills.ts';
import { pause, type Kind } from './kind.ts';
import { isTooBusy, saidOf } from './program.ts';
import { chanceOf, inTurn } from './random.ts';
import { settle } from './settle.ts';

/** What happens to the shared folder, as its host sees it. */
const FAULTS = ['deleted', 'full', 'read-only', 'gone', 'hung', 'a file'] as const;
type Fault = (typeof FAULTS)[number];

/** Before the program starts; when it has its lock, with the program stopped; when its command has arrived. */
const MOMENTS = ['before', 'at the lock', 'at the send'] as const;

const LINES: Readonly<Partial<Record<Fault, string>>> = {
  deleted: 'rm -rf "$1"',
  full: 'd=$(mktemp -d); cp -a "$1/." "$d"; mount -t tmpfs -o size=256k,mode=2775 tmpfs "$1"; cp -a "$d/." "$1"; cat /dev/zero >"$1/ballast" 2>/dev/null || true',
  'read-only': 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"',
  'a file': 'rm -rf "$1"; : >"$1"',
};

const apply = async (cluster: Cluster, fault: Fault): Promise<void> => {
  const lines = LINES[fault];
  if (lines !== undefined) cluster.breakShared(lines);
  else if (fault === 'hung') signalSshd(cluster.folder, ADMIN, 'SIGSTOP');
  else await cluster.stopAdmin();
};

/** The fault ends; what lies in the folder stays. */
const mend = async (cluster: Cluster, fault: Fault): Promise<void> => {
  if (fault === 'gone') await cluster.startAdmin();
  else if (fault === 'hung') signalSshd(cluster.folder, ADMIN, 'SIGCONT');
  else if (fault === 'full') cluster.breakShared('rm -f "$1/ballast"');
  else if (fault === 'read-only') cluster.breakShared('umount -l "$1"');
  else await cluster.mendShared();
};

/** The shared folder goes away before or during an act. */
export const sharedFolder: Kind<Cluster> = {
  name: 'shared',
  about: 'the shared folder deleted, full, read-only, gone, hung or a file, before and during an act',
  short: 4,
  long: 60,
  try: async (cluster, seed) => {
    const fault = inTurn(FAULTS, seed);
    const moment = MOMENTS[(seed + Math.floor((seed - 1) / FAULTS.length)) % MOMENTS.length] ?? 'before';
    const drain: Drain = {
      node: chanceOf(seed).pick(TARGETS),
      reason: `shared ${seed}`,
      home: cluster.newHome(),
    };
    const broke: string[] = [];
    if (moment === 'before') {
      await apply(cluster, fault);
      drain.claim = await startDrain(drain).ended;
    } else {
      const watched = watchStep(cluster, drain, moment === 'at the lock' ? 'lock' : 'send');
      const started = startDrain(drain);
      const there = await watched.reach(started);
      // At the lock the program itself stands still, so that the fault comes before its next step.
      if (moment === 'at the lock') signal(started.pid, 'SIGSTOP');
      const sent = entriesOf(drain.home.state).some(({ kind }) => kind === 'intent');
      await apply(cluster, fault);
      signal(started.pid, 'SIGCONT');
      watched.open();
      drain.claim = await started.ended;
      if (!there) broke.push('the step was never seen');
      const noLock = fault === 'deleted' || fault === 'a file' || fault === 'gone' || fault === 'hung';
      if (moment === 'at the lock' && !sent && noLock && reachedOf(cluster, drain).length > 0)
        broke.push('its lock was lost or could not be read before it sent, and it sent');
    }
    await cluster.scontrol.settled();
    const { claim } = drain;
    const said = saidOf(claim);
    const what = `${fault} ${moment}, ${drain.node}: ${claim.said?.outcome ?? 'killed'}, ${said.slice(0, 160)}`;
    broke.push(...judgeDrain(cluster, drain), ...judgeLocks(cluster, drain), ...judgeWords(fault, said));
    await mend(cluster, fault);
    broke.push(...judgeTold(cluster, drain));
    await pause(500);
    const first = openRuns(drain.home.state).length > 0 || claim.said?.outcome !== 'refused';
    broke.push(...(first ? await settle(cluster, drain) : await tryAgain(cluster, drain)));
    return { what, broke };
  },
};

/** A host that answers is not said not to answer. */
const judgeWords = (fault: Fault, said: string): string[] =>
  fault !== 'gone' && fault !== 'hung' && /(does|did) not answer/.test(said)
    ? [`the host answers, and it says: ${said.slice(0, 200)}`]
    : [];

/** What was refused goes through once the fault is over. */
const tryAgain = async (cluster: Cluster, drain: Drain): Promise<string[]> => {
  const again: Drain = { ...drain, reason: `${drain.reason} again` };
  again.claim = await startDrain(again).ended;
  for (let tries = 1; tries < 4 && isTooBusy(again.claim); tries++)
    again.claim = await startDrain(again).ended;
  if (again.claim.code === 0) return judgeDrain(cluster, again);
  return [
    `with the folder back the act does not come through: exit ${again.claim.code}, ${saidOf(again.claim)}`,
  ];
};
