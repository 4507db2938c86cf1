import type { Guard, GuardResult, ParameterPrompt, Reread } from '../../src/model/action.ts';
import type { Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { no, ok } from '../../src/model/refusal.ts';
import { percent } from '../../src/text/units.ts';
import { portNow, type Target } from './action-parts.ts';
import { platformOf } from './ask/index.ts';
import { deviceReads } from './action-reads.ts';
import { usesLacp } from './lacp-marks.ts';
import { type Lag, lagOf, loadGap, loadWithout, unclearMembers, workingIn } from './lags.ts';
import { farEnd, linkAt, linksKnown } from './links.ts';
import { sourceOf } from './sources.ts';
import type { MinLinksReading } from './min-links.ts';
import { settingsOf } from './settings.ts';

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

/** What can be done about LAGs that were not read. */
const needs = (platform: string): string => {
  const need = platformOf(platform)?.lagsNeed;
  return need === undefined ? '' : `; ${need}`;
};

/** A check of the LAG that the port is a member of, when its members were read just now. */
export const withLag = (
  { host, port }: Target,
  live: Judgement,
  check: (lag: Lag) => GuardResult,
): GuardResult => {
  const lag = lagOf(live, host.name, port);
  if (!lag) return no(`${port} is in no LAG that ${host.name} names: nothing else would carry its traffic`);
  if (!lag.fresh) return no(`the members of ${lag.lag} could not be read just now`);
  if (lag.guessed) {
    const source = sourceOf(live.readings, 'lags', host.name);
    const why = source?.failure?.message ?? `${host.name} lists no ${lag.lag} among its LAGs`;
    return no(`${why}: which members carry traffic is not known${needs(host.platform)}`);
  }
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
      if (own?.active === undefined)
        return no(
          `whether ${target.port} works in ${lag.lag} is not known: ${unclearMembers(lag)}${needs(target.host.platform)}`,
        );
      if (!own.active)
        return no(
          `${target.port} is not an active member of ${lag.lag}: it reads ${own.state ?? 'nothing'} (${own.standing ?? 'out'})`,
        );
      if (withoutLacp(target, live) && !farMember(target, live))
        return no(`${lag.lag} is not seen to use LACP, nor is its far side: that would go on sending there`);
      return ok(`active in ${lag.lag}`);
    }),
});

/** Who was not counted for want of a word, behind a refusal. */
const aside = (lag: Lag): string => {
  const unclear = unclearMembers(lag);
  return unclear === '' ? '' : ` (not counted: ${unclear})`;
};

/** A far end whose members were not counted. */
const notCounted = (far: Lag | undefined): string =>
  far?.guessed
    ? `; at ${far.host} not counted: it does not tell which members of ${far.lag} carry traffic`
    : '';

/** Guard 6: never the last one. */
export const notLast = (target: Target): Guard => ({
  id: '6 last member',
  text: `it is not the last active member on ${target.host.name}`,
  reads: deviceReads(target),
  absolute: true,
  check: (live) =>
    withLag(target, live, (lag) => {
      const rest = workingIn(lag, target.port).length;
      return rest > 0
        ? ok(`${rest} others are active`)
        : no(`it is the last active member of ${lag.lag}${aside(lag)}`);
    }),
});

/** Of other switches that count too those that answer are asked again; nobody waits for one that does not. */
const ifFresh = (
  probe: string,
  hosts: readonly (string | undefined)[],
  { readings }: Pick<Judgement, 'readings'>,
): readonly Reread[] =>
  hosts.flatMap((host) =>
    host !== undefined && readings.source(probe, host)?.state === 'fresh' ? [{ probe, host }] : [],
  );

/** LAG tables of other switches: a colleague's shut of a moment ago must be seen. */
export const lagReads = (
  hosts: readonly (string | undefined)[],
  judgement: Pick<Judgement, 'readings'>,
): readonly Reread[] => ifFresh('switch.lags', hosts, judgement);

/** Guard 6: enough members stay up, counting what others took out; at the far end too where it is known, and is said to be. */
export const enoughMembers = (target: Target, judgement: Judgement): Guard => ({
  id: '6 members',
  ...bothEnds(target, judgement, {
    text: 'enough members of the LAG stay up, counting those that others shut',
    there: lagReads([farLag(target, judgement)?.host], judgement).length > 0,
    what: 'how many members stay up',
  }),
  reads: [...deviceReads(target), ...lagReads([farLag(target, judgement)?.host], judgement)],
  absolute: false,
  check: (live) =>
    withLag(target, live, (lag) => {
      const limit = settingsOf(live.site).lag.keep;
      const far = farCounted(target, live);
      for (const one of [lag, ...(far ? [far] : [])]) {
        const gone = one === lag ? target.port : farPort(target, live);
        const stay = workingIn(one, gone).length;
        const least = Math.ceil(one.members.length * limit);
        const out = one.members.length - stay - 1;
        const others = out > 0 ? `, ${out} more ${out === 1 ? 'is' : 'are'} out already` : '';
        if (stay < least)
          return no(
            `${stay} of ${one.members.length} members of ${one.lag} on ${one.host} would stay up (limit ${least})${others}${aside(one)}`,
          );
      }
      const stay = workingIn(lag, target.port).length;
      return ok(
        `${stay} of ${lag.members.length} members stay up (limit ${Math.ceil(lag.members.length * limit)})${notCounted(farLag(target, live))}`,
      );
    }),
});

/** What a guard claims of both ends: of the far one only what is looked at there, and else what is not and why. */
const bothEnds = (
  target: Target,
  judgement: Judgement,
  { text, there, what }: { text: string; there: boolean; what: string },
): Pick<Guard, 'text' | 'unchecked'> => {
  const far = farLag(target, judgement);
  const { name } = target.host;
  if (far && there) return { text: `${text}, on ${name} and on ${far.host}` };
  const why = far
    ? `${far.host} does not tell it${judgement.readings.source('switch.lags', far.host)?.state === 'fresh' ? '' : ' now'}`
    : 'which LAG of which switch that is, is not known';
  return { text: `${text}, on ${name}`, unchecked: `${what} at the far end: ${why}` };
};

const leastTold = ({ readings }: Judgement, host: string): Source<MinLinksReading> | undefined =>
  readings.source('switch.minlinks', host);

const leastOf = (told: Source<MinLinksReading> | undefined, { lag }: Lag): number | undefined =>
  told?.good?.value.lags.find((one) => one.lag === lag)?.min;

/** Whether a switch is one that can be asked how many members its LAGs need. */
const tellsLeast = (live: Judgement, { host }: Pick<Lag, 'host'>): boolean =>
  platformOf(live.site.host(host)?.platform ?? '')?.minLinks !== undefined;

const MIN_LINKS = '6 min links';

/** Where nobody can be asked how many members the LAG needs: not met, but to be exceeded for a reason that the operator types. */
export const isUntold = ({ id, absolute }: Guard): boolean => id === MIN_LINKS && !absolute;

export const whyUntold: ParameterPrompt = {
  name: 'exceed6',
  label: 'how many members its LAG needs is not known: why shut it all the same',
  required: true,
};

/**
 * Guard 6: with fewer members than it needs a LAG goes down as a whole. A device that is asked and does not tell: refused. One that is not
 * known to tell: refused too, but whoever knows it may say so. Of the far end a configuration that was read hours ago still tells.
 */
export const minimumLinks = (target: Target, judgement: Judgement): Guard => ({
  id: MIN_LINKS,
  ...bothEnds(target, judgement, {
    text: 'the LAG keeps as many members as it needs to stay up',
    there: [farLag(target, judgement)].some((far) => far !== undefined && tellsLeast(judgement, far)),
    what: 'how many members it needs to stay up',
  }),
  reads: [
    ...deviceReads(target),
    ...(target.platform.minLinks ? [{ probe: 'switch.minlinks', host: target.host.name }] : []),
    ...ifFresh('switch.minlinks', [farLag(target, judgement)?.host], judgement),
  ],
  absolute: target.platform.minLinks !== undefined,
  check: (live) =>
    withLag(target, live, (lag) => {
      if (!target.platform.minLinks)
        return no(
          `how many members ${lag.lag} needs to stay up is not known: ${target.platform.title} is not asked for it; to go on: --set exceed6="why"`,
        );
      const source = leastTold(live, target.host.name);
      const min = source?.state === 'fresh' ? leastOf(source, lag) : undefined;
      if (min === undefined)
        return no(
          `how many members ${lag.lag} needs is not known: ${source?.failure?.message ?? 'not told'}${needs(target.host.platform)}`,
        );
      const counted = farCounted(target, live);
      const far = counted && tellsLeast(live, counted) ? counted : undefined;
      const there = far && leastOf(leastTold(live, far.host), far);
      if (far && there === undefined)
        return no(`how many members ${far.lag} on ${far.host}, its far end, needs is not known`);
      const ends = [
        { lag, min, gone: target.port },
        ...(far && there !== undefined ? [{ lag: far, min: there, gone: farPort(target, live) }] : []),
      ];
      for (const one of ends) {
        const stay = workingIn(one.lag, one.gone).length;
        if (stay < one.min)
          return no(
            `${one.lag.lag} on ${one.lag.host} needs ${one.min} members to stay up and would have ${stay}${aside(one.lag)}`,
          );
      }
      return ok(`${lag.lag} needs ${Math.max(1, min)} to stay up`);
    }),
});

/** Two samples closer than this make no good rate. */
const betweenMs = 2000;

/** Guard 6: the rest can carry it. Rates or speeds that are not known refuse. */
export const roomForLoad = (target: Target): Guard => ({
  id: '6 load',
  text: `the other members can carry the load, by the rates that ${target.host.name} counted last`,
  reads: deviceReads(target),
  absolute: false,
  check: (live) =>
    withLag(target, live, (lag) => {
      const limit = settingsOf(live.site).lag.load;
      const load = loadWithout(live, lag, target.port);
      if (load === undefined) {
        const gap = loadGap(live, lag);
        const text = `the load on the members of ${lag.lag} is not known${gap ? `: ${gap.text}` : ''}`;
        return gap?.once ? { ok: false, text, againMs: betweenMs } : no(text);
      }
      const text = `${percent(load)} load on the busiest of those that stay (limit ${percent(limit)})`;
      return load > limit ? no(text) : ok(text);
    }),
});

/** Whether nobody tells the far side that a member is gone: no LACP, as far as the device says. */
export const withoutLacp = ({ host, port }: Target, live: Judgement): boolean =>
  !usesLacp(lagOf(live, host.name, port)?.protocol);

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

/** The same where its device tells which members carry traffic: what is only guessed is counted at no end. */
const farCounted = (target: Target, live: Judgement): Lag | undefined => {
  const far = farLag(target, live);
  return far?.guessed ? undefined : far;
};

/** The member at the other end, where its device tells of its LAG. */
export const farMember = (target: Target, live: Judgement): { host: string; port: string } | undefined => {
  const [lag, port] = [farCounted(target, live), farPort(target, live)];
  return lag && port !== undefined ? { host: lag.host, port } : undefined;
};
