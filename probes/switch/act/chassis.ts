import { dropUndefined } from '../../../src/kit/known.ts';
import type { Guard, GuardResult } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { farLag, lagReads, checkLag } from './guards.ts';
import type { Target } from './parts.ts';
import { deviceReads } from './reads.ts';
import type { ChassisReading } from '../read/chassis-reading.ts';
import { type Lag, findLag, lagOf, workingMembers } from '../links/lags.ts';
import { farEndOf } from '../links/links.ts';
import { settingsOf } from '../settings.ts';

type Spanning = ChassisReading['lags'][number];

interface Members {
  members: number;
  active: number;
  where: string;
}

const countIn = (lag: Lag): Members => ({
  members: lag.members.length,
  active: workingMembers(lag).length,
  where: lag.host,
});

/** The chassis at the other end of the LAG between the two. */
const peerHost = (target: Target, live: Judgement, peerLink: string | undefined): string | undefined => {
  const link = peerLink === undefined ? undefined : findLag(live, target.host.name, peerLink);
  const hosts = (link?.members ?? []).flatMap(
    ({ port }) => farEndOf(`${target.host.name}:${port}`, live)?.host ?? [],
  );
  return new Set(hosts).size === 1 ? hosts[0] : undefined;
};

/** What is known of the LAG that the port's is one with. */
interface Other {
  spanning: Spanning;
  lost?: string;
  doubt?: string;
  /** The other chassis and its part, where that is a switch of this site. */
  host?: string;
  lag?: Lag;
}

const otherChassis = (target: Target, live: Judgement): Other | undefined => {
  const chassisRead = live.readings.source<ChassisReading>('switch.chassis', target.host.name)?.good?.value;
  const own = lagOf(live, target.host.name, target.port);
  const spanning = own && chassisRead?.lags.find((one) => one.lag === own.lag);
  if (!spanning) return undefined;
  const host = peerHost(target, live, chassisRead?.peerLink);
  const lag = host === undefined ? undefined : findLag(live, host, spanning.peerLag ?? own.lag);
  return {
    spanning,
    ...dropUndefined({ lost: chassisRead?.lost ?? spanning.lost, doubt: spanning.doubt, host, lag }),
  };
};

/** The part of the port's LAG at the other chassis: whoever acts there acts on the same LAG. */
export const findLagBeside = (target: Target, live: Judgement): Lag | undefined =>
  otherChassis(target, live)?.lag;

/**
 * Members of the LAG at the other chassis: as the device counts them, else as that chassis does, else what the far side, to which
 * both are one LAG, has more than we. A text: nobody has counted them, and why.
 */
const peerMembers = (target: Target, live: Judgement, own: Lag, other: Other): Members | string => {
  const { spanning, lost, doubt, host, lag } = other;
  if (lost !== undefined)
    return `${own.lag} spans a second chassis that ${target.host.name} does not see: ${lost}`;
  if (doubt !== undefined)
    return `${own.lag} spans a second chassis, and whether ${target.host.name} sees it is not known: ${doubt}`;
  if (spanning.peer) return { ...spanning.peer, where: 'the second chassis' };
  if (lag?.fresh) return countIn(lag);
  const far = farLag(target, live);
  if (far?.fresh && !far.guessed && far.members.length > own.members.length) {
    const [all, here] = [countIn(far), countIn(own)];
    return {
      members: all.members - here.members,
      active: Math.max(0, all.active - here.active),
      where: `the second chassis, as ${far.host} counts`,
    };
  }
  if (host === undefined) return `${own.lag} spans a second chassis whose members nobody has counted`;
  const why = live.readings.source('switch.lags', host)?.failure?.message ?? 'not read just now';
  return `${own.lag} spans ${host} too, whose members are not known: ${why}`;
};

/** Guard 6: a LAG that is one with a LAG of a second chassis keeps its members by the count of both; unknown refuses. */
export const requireBothChassis = (target: Target, judgement: Judgement): Guard => ({
  id: '6 both chassis',
  text: target.platform.chassis
    ? 'where the LAG spans two chassis it is counted at both'
    : `the LAG is of ${target.host.name} alone: ${target.platform.title} lists those over two chassis apart`,
  reads: [
    ...deviceReads(target),
    ...(target.platform.chassis ? [{ probe: 'switch.chassis', host: target.host.name }] : []),
    ...lagReads([otherChassis(target, judgement)?.host], judgement),
  ],
  absolute: true,
  check: (live) =>
    checkLag(target, live, (lag): GuardResult => {
      if (!target.platform.chassis) return passGuard('its LAGs over two chassis are of another kind');
      const source = live.readings.source<ChassisReading>('switch.chassis', target.host.name);
      if (source?.state !== 'fresh' || !source.good)
        return failGuard(
          `whether ${lag.lag} spans a second chassis is not known: ${source?.failure?.message ?? 'not asked yet'}`,
        );
      if (source.good.value.spans === 'unknown')
        return failGuard(
          `${target.host.name} is one of two chassis, and which LAGs span both is not known yet`,
        );
      const other = otherChassis(target, live);
      if (!other) return passGuard(`${lag.lag} ends on ${target.host.name} alone`);
      const there = peerMembers(target, live, lag, other);
      if (typeof there === 'string') return failGuard(there);
      const all = lag.members.length + there.members;
      const stay = workingMembers(lag, target.port).length + there.active;
      const least = Math.ceil(all * settingsOf(live.site).lag.keep);
      const tell = (verb: string): string =>
        `${stay} of ${all} members of ${lag.lag} ${verb} up with ${there.where} (limit ${least})`;
      return stay < least ? failGuard(tell('would stay')) : passGuard(tell('stay'));
    }),
});
