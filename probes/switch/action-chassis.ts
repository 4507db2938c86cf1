import type { Guard, GuardResult } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { farLag, no, ok, withLag } from './action-guards.ts';
import type { Target } from './action-parts.ts';
import { deviceReads } from './action-reads.ts';
import type { ChassisReading } from './chassis.ts';
import { type Lag, lagNamed } from './lags.ts';
import { farEnd, linkAt, linksKnown } from './links.ts';
import { settingsOf } from './settings.ts';

type Spanning = ChassisReading['lags'][number];

interface Members {
  members: number;
  active: number;
  where: string;
}

const countIn = ({ members, host }: Lag): Members => ({
  members: members.length,
  active: members.filter(({ active }) => active).length,
  where: host,
});

/** The chassis at the other end of the LAG between the two. */
const peerHost = (target: Target, live: Judgement, peerLink: string | undefined): string | undefined => {
  const link = peerLink === undefined ? undefined : lagNamed(live, target.host.name, peerLink);
  const hosts = (link?.members ?? []).flatMap(({ port }) => {
    const id = `${target.host.name}:${port}`;
    const cable = linkAt(linksKnown(live), id);
    return cable ? (farEnd(cable, id).host ?? []) : [];
  });
  return new Set(hosts).size === 1 ? hosts[0] : undefined;
};

/**
 * Members of the LAG at the other chassis: as the device counts them, else as that chassis does, else what the far side, to which
 * both are one LAG, has more than we. Undefined: nobody has counted them.
 */
const peerMembers = (
  target: Target,
  live: Judgement,
  own: Lag,
  spanning: Spanning,
  peerLink: string | undefined,
): Members | undefined => {
  if (spanning.peer) return { ...spanning.peer, where: 'the second chassis' };
  const host = peerHost(target, live, peerLink);
  const there = host === undefined ? undefined : lagNamed(live, host, spanning.peerLag ?? own.lag);
  if (there?.fresh) return countIn(there);
  const far = farLag(target, live);
  if (!far?.fresh || far.members.length <= own.members.length) return undefined;
  const [all, here] = [countIn(far), countIn(own)];
  return {
    members: all.members - here.members,
    active: Math.max(0, all.active - here.active),
    where: `the second chassis, as ${far.host} counts`,
  };
};

/** Guard 6: a LAG that is one with a LAG of a second chassis keeps its members by the count of both; unknown refuses. */
export const bothChassis = (target: Target): Guard => ({
  id: '6 both chassis',
  text: 'a LAG over two chassis is counted at both',
  reads: [
    ...deviceReads(target),
    ...(target.platform.chassis ? [{ probe: 'switch.chassis', host: target.host.name }] : []),
  ],
  absolute: true,
  check: (live) =>
    withLag(target, live, (lag): GuardResult => {
      if (!target.platform.chassis) return ok('its LAGs over two chassis are of another kind');
      const source = live.readings.source<ChassisReading>('switch.chassis', target.host.name);
      if (source?.state !== 'fresh' || !source.good)
        return no(
          `whether ${lag.lag} spans a second chassis is not known: ${source?.failure?.message ?? 'not asked yet'}`,
        );
      const { spans, lags, peerLink } = source.good.value;
      if (spans === 'unknown')
        return no(`${target.host.name} is one of two chassis, and which LAGs span both is not known yet`);
      const spanning = lags.find((one) => one.lag === lag.lag);
      if (!spanning) return ok(`${lag.lag} ends on ${target.host.name} alone`);
      const there = peerMembers(target, live, lag, spanning, peerLink);
      if (!there) return no(`${lag.lag} spans a second chassis whose members nobody has counted`);
      const all = lag.members.length + there.members;
      const stay =
        lag.members.filter(({ active, port }) => active && port !== target.port).length + there.active;
      const least = Math.ceil(all * settingsOf(live.site).lag.keep);
      const text = `${stay} of ${all} members of ${lag.lag} stay up with ${there.where} (limit ${least})`;
      return stay < least ? no(text) : ok(text);
    }),
});
