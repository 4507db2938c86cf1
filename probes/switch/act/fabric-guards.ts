import type { Guard, GuardResult, PlanContext, Reread } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, rereads } from '../../../src/kit/guards.ts';
import { isFresh } from '../../../src/kit/jobs.ts';
import type { Timed } from './timer.ts';
import { type FabricPort, type FabricReading, isCarrying } from '../platforms/infiniband/fabric.ts';
import { lastFarEnd } from '../links/links.ts';
import { settingsOf } from '../settings.ts';

/** A port of a switch in a fabric, told by the host that is asked: there the undo is armed too. */
export interface FabricTarget extends Timed {
  guid: string;
  number: number;
}

export const fabricReads = ({ undoHost }: Pick<FabricTarget, 'undoHost'>) =>
  rereads('switch.fabric', undoHost);

const fabricNow = ({ readings }: Pick<Judgement, 'readings'>, host: string): FabricReading | undefined => {
  const source = readings.source<FabricReading>('switch.fabric', host);
  return source?.state === 'fresh' ? source.good?.value : undefined;
};

/** Why the fabric could not be read just now; undefined: it was, or was not asked yet. */
export const fabricFailure = (
  { readings }: Pick<Judgement, 'readings'>,
  host: string,
): string | undefined => {
  const source = readings.source<FabricReading>('switch.fabric', host);
  return source?.state === 'fresh' ? undefined : source?.failure?.message;
};

export const fabricPortNow = (
  live: Pick<Judgement, 'readings'>,
  { undoHost, port }: Pick<FabricTarget, 'undoHost' | 'port'>,
): FabricPort | undefined => fabricNow(live, undoHost)?.ports.find((one) => one.port === port);

const withLink = (
  target: FabricTarget,
  live: Judgement,
  check: (peer: NonNullable<FabricPort['peer']>, fabric: FabricReading, own: FabricPort) => GuardResult,
): GuardResult => {
  const fabric = fabricNow(live, target.undoHost);
  const own = fabricPortNow(live, target);
  if (own && own.guid !== target.guid) return failGuard(`${target.port} is a port of another switch now`);
  if (!fabric || !own) return failGuard(`${target.undoHost} lists no ${target.port}`);
  return own.peer ? check(own.peer, fabric, own) : failGuard(`${target.port} has no link`);
};

/** Guard 5: the port is in the reading of this moment, with a link. */
export const requireLinked = (target: FabricTarget): Guard => ({
  id: '5 targets',
  text: `${target.port} is in the last reading of the fabric of ${target.undoHost}`,
  reads: fabricReads(target),
  absolute: true,
  check: (live) => withLink(target, live, (peer) => passGuard(`it leads to ${peer.port}`)),
});

/** A link between switches is no host's own; that the way of one leads over it is not asked: a parallel link carries on. */
const ownWayWords = (
  peer: FabricPort['peer'],
  self: PlanContext['self'],
  { site }: Judgement,
): Pick<Guard, 'text' | 'unchecked'> => {
  if (peer?.type !== 'CA') return { text: 'it is the link of no host' };
  const text = 'it is not the link of the subnet manager, the undo host, the shared folder or this console';
  return self && site.resolve('host', self.host)
    ? { text }
    : {
        text: 'it is not the link of the subnet manager, the undo host or the shared folder',
        unchecked: 'whether it is the link of this console: that is no host of the site',
      };
};

/** Guard 9: never the link of the subnet manager, of the host that would undo it, of the shared folder's, or our own. */
export const requireNotOurFabricWay = (
  target: FabricTarget,
  self: PlanContext['self'],
  judgement: Judgement,
): Guard => ({
  id: '9 own way',
  ...ownWayWords(fabricPortNow(judgement, target)?.peer, self, judgement),
  reads: fabricReads(target),
  absolute: true,
  check: (live) =>
    withLink(target, live, (peer, { ownLids, smLids }) => {
      if (peer.type === 'SW') return passGuard(`it leads to the switch ${peer.node}`);
      if (ownLids.includes(peer.lid))
        return failGuard(`it is the link of ${target.undoHost}, which would undo it`);
      if (smLids.includes(peer.lid)) return failGuard(`it is the link of ${peer.node}, the subnet manager`);
      const { site } = live;
      const host = site.resolve('host', peer.node)?.id;
      if (host !== undefined && host === site.shared?.host)
        return failGuard(`it is the link of ${host}, where the consoles keep their locks`);
      if (host !== undefined && self && host === site.resolve('host', self.host)?.id)
        return failGuard(`it is the link of ${host}, this console itself`);
      return passGuard(`it leads to ${peer.node}`);
    }),
});

/** Ports without a link that led to this neighbour not long ago: what others took out counts. */
const outBetween = (
  own: FabricPort,
  peer: NonNullable<FabricPort['peer']>,
  live: Judgement,
  { undoHost }: FabricTarget,
): readonly FabricPort[] => {
  const beside = `${undoHost}:${peer.port.slice(0, peer.port.lastIndexOf('/') + 1)}`;
  return (fabricNow(live, undoHost)?.ports ?? []).filter(
    (one) =>
      one.guid === own.guid &&
      one.peer === undefined &&
      lastFarEnd(`${undoHost}:${one.port}`, live)?.startsWith(beside),
  );
};

/**
 * Guard 6: between switches only with a parallel link, and only as many as the site lets go; a host's link only when its node is
 * drained and idle, asked a moment ago.
 */
export const requireUnneeded = (target: FabricTarget, { facts, readings }: Judgement): Guard => {
  const asked = (['node.drained', 'node.busy'] as const).map((name) => facts.askedBy?.(name) ?? []);
  const isHost = fabricPortNow({ readings }, target)?.peer?.type === 'CA';
  return {
    id: '6 parallel link',
    ...(isHost
      ? { text: 'the node behind it is drained, and no job runs there' }
      : {
          text: 'enough parallel links between the two switches carry on',
          unchecked: 'whether the parallel links can carry the load: a fabric is not asked for its traffic',
        }),
    // Where jobs are asked for at several places, those that answer are asked again.
    reads: [...fabricReads(target), ...(isHost ? asked.flat().filter((one) => isFresh(readings, one)) : [])],
    absolute: true,
    check: (live) =>
      withLink(target, live, (peer, { ports }, own) => {
        if (peer.type === 'RT') return failGuard(`it leads to the router ${peer.node}`);
        if (peer.type === 'CA') return requireDrained(peer.node, asked, live);
        const pair = ports.filter((one) => one.guid === own.guid && one.peer?.guid === peer.guid);
        const all = pair.length + outBetween(own, peer, live, target).length;
        const beside = pair.filter((one) => one.port !== own.port);
        const stay = beside.filter(isCarrying).length;
        const [other] = beside;
        if (stay === 0 && other)
          return failGuard(
            `no other link between ${own.node} and ${peer.node} is Active: ${other.port} is ${other.link ?? 'in a state that iblinkinfo did not report'}`,
          );
        if (stay === 0) return failGuard(`it is the only link between ${own.node} and ${peer.node}`);
        const least = Math.ceil(all * settingsOf(live.site).lag.keep);
        const text = `${stay} of ${all} links between ${own.node} and ${peer.node} stay up (limit ${least})`;
        return stay < least ? failGuard(text) : passGuard(text);
      }),
  };
};

const requireDrained = (
  name: string,
  asked: readonly (readonly Reread[])[],
  { facts, readings, site }: Judgement,
): GuardResult => {
  const node = site.resolve('node', name);
  if (!node) return failGuard(`${name} is no node of this site, so whether it is drained is not known`);
  // Of each fact somebody must say so now: that nobody tells of jobs is not that there are none.
  if (!asked.every((each) => each.some((one) => isFresh(readings, one))))
    return failGuard(`whether ${node.id} is drained and idle is not known: nobody answers for it now`);
  const busy = facts.find('node.busy', node);
  if (busy) return failGuard(`jobs run on ${node.id}: ${busy.value.jobs.slice(0, 4).join(', ')}`);
  const fact = facts.find('node.drained', node);
  return fact
    ? passGuard(`${node.id} is drained: ${fact.value.reason}`)
    : failGuard(`${node.id} is not drained`);
};
