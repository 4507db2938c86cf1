import type { Guard, Plan, PlanTarget, Refusal, Reread, Settling, Step } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, passUnless, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { whyUnread } from '../../../src/kit/unread.ts';
import type { HeldLock } from '../judge/held-lock.ts';
import { locksOf } from '../judge/lock-state.ts';
import { findNotInCluster, findPeer, peersOf, findUnconnected, volumesOf } from '../judge/pool.ts';
import type { GlusterVolume } from '../readings.ts';
import { argvAsRoot, role } from '../settings.ts';
import { cliDeadlineMs, glusterRefusals, killRefusals } from './refusals.ts';

/** Names that gluster itself allows; a command line holds nothing else. */
const volumeName = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,254}$/;

export const volumeOf = (subject: Subject, judgement: Judgement): GlusterVolume | undefined =>
  subject.kind === 'volume' && volumeName.test(subject.id)
    ? volumesOf(judgement)?.volumes.find(({ name }) => name === subject.id)
    : undefined;

/** The lock of a volume now. */
export const lockNow = (volume: string, judgement: Judgement): HeldLock | undefined =>
  locksOf(judgement).find((lock) => lock.volume === volume && lock.type === 'vol');

/** These probes on every peer. */
export const rereadEverywhere = (judgement: Judgement, ...probes: string[]): Reread[] =>
  judgement.site.hostsWithRole(role).flatMap(({ name: host }) => probes.map((probe) => ({ probe, host })));

/** The same on peers that could be asked lately: what one host out of reach can't say must not stop the others. */
export const rereadsOf = (judgement: Judgement, ...probes: string[]): Reread[] =>
  peersOf(judgement)
    .filter(({ state }) => state !== 'unknown')
    .flatMap(({ host }) => probes.map((probe) => ({ probe, host })));

/** The peer on which commands for the whole pool are run: the first that answers. */
export const commandHost = (judgement: Judgement): string | undefined =>
  peersOf(judgement).find(({ state }) => state === 'up')?.host;

/** A probe that one peer is asked for all: the one on which commands are run. */
export const rereadOnce = (judgement: Judgement, probe: string): Reread[] => {
  const host = commandHost(judgement);
  return host === undefined ? [] : rereads(probe, host);
};

/** Why not all peers answer; undefined when they do. */
const peersProblem = (judgement: Judgement): string | undefined => {
  const bad = peersOf(judgement).find(({ state }) => state !== 'up');
  if (bad?.state === 'unknown')
    return `glusterd of ${bad.host} does not answer: ${whyUnread('gluster.peer', bad.source, judgement.now) ?? 'no reason given'}`;
  if (bad) return `glusterd of ${bad.host} is ${bad.state}`;
  const away = findUnconnected(judgement)[0];
  if (away) return `${away.from} does not see ${away.to}`;
  const out = findNotInCluster(judgement)[0];
  return out && `for ${out.from} ${out.to} is not in the cluster: ${out.state}`;
};

export const requirePeersAnswer = (judgement: Judgement): Guard => ({
  id: '3 peers',
  text: 'glusterd of every peer runs, answers and sees all others',
  reads: rereadEverywhere(judgement, 'gluster.peer'),
  absolute: true,
  check: (live) => passUnless(peersProblem(live), 'all answer'),
});

/** Guard 3: the lock that the plan is about is there, for the same owner and in the same state. */
export const sameLock = (
  lock: HeldLock,
  kinds: readonly HeldLock['kind'][],
  judgement: Judgement,
): Guard => ({
  id: '3 preconditions',
  text: `${lock.volume} is still locked for ${lock.ownerName}${kinds.length === 1 ? `, ${kinds[0]}` : ''}`,
  reads: rereadEverywhere(judgement, 'gluster.lock', 'gluster.peer'),
  absolute: true,
  check: (live) => {
    const now = lockNow(lock.volume ?? '', live);
    if (!now) return failGuard('no dump shows the lock now');
    if (now.owner !== lock.owner) return failGuard(`plan is stale: now it is locked for ${now.ownerName}`);
    return kinds.includes(now.kind)
      ? passGuard(`${now.kind}: ${now.reasons.join('; ')}`)
      : failGuard(`it is ${now.kind}: ${now.reasons.join('; ')}`);
  },
});

/**
 * Peers whose dump must show the volume free. A glusterd that started after the plan was made keeps no lock from before, and
 * can't be signalled in its first minute: it is told by its age.
 */
export const checkFreed = (
  lock: Pick<HeldLock, 'volume' | 'on'>,
  live: Judgement,
): { state: 'yes' | 'wait'; text: string } => {
  const now = lockNow(lock.volume ?? '', live);
  if (now)
    return { state: 'wait', text: `${lock.volume} is locked for ${now.ownerName} on ${now.on.join(', ')}` };
  const unread = peersOf(live).filter(
    ({ host, lock: source }) =>
      lock.on.includes(host) &&
      // No dump at all proves nothing either; in its first minute a glusterd has none of the locks from before.
      (source?.good === undefined ||
        (source.good.value.skipped !== undefined && source.good.value.skipped !== 'young')),
  );
  return unread.length > 0
    ? { state: 'wait', text: `the locks of ${unread.map(({ host }) => host).join(', ')} could not be read` }
    : { state: 'yes', text: `${lock.volume} is free on ${lock.on.join(', ')}` };
};

/** Already free: nothing is to be done. A peer that kept it and shows nothing is not proof. */
export const whyAlreadyFree = (lock: HeldLock, live: Judgement): string | undefined =>
  checkFreed(lock, live).state === 'yes' && lock.on.every((host) => findPeer(host, live)?.dump !== undefined)
    ? `${lock.volume} is no longer locked`
    : undefined;

/** One plan for chosen volumes, or the first reason against it. `frame.title` stands before their names. */
export const planEach = (
  subjects: readonly Subject[],
  action: Parameters<typeof planOf>[0],
  frame: Pick<Plan, 'title' | 'afterwards' | 'undoText'> & Partial<Pick<Plan, 'parameters'>>,
  make: (subject: Subject) => { target: PlanTarget; because: readonly string[] } | Refusal,
): Plan | Refusal => {
  if (subjects.length === 0)
    return refusal('5 targets', 'nothing is chosen; an empty choice never means all');
  const made = subjects.map((subject) => ({ subject, one: make(subject) }));
  const good = made.flatMap(({ one }) => ('refused' in one ? [] : [one]));
  const bad = made.flatMap(({ subject, one }) => ('refused' in one ? [{ subject, refusal: one }] : []));
  const first = bad[0]?.refusal;
  if (good.length === 0 && first) return first;
  return planOf(action, {
    ...frame,
    title: `${frame.title} ${good.map(({ target }) => target.subject.id).join(', ')}`,
    targets: good.map(({ target }) => target),
    leftOut: bad.map(({ subject, refusal: why }) => ({ subject, reason: why.reason })),
    because: good.flatMap(({ because }) => because),
  });
};

/** A command of gluster for the whole pool, with time for its own words. */
export const glusterStep = (judgement: Judgement, host: string, ...words: readonly string[]): Step => ({
  host,
  argv: argvAsRoot(judgement.site, 'gluster', ...words),
  deadlineMs: cliDeadlineMs(),
  refusals: glusterRefusals,
});

/** A signal to one process. */
export const killStep = (judgement: Judgement, host: string, signal: string, pid: number): Step => ({
  host,
  argv: argvAsRoot(judgement.site, 'kill', signal, String(pid)),
  deadlineMs: 10_000,
  refusals: killRefusals,
});

/**
 * While one glusterd is stopped or away, what was sent to it waits in its socket: it carries it out when it goes on, long after the
 * command gave up and its lock expired (observed on 10.3, R1). So "not so" settles only with all of them answering.
 */
export const glusterSettles = (judgement: Judgement): Settling => ({
  ms: 60_000,
  reads: rereadEverywhere(judgement, 'gluster.peer'),
  whyPending: (live) => {
    const silent = peersOf(live).find(({ state }) => state !== 'up');
    return (
      silent && `glusterd of ${silent.host} is ${silent.state}: the command may still be carried out there`
    );
  },
});

export const lockGroup = (volume: string): string => `volume ${volume}`;
