import type { Guard, GuardResult } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { percent } from '../../src/text/units.ts';
import { portNow, type Target } from './action-parts.ts';
import { type Lag, lagOf, loadWithout } from './lags.ts';
import { farEnd, linkAt, linksKnown } from './links.ts';
import type { TimersReading } from './readings.ts';
import { settingsOf } from './settings.ts';
import { undoUnit } from './timers.ts';

export const ok = (text: string): GuardResult => ({ ok: true, text });
export const no = (text: string): GuardResult => ({ ok: false, text });

/** Counters and LAG table of the device, asked again. */
export const deviceReads = ({ counters, host }: Target) => [
  { probe: counters, host: host.name },
  { probe: 'switch.lags', host: host.name },
];

/** Guard 5: the port is in the reading of this moment. */
export const listed = (target: Target): Guard => ({
  id: '5 targets',
  text: `${target.port} is in the last reading of ${target.host.name}`,
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const port = portNow(live, target.host.name, target.port);
    return port
      ? ok(`it reads ${port.link ?? 'no state'}`)
      : no(`${target.host.name} lists no ${target.port}`);
  },
});

const withLag = ({ host, port }: Target, live: Judgement, check: (lag: Lag) => GuardResult): GuardResult => {
  const lag = lagOf(live, host.name, port);
  if (!lag) return no(`${port} is in no LAG that ${host.name} names: nothing else would carry its traffic`);
  if (!lag.fresh) return no(`the members of ${lag.lag} could not be read just now`);
  if (lag.members.some((one) => one.active === undefined))
    return no(`${lag.lag} has a member whose state is not understood`);
  return check(lag);
};

/** Guard 6: an active member; of a static LAG only when the far side's members are seen as well. */
export const activeMember = (target: Target): Guard => ({
  id: '6 active member',
  text: `${target.port} is an active member of a LAG`,
  reads: deviceReads(target),
  absolute: true,
  check: (live) =>
    withLag(target, live, (lag) => {
      const own = lag.members.find((one) => one.port === target.port);
      if (own?.active !== true) return no(`${target.port} is not an active member of ${lag.lag}`);
      if (/^(?:static|on|none|mode on)$/i.test(lag.protocol ?? '') && !farLag(target, live))
        return no(`${lag.lag} is static and the far side is not seen: it would go on sending there`);
      return ok(`active in ${lag.lag}`);
    }),
});

/** Guard 6: never the last one. */
export const notLast = (target: Target): Guard => ({
  id: '6 last member',
  text: 'it is not the last active member',
  reads: deviceReads(target),
  absolute: true,
  check: (live) =>
    withLag(target, live, (lag) => {
      const rest = lag.members.filter((one) => one.active && one.port !== target.port).length;
      return rest > 0 ? ok(`${rest} others are active`) : no(`it is the last active member of ${lag.lag}`);
    }),
});

/** Guard 6: enough members stay up, counting what others took out; at the far end too where it is known. */
export const enoughMembers = (target: Target): Guard => ({
  id: '6 members',
  text: 'enough members of the LAG stay up, counting those that others shut',
  reads: deviceReads(target),
  absolute: false,
  check: (live) =>
    withLag(target, live, (lag) => {
      const limit = settingsOf(live.site).lag.keep;
      const far = farLag(target, live);
      for (const one of [lag, ...(far ? [far] : [])]) {
        const gone = one === lag ? target.port : farPort(target, live);
        const stay = one.members.filter((member) => member.active && member.port !== gone).length;
        const least = Math.ceil(one.members.length * limit);
        const out = one.members.length - stay - 1;
        const others = out > 0 ? `, ${out} more ${out === 1 ? 'is' : 'are'} out already` : '';
        if (stay < least)
          return no(
            `${stay} of ${one.members.length} members of ${one.lag} on ${one.host} would stay up (limit ${least})${others}`,
          );
      }
      const stay = lag.members.filter((one) => one.active && one.port !== target.port).length;
      return ok(
        `${stay} of ${lag.members.length} members stay up (limit ${Math.ceil(lag.members.length * limit)})`,
      );
    }),
});

/** Guard 6: the rest can carry it. Rates or speeds that are not known refuse. */
export const roomForLoad = (target: Target): Guard => ({
  id: '6 load',
  text: 'the other members can carry the load',
  reads: deviceReads(target),
  absolute: false,
  check: (live) =>
    withLag(target, live, (lag) => {
      const limit = settingsOf(live.site).lag.load;
      const load = loadWithout(live, lag, target.port);
      if (load === undefined) return no(`the load on the members of ${lag.lag} is not known`);
      const text = `${percent(load)} load on the busiest of those that stay (limit ${percent(limit)})`;
      return load > limit ? no(text) : ok(text);
    }),
});

/** Guard 9: not the way to the host that would undo it, nor to where consoles keep their locks. */
export const notOurWay = (target: Target): Guard => ({
  id: '9 own way',
  text: 'it carries neither the undo host nor the shared folder',
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const { site, facts } = live;
    const link = linkAt(linksKnown(live), target.subject.id);
    const far = link && farEnd(link, target.subject.id).host;
    const ours = [target.undoHost, ...(site.shared ? [site.shared.host] : [])];
    const carried = ours.find(
      (host) =>
        far === host || facts.of('host.uplink', { kind: 'host', id: host })?.value.port === target.subject.id,
    );
    if (carried !== undefined) return no(`${target.port} is the uplink of ${carried}, which would undo it`);
    return ok(far === undefined ? 'its neighbour is not known to be one of ours' : `it leads to ${far}`);
  },
});

/** Guard 9: the undo host is there, and no undo of ours waits for this port already. */
export const undoPossible = (target: Target): Guard => ({
  id: '9 armed undo',
  text: `${target.undoHost} can arm the undo`,
  reads: [{ probe: 'switch.timers', host: target.undoHost }],
  absolute: true,
  check: (live) => {
    const host = live.site.host(target.undoHost);
    if (!host?.roles.includes('switch-helper'))
      return no(`${target.undoHost} has not the role switch-helper in the site file`);
    const source = live.readings.source<TimersReading>('switch.timers', target.undoHost);
    if (source?.state !== 'fresh' || !source.good)
      return no(`its timers can't be read: ${source?.failure?.message ?? 'not asked yet'}`);
    const waiting = source.good.value.timers.some((one) => one.unit === undoUnit(target.subject.id));
    return waiting ? no('an undo of an earlier change waits there for this port') : ok('it answers');
  },
});

const farPort = ({ subject }: Target, live: Judgement): string | undefined => {
  const link = linkAt(linksKnown(live), subject.id);
  return link && farEnd(link, subject.id).port;
};

/** The LAG at the other end, where it is known. */
export const farLag = ({ subject }: Target, live: Judgement): Lag | undefined => {
  const link = linkAt(linksKnown(live), subject.id);
  const far = link && farEnd(link, subject.id);
  return far?.host !== undefined && far.port !== undefined ? lagOf(live, far.host, far.port) : undefined;
};
