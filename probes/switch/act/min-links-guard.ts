import { count } from '../../../src/text/units.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import type { Guard, ParameterPrompt } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { platformOf } from '../platforms/index.ts';
import { type Lag, findLagAcross, workingMembers } from '../links/lags.ts';
import type { MinLinksReading } from '../read/min-links.ts';
import {
  claimsOfBothEnds,
  lagGuard,
  uncountedText,
  readsIfFresh,
  shrinkingLags,
  repairHint,
} from './guards.ts';
import { type Target, uncountedFarEnd } from './parts.ts';
import { deviceReads } from './reads.ts';

const MIN_LINKS = '6 min links';

/** Where nobody can be asked how many members the LAG needs: not met, but to be exceeded for a reason that the operator types. */
export const isMinLinksUnknown = ({ id, absolute }: Guard): boolean => id === MIN_LINKS && !absolute;

export const whyWithoutMinLinks: ParameterPrompt = {
  name: 'exceed6',
  label: 'how many members its LAG needs is not known: why shut it anyway',
  required: true,
  exceeds: '6',
};

const sourceOfLeast = ({ readings }: Judgement, host: string) =>
  readings.source<MinLinksReading>('switch.minlinks', host);

/** How many members the LAG needs, by a reading that may be hours old: a configuration changes seldom. */
const leastOf = (live: Judgement, { host, lag }: Lag): number | undefined =>
  sourceOfLeast(live, host)?.good?.value.lags.find((one) => one.lag === lag)?.min;

/** Whether a switch is one that can be asked how many members its LAGs need. */
const canTell = (live: Judgement, { host }: Lag): boolean =>
  platformOf(live.site.host(host)?.platform ?? '')?.minLinks !== undefined;

/**
 * Guard 6: with fewer members than it needs a LAG goes down as a whole. A device that is asked and does not tell: refused. One that is not
 * known to tell: refused too, but whoever knows it may say so. Of the far end a configuration that was read hours ago still tells.
 */
export const minimumLinks = (target: Target, judgement: Judgement): Guard => {
  const { host, platform, subject } = target;
  const isAsked = platform.minLinks !== undefined;
  const far = findLagAcross(subject.id, judgement);
  const claims = claimsOfBothEnds(target, judgement, far, {
    text: 'the LAG keeps as many members as it needs to stay up',
    there: far !== undefined && canTell(judgement, far),
    what: 'how many members it needs to stay up',
  });
  const reads = [
    ...deviceReads(target),
    ...(isAsked ? [{ probe: 'switch.minlinks', host: host.name }] : []),
    ...readsIfFresh('switch.minlinks', [far?.host], judgement),
  ];
  return lagGuard(target, { id: MIN_LINKS, ...claims, reads, absolute: isAsked }, (own, live) => {
    if (!isAsked)
      return failGuard(
        `how many members ${own.lag} needs to stay up is not known: ${platform.title} is not asked for it; to go on: --set exceed6="why"`,
      );
    const source = sourceOfLeast(live, host.name);
    const least = source?.state === 'fresh' ? leastOf(live, own) : undefined;
    if (least === undefined)
      return failGuard(
        `how many members ${own.lag} needs is not known: ${source?.failure?.message ?? 'not read'}${repairHint(host.platform)}`,
      );
    const uncounted = uncountedFarEnd(target, live);
    if (uncounted !== undefined) return failGuard(uncounted);
    for (const { lag, port } of shrinkingLags(target, own, live)) {
      if (lag !== own && !canTell(live, lag)) continue;
      const needed = leastOf(live, lag);
      if (needed === undefined)
        return failGuard(`how many members ${lag.lag} on ${lag.host}, its far end, needs is not known`);
      const stay = workingMembers(lag, port).length;
      if (stay < needed)
        return failGuard(
          `${lag.lag} on ${lag.host} needs ${count(needed, 'member')} to stay up and would have ${stay}${uncountedText(lag)}`,
        );
    }
    return passGuard(`${own.lag} needs ${Math.max(1, least)} to stay up`);
  });
};
