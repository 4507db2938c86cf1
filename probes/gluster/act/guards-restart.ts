import type { Guard } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { whyAllUnread } from '../../../src/kit/unread.ts';
import { rereadOnce, rereadEverywhere } from './parts.ts';
import { volumeLocksFrom } from '../judge/held-lock.ts';
import { healOf, findPeer, peersOf, volumesNow } from '../judge/pool.ts';
import type { UnitReading } from '../readings.ts';
import { sum } from '../read/read-volumes.ts';
import { restartOn } from '../settings.ts';
import { hasServerQuorum, isOff, mayHeal } from '../read/words.ts';

/** Debian's unit has KillMode=control-group: a restart takes every brick of that peer with it. The project's own has `process`. */
export const requireBricksStay = (host: string, judgement: Judgement): Guard => ({
  id: '6 bricks stay',
  text: `the bricks on ${host} live on when its glusterd is restarted`,
  reads: [{ probe: 'gluster.unit', host }],
  absolute: false,
  check: (live) => {
    const unit = live.readings.source<UnitReading>('gluster.unit', host)?.good?.value;
    if (unit?.loaded && (unit.killMode === 'process' || unit.killMode === 'none'))
      return passGuard(`KillMode=${unit.killMode}`);
    if (unit?.killMode !== undefined && unit.loaded)
      return failGuard(`its unit has KillMode=${unit.killMode}: the bricks would end with it`);
    return restartOn(judgement.site, host).keepsBricks === true
      ? passGuard('the site file says so')
      : failGuard(
          `not known: ${unit?.text ?? 'its unit was not read'}; say gluster.restart.keepsBricks in the site file`,
        );
  },
});

/** With server quorum, glusterd ends its bricks when too few peers are connected (default: more than half). */
export const requireQuorum = (host: string, judgement: Judgement): Guard => ({
  id: '6 server quorum',
  text: 'server quorum holds with one glusterd fewer',
  reads: [...rereadEverywhere(judgement, 'gluster.peer'), ...rereadOnce(judgement, 'gluster.volumes')],
  absolute: true,
  check: (live) => {
    const volumes = volumesNow(live);
    if (!volumes) return failGuard(`whether a volume has server quorum is not known: ${unreadVolumes(live)}`);
    const guarded = volumes.filter(({ options }) => hasServerQuorum(options));
    if (guarded.length === 0) return passGuard('no volume has server quorum');
    const peers = peersOf(live);
    const left = peers.filter((peer) => peer.host !== host && peer.state === 'up').length;
    const ratio = Math.max(
      ...guarded.map(({ options }) => percentOf(options['cluster.server-quorum-ratio'] ?? '50') / 100),
    );
    if (!(ratio >= 0 && ratio <= 1)) return failGuard('cluster.server-quorum-ratio is not understood');
    const needs = ratio > 0.5 ? Math.ceil(peers.length * ratio) : Math.floor(peers.length / 2) + 1;
    return left >= needs
      ? passGuard(`${left} of ${peers.length} stay, ${needs} needed`)
      : failGuard(`${left} of ${peers.length} would stay, ${needs} are needed: bricks would be ended`);
  },
});

/** `51`, `51%`, `51.5`; NaN: something else. */
const percentOf = (text: string): number => (/^\d+(?:\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : NaN);

const unreadVolumes = ({ readings, now }: Judgement): string =>
  whyAllUnread('gluster.volumes', readings, now) ?? 'no volume was listed';

export const requireNothingMoves = (judgement: Judgement): Guard => ({
  id: '6 no heal or rebalance',
  text: 'no rebalance runs and nothing waits to be healed',
  reads: [
    ...rereadEverywhere(judgement, 'gluster.peer'),
    ...rereadOnce(judgement, 'gluster.volumes'),
    ...rereadOnce(judgement, 'gluster.heal'),
  ],
  absolute: false,
  check: (live) => {
    const moving = peersOf(live).find(({ reading }) =>
      reading?.processes.some(({ kind }) => kind === 'rebalance'),
    );
    if (moving) return failGuard(`a rebalance runs on ${moving.host}`);
    const volumes = volumesNow(live);
    if (!volumes)
      return failGuard(`whether something waits to be healed is not known: ${unreadVolumes(live)}`);
    for (const { name, type, status } of volumes) {
      if (isOff(status) || !mayHeal(type)) continue;
      const heal = healOf(live).get(name);
      if (!heal || heal.error !== undefined)
        return failGuard(`whether ${name} has entries to heal is not known: ${heal?.error ?? 'not read'}`);
      const silent = heal.bricks.find(({ pending }) => pending === undefined);
      if (silent)
        return failGuard(`whether ${name} has entries to heal is not known: ${silent.path} did not answer`);
      if (sum(heal.bricks) > 0) return failGuard(`${name} has ${sum(heal.bricks)} entries to heal`);
    }
    return passGuard('none');
  },
});

export const newLocks = (host: string, judgement: Judgement): Guard => ({
  id: '3 op-version',
  text: 'the pool uses locks per volume, which peers drop when their owner disconnects',
  reads: rereadEverywhere(judgement, 'gluster.peer'),
  absolute: true,
  check: (live) => {
    const version = findPeer(host, live)?.reading?.opVersion;
    return version !== undefined && version >= volumeLocksFrom
      ? passGuard(`op-version ${version}`)
      : failGuard(`op-version ${version ?? 'not known'}`);
  },
});
