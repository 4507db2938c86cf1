import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import type { Guard, GuardResult, Reread } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { percent } from '../../../src/text/units.ts';
import { platformOf } from '../platforms/index.ts';
import { sourceOf } from '../ask/sources.ts';
import {
  type Lag,
  findLagAcross,
  lagOf,
  findMemberAcross,
  unclearMembers,
  workingMembers,
} from '../links/lags.ts';
import { ownNamesIn } from '../links/links.ts';
import { findMisnamed } from '../links/own-names.ts';
import { loadGap, loadWithout } from '../links/loads.ts';
import { isLacp } from '../read/member-states.ts';
import { settingsOf } from '../settings.ts';
import { portNow, type Target, uncountedFarEnd } from './parts.ts';
import { deviceReads } from './reads.ts';

/** Guard 5: the port is in the reading of this moment. */
export const requireListed = (target: Target): Guard => ({
  id: '5 targets',
  text: `${target.port} is in the last reading of ${target.host.name}`,
  reads: deviceReads(target),
  absolute: true,
  check: (live) => {
    const port = portNow(live, target.host.name, target.port);
    return port
      ? passGuard(`it reads ${port.link ?? 'no state'}`)
      : failGuard(`${target.host.name} lists no ${target.port}`);
  },
});

/** Guard 5: what is typed at a name must not reach another host. A device that tells no name, or one that nobody has, is not refused for it. */
export const requireIdentity = (target: Target): Guard => ({
  id: '5 own name',
  text: `${target.host.name} does not call itself by another host's name`,
  reads: deviceReads(target),
  absolute: true,
  check: ({ readings, site }) => {
    const { name } = target.host;
    const names = ownNamesIn(readings);
    const other = findMisnamed(name, site, names);
    return other === undefined
      ? passGuard(names.has(name) ? `it calls itself ${names.get(name)}` : 'it reports no name')
      : failGuard(`it calls itself ${names.get(name)}: is ${other} behind that name?`);
  },
});

/** What can be done about LAGs that were not read. */
export const repairHint = (platform: string): string => {
  const need = platformOf(platform)?.lagsNeed;
  return need === undefined ? '' : `; ${need}`;
};

/** A check of the LAG that the port is a member of, when its members were read just now. */
export const checkLag = (
  { host, port }: Target,
  live: Judgement,
  check: (lag: Lag) => GuardResult,
): GuardResult => {
  const lag = lagOf(live, host.name, port);
  if (!lag)
    return failGuard(`${port} is in no LAG that ${host.name} names: nothing else would carry its traffic`);
  if (!lag.fresh) return failGuard(`the members of ${lag.lag} could not be read just now`);
  if (!lag.guessed) return check(lag);
  const source = sourceOf(live.readings, 'lags', host.name);
  const why = source?.failure?.message ?? `${host.name} lists no ${lag.lag} among its LAGs`;
  return failGuard(`${why}: which members carry traffic is not known${repairHint(host.platform)}`);
};

/** A guard that rests on the LAG that the port is a member of. */
export const lagGuard = (
  target: Target,
  guard: Pick<Guard, 'id' | 'text'> & Partial<Guard>,
  check: (lag: Lag, live: Judgement) => GuardResult,
): Guard => ({
  reads: deviceReads(target),
  absolute: true,
  ...guard,
  check: (live) => checkLag(target, live, (lag) => check(lag, live)),
});

/** Guard 6: an active member; of a static LAG only when the far side's members are seen as well. */
export const activeMember = (target: Target): Guard => {
  const { host, port, subject } = target;
  return lagGuard(
    target,
    { id: '6 active member', text: `${port} is an active member of a LAG` },
    (lag, live) => {
      const own = lag.members.find((one) => one.port === port);
      if (own?.active === undefined)
        return failGuard(
          `whether ${port} works in ${lag.lag} is not known: ${unclearMembers(lag)}${repairHint(host.platform)}`,
        );
      if (!own.active)
        return failGuard(
          `${port} is not an active member of ${lag.lag}: it reads ${own.state ?? 'nothing'} (${own.standing ?? 'out'})`,
        );
      return !isLacp(lag.protocol) && !findMemberAcross(subject.id, live)
        ? failGuard(`${lag.lag} is not seen to use LACP, nor is its far side: that would go on sending there`)
        : passGuard(`active in ${lag.lag}`);
    },
  );
};

/** Who was not counted for want of a word, behind a refusal. */
export const uncountedText = (lag: Lag): string => {
  const unclear = unclearMembers(lag);
  return unclear === '' ? '' : ` (not counted: ${unclear})`;
};

/** Guard 6: never the last one. */
export const requireNotLast = (target: Target): Guard =>
  lagGuard(
    target,
    { id: '6 last member', text: `it is not the last active member on ${target.host.name}` },
    (lag) => {
      const rest = workingMembers(lag, target.port).length;
      return rest > 0
        ? passGuard(`${rest} others are active`)
        : failGuard(`it is the last active member of ${lag.lag}${uncountedText(lag)}`);
    },
  );

/** Of other switches that count too those that answer are asked again; nobody waits for one that does not. */
export const readsIfFresh = (
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
): readonly Reread[] => readsIfFresh('switch.lags', hosts, judgement);

/** What a guard claims of both ends: of the far one only what is looked at there, and else what is not and why. */
export const claimsOfBothEnds = (
  { host: { name } }: Target,
  { readings }: Judgement,
  far: Lag | undefined,
  { text, there, what }: { text: string; there: boolean; what: string },
): Pick<Guard, 'text' | 'unchecked'> => {
  if (far && there) return { text: `${text}, on ${name} and on ${far.host}` };
  const why = far
    ? `${far.host} does not report it${readings.source('switch.lags', far.host)?.state === 'fresh' ? '' : ' now'}`
    : 'which LAG of which switch that is, is not known';
  return { text: `${text}, on ${name}`, unchecked: `${what} at the far end: ${why}` };
};

/** Both LAGs that a shutdown takes a member from, and which: the far one where it can be counted. */
export const shrinkingLags = (
  { port, subject }: Target,
  lag: Lag,
  live: Judgement,
): readonly { lag: Lag; port: string }[] => {
  const far = findMemberAcross(subject.id, live);
  return [{ lag, port }, ...(far ? [far] : [])];
};

/** Guard 6: enough members stay up, counting what others took out; at the far end too where it is known, and is said to be. */
export const requireEnoughMembers = (target: Target, judgement: Judgement): Guard => {
  const far = findLagAcross(target.subject.id, judgement);
  const farReads = lagReads([far?.host], judgement);
  const claims = claimsOfBothEnds(target, judgement, far, {
    text: 'enough members of the LAG stay up, counting those that others shut',
    there: farReads.length > 0,
    what: 'how many members stay up',
  });
  const reads = [...deviceReads(target), ...farReads];
  return lagGuard(target, { id: '6 members', ...claims, reads, absolute: false }, (own, live) => {
    const uncounted = uncountedFarEnd(target, live);
    if (uncounted !== undefined) return failGuard(uncounted);
    const leastOf = ({ members }: Lag): number => Math.ceil(members.length * settingsOf(live.site).lag.keep);
    for (const { lag, port } of shrinkingLags(target, own, live)) {
      const stay = workingMembers(lag, port).length;
      const out = lag.members.length - stay - 1;
      const others = out > 0 ? `, ${out} more ${out === 1 ? 'is' : 'are'} out already` : '';
      if (stay < leastOf(lag))
        return failGuard(
          `${stay} of ${lag.members.length} members of ${lag.lag} on ${lag.host} would stay up (limit ${leastOf(lag)})${others}${uncountedText(lag)}`,
        );
    }
    const across = findLagAcross(target.subject.id, live);
    const notCounted = across?.guessed
      ? `; at ${across.host} not counted: it does not report which members of ${across.lag} carry traffic`
      : '';
    return passGuard(
      `${workingMembers(own, target.port).length} of ${own.members.length} members stay up (limit ${leastOf(own)})${notCounted}`,
    );
  });
};

/** Two samples closer than this make no good rate. */
const betweenMs = 2000;

/** Guard 6: the rest can carry it. Rates or speeds that are not known refuse. */
export const roomForLoad = (target: Target): Guard =>
  lagGuard(
    target,
    {
      id: '6 load',
      text: `the other members can carry the load, by the rates that ${target.host.name} counted last`,
      absolute: false,
    },
    (lag, live) => {
      const limit = settingsOf(live.site).lag.load;
      const load = loadWithout(live, lag, target.port);
      if (load === undefined) {
        const gap = loadGap(live, lag);
        const text = `the load on the members of ${lag.lag} is not known${gap ? `: ${gap.text}` : ''}`;
        return gap?.once ? { ok: false, text, againMs: betweenMs } : failGuard(text);
      }
      const text = `${percent(load)} load on the busiest of those that stay (limit ${percent(limit)})`;
      return load > limit ? failGuard(text) : passGuard(text);
    },
  );

/** The LAG at the other end, where it is known. */
export const farLag = ({ subject }: Target, live: Judgement): Lag | undefined =>
  findLagAcross(subject.id, live);
