import type { Judgement } from '../../../src/model/system.ts';
import { whyUnread } from '../../../src/kit/unread.ts';
import type { GlusterVolume } from '../readings.ts';
import { findPeer, hostOfName, peersOf } from './pool.ts';
import { isSwitchedOff, processState } from '../read/words.ts';

/** A brick as its host's processes show it; `unknown` says why. */
export interface BrickState {
  volume: string;
  /** The site's host, else the name that gluster has for it. */
  host: string;
  path: string;
  /** `gl1:/data/brick1/home0`, canonical: the subject's id. */
  id: string;
  /** `stopped`: its process is there and does nothing (SIGSTOP). */
  state: 'up' | 'stopped' | 'down' | 'unknown';
  why?: string;
  pid?: number;
  /** Its pid file is there: it was started since the host came up, and has ended. */
  hadProcess?: true;
  /** How long its process runs, s. */
  ageS?: number;
  /** It keeps names and attributes of files, no data. */
  arbiter?: true;
}

/**
 * The bricks of a volume, each by the process that serves it on its own host: a process of its own, or the shared one that its
 * pid file names (brick multiplexing). Asking `gluster volume status` would take the volume's lock.
 */
export const bricksOf = (volume: GlusterVolume, judgement: Judgement): readonly BrickState[] => {
  const peers = new Map(peersOf(judgement).map((peer) => [peer.host, peer]));
  return volume.bricks.map(({ host: named, path, arbiter }): BrickState => {
    const host = hostOfName(named, judgement) ?? named ?? '?';
    const base = {
      volume: volume.name,
      host,
      path,
      id: `${host}:${path}`,
      ...(arbiter === true && { arbiter }),
    };
    const peer = peers.get(host);
    if (!peer) return { ...base, state: 'unknown', why: `${host} is no peer of the site file` };
    const { reading, state } = peer;
    if (!reading || state === 'unknown')
      return {
        ...base,
        state: 'unknown',
        why: whyUnread('gluster.peer', peer.source, judgement.now) ?? 'no reason given',
      };
    const own = reading.processes.find((one) => one.kind === 'brick' && one.path === path);
    const file = reading.pidFiles.find(
      (one) => one.volume === volume.name && one.brick.endsWith(path.slice(1).replaceAll('/', '-')),
    );
    const shared = reading.processes.find((one) => one.kind === 'brick' && one.pid === file?.pid);
    const process = own ?? shared;
    if (!process) return { ...base, state: 'down', ...(file && { hadProcess: true }) };
    const { pid, ageS } = process;
    switch (processState(process.state)) {
      case 'runs':
        return { ...base, state: 'up', pid, ageS };
      case 'stopped':
        return { ...base, state: 'stopped', why: `process ${pid} is stopped (SIGSTOP)`, pid, ageS };
      case 'gone':
        return { ...base, state: 'down' };
      default:
        return {
          ...base,
          state: 'unknown',
          why: `process ${pid} is in the state ${process.state}`,
          pid,
          ageS,
        };
    }
  });
};

/**
 * glusterd starts its bricks, one after the other, when it starts itself, and its self-heal daemon when it has seen its peers: 12 s after
 * its start on a busy machine (seen on 10.3). s.
 */
const startsWithinS = 30;

/** Whether a glusterd that runs was started so lately. */
export const isYoung = (host: string, withinS: number, judgement: Judgement): boolean => {
  const peer = findPeer(host, judgement);
  const isUp = peer?.state === 'up' || peer?.state === 'starting';
  return isUp && (peer.reading?.daemon.ageS ?? Infinity) <= withinS;
};

/** Whether the glusterd of its host was started a moment ago and has not come to it yet: it is not missing. */
export const isToCome = ({ host, hadProcess }: BrickState, judgement: Judgement): boolean =>
  hadProcess !== true && isYoung(host, startsWithinS, judgement);

const setsOf = (size: number, bricks: readonly BrickState[]): readonly BrickState[][] => {
  const firsts = bricks.flatMap((_brick, index) => (index % size === 0 ? [index] : []));
  return firsts.map((first) => bricks.slice(first, first + size));
};

/**
 * Why clients can't write to a set of copies, where an option says more than that most must run (cluster.quorum-type in afr.c): `fixed`
 * wants quorum-count of them, `auto` of an even number half with the first, or more.
 */
const lacksClientQuorum = (
  options: GlusterVolume['options'],
  set: readonly BrickState[],
  isDown: (brick: BrickState) => boolean,
): string | undefined => {
  const up = set.filter((brick) => !isDown(brick)).length;
  const count = Number(options['cluster.quorum-count'] ?? '');
  const [first] = set;
  if (options['cluster.quorum-type'] === 'fixed' && up < count)
    return `cluster.quorum-type=fixed: ${up} of ${set.length} run, ${count} must`;
  return options['cluster.quorum-type'] === 'auto' && up * 2 === set.length && first && isDown(first)
    ? `cluster.quorum-type=auto: of ${set.length} copies half run, without the first`
    : undefined;
};

/** Why clients can't write to some set of the volume's copies; undefined: they can, or most of the set is gone. */
export const whyNotWritten = (
  { replica = 1, disperse, options }: GlusterVolume,
  bricks: readonly BrickState[],
  isDown: (brick: BrickState) => boolean,
): string | undefined =>
  disperse === undefined && replica > 1
    ? setsOf(replica, bricks).flatMap((set) => lacksClientQuorum(options, set, isDown) ?? [])[0]
    : undefined;

/**
 * Whether some set of the volume's bricks has lost so many that its files are out of reach: in a replica more than half of them or its
 * client quorum, in a disperse set more than its redundancy, in a volume without copies a single one. Bricks are listed set by set.
 */
export const hasLostASet = (
  volume: GlusterVolume,
  bricks: readonly BrickState[],
  isDown: (brick: BrickState) => boolean,
): boolean => {
  const { type = '', replica = 1, disperse, redundancy } = volume;
  const size = Math.max(1, disperse ?? replica);
  // It has copies, and how many was not told.
  if (size === 1 && /replicate|disperse/i.test(type)) return false;
  const most = disperse === undefined ? Math.floor(size / 2) : (redundancy ?? size);
  return (
    setsOf(size, bricks).some((set) => set.filter(isDown).length > most) ||
    whyNotWritten(volume, bricks, isDown) !== undefined
  );
};

/** Whether somebody has switched the self-heal daemon off for a volume; replicas and disperse volumes have an option each. */
export const isSelfHealOff = ({ options, type }: GlusterVolume): boolean =>
  isSwitchedOff(
    options[/disperse/i.test(type ?? '') ? 'cluster.disperse-self-heal-daemon' : 'cluster.self-heal-daemon'],
  );

/** Hosts of a volume's bricks on which no self-heal daemon runs; a volume that heals nothing has none to miss. */
export const findWithoutSelfHeal = (volume: GlusterVolume, judgement: Judgement): readonly string[] => {
  if (!/replicate|disperse/i.test(volume.type ?? '')) return [];
  return isSelfHealOff(volume) ? [] : findWithout('selfHeal', volume, judgement);
};

/** Hosts of a volume's bricks on which no quota daemon runs, which glusterd keeps on each of them once quotas are enabled. */
export const findWithoutQuota = (volume: GlusterVolume, judgement: Judgement): readonly string[] =>
  volume.options['features.quota'] === 'on' ? findWithout('quota', volume, judgement) : [];

const findWithout = (
  daemon: 'selfHeal' | 'quota',
  volume: GlusterVolume,
  judgement: Judgement,
): readonly string[] => {
  const hosts = new Set(bricksOf(volume, judgement).map(({ host }) => host));
  return peersOf(judgement)
    .filter(({ host, state, reading }) => hosts.has(host) && state !== 'unknown' && reading !== undefined)
    .filter(({ host }) => !isYoung(host, startsWithinS, judgement))
    .filter(
      ({ reading }) =>
        !reading?.processes.some(({ kind, state }) => kind === daemon && processState(state) === 'runs'),
    )
    .map(({ host }) => host);
};
