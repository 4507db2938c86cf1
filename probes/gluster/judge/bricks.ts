import type { Judgement } from '../../../src/model/system.ts';
import { whyUnread } from '../../../src/kit/unread.ts';
import { hostOfName, peersOf } from './pool.ts';
import type { GlusterVolume } from '../readings.ts';
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
  /** How long its process runs, s. */
  ageS?: number;
}

/**
 * The bricks of a volume, each by the process that serves it on its own host: a process of its own, or the shared one that its
 * pid file names (brick multiplexing). Asking `gluster volume status` would take the volume's lock.
 */
export const bricksOf = (volume: GlusterVolume, judgement: Judgement): readonly BrickState[] => {
  const peers = new Map(peersOf(judgement).map((peer) => [peer.host, peer]));
  return volume.bricks.map(({ host: named, path }): BrickState => {
    const host = hostOfName(named, judgement) ?? named ?? '?';
    const base = { volume: volume.name, host, path, id: `${host}:${path}` };
    const peer = peers.get(host);
    if (!peer) return { ...base, state: 'unknown', why: `${host} is no peer of the site file` };
    const { reading, state } = peer;
    if (!reading || state === 'unknown')
      return {
        ...base,
        state: 'unknown',
        why: whyUnread('gluster.peer', peer.source, judgement.now) ?? 'not told',
      };
    const own = reading.processes.find((one) => one.kind === 'brick' && one.path === path);
    const file = reading.pidFiles.find(
      (one) => one.volume === volume.name && one.brick.endsWith(path.slice(1).replaceAll('/', '-')),
    );
    const shared = reading.processes.find((one) => one.kind === 'brick' && one.pid === file?.pid);
    const process = own ?? shared;
    if (!process) return { ...base, state: 'down' };
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

/** Hosts of a volume's bricks on which no self-heal daemon runs; a volume that heals nothing has none to miss. */
export const withoutSelfHeal = (volume: GlusterVolume, judgement: Judgement): readonly string[] => {
  if (!/replicate|disperse/i.test(volume.type ?? '')) return [];
  if (
    isSwitchedOff(volume.options['cluster.self-heal-daemon']) ||
    isSwitchedOff(volume.options['cluster.disperse-self-heal-daemon'])
  )
    return [];
  const hosts = new Set(bricksOf(volume, judgement).map(({ host }) => host));
  return peersOf(judgement)
    .filter(({ host, state, reading }) => hosts.has(host) && state !== 'unknown' && reading !== undefined)
    .filter(
      ({ reading }) =>
        !reading?.processes.some(({ kind, state }) => kind === 'selfHeal' && processState(state) === 'runs'),
    )
    .map(({ host }) => host);
};
