import { dropUndefined } from '../../../src/kit/known.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { platformOf } from '../platforms/index.ts';
import { journal } from '../read/journal.ts';
import { isDown } from '../read/link-words.ts';
import type { Link, LinkEnd } from '../links/link.ts';
import { farEndOf, knownLinks, linkAtTime, upSeries } from '../links/links.ts';
import { findJumboOver } from '../matrix/matrix.ts';
import { cachedRates } from '../judge/rates.ts';
import { repairsAt } from './noted-repairs.ts';
import { isBad } from '../judge/severity.ts';
import { samplesOf, sourceOf } from '../ask/sources.ts';
import { settingsAt, settingsKnownAt } from '../judge/settings-at.ts';
import type { EndState } from '../judge/states.ts';
import { badSeries, loadSeries } from '../judge/track.ts';
import type { Case, End, Origin, Place } from './case.ts';
import { payloadOf, refusedOf } from './frame-sizes.ts';
import { originsOf, type Arrival } from './origins.ts';
import { sharedPartOf } from './shared-parts.ts';

/** A part that was changed longer ago may have gone bad again. */
const recentMs = 30 * 86_400_000;

const hourMs = 3_600_000;

/** `core3 te3/46`. */
export const nameOf = ({ id, host, port }: LinkEnd): string =>
  host !== undefined && port !== undefined ? `${host} ${port}` : id;

const placeOfEnd = (end: LinkEnd): Place => ({ id: end.id, name: nameOf(end) });

const isCutThrough = (host: string, { site }: Judgement): boolean =>
  platformOf(site.host(host)?.platform ?? '')?.cutThrough === true;

/** Ports of a switch that receive bad frames now, with who sends to them. */
const arrivalsAt = (host: string, judgement: Judgement): Arrival[] => {
  const source = sourceOf(judgement.readings, 'counters', host);
  return [...(source ? cachedRates(samplesOf(source)) : [])].flatMap(([port, intervals]): Arrival[] => {
    if (!isBad(intervals, judgement)) return [];
    const id = `${host}:${port}`;
    const far = farEndOf(id, judgement);
    const at = { id, name: `${host} ${port}` };
    return [{ at, ...dropUndefined({ from: far && placeOfEnd(far), fromHost: far?.host }) }];
  });
};

const originsFor = ({ host: sender }: LinkEnd, { a, b }: Link, judgement: Judgement): readonly Origin[] =>
  sender === undefined
    ? []
    : originsOf(sender, {
        arrivalsAt: (host) =>
          arrivalsAt(host, judgement).filter(({ at }) => at.id !== a.id && at.id !== b.id),
        cutsThrough: (host) => isCutThrough(host, judgement),
      });

/** Bad frames/s that the switch of an end receives at its other ports; undefined: it was not read twice. */
const arrivingAt = ({ host, port }: LinkEnd, { readings }: Judgement): number | undefined => {
  const source = host === undefined ? undefined : sourceOf(readings, 'counters', host);
  const rates = source ? [...cachedRates(samplesOf(source))] : [];
  return rates.length === 0
    ? undefined
    : rates.reduce((sum, [one, [now]]) => sum + (one === port ? 0 : (now?.rxBad ?? 0)), 0);
};

/** What an end carries by its MTU, and what it refuses for its length. */
export const sizesOf = (
  state: EndState,
  judgement: Pick<Judgement, 'readings' | 'site'>,
): Pick<End, 'payload' | 'refused'> => {
  const {
    end,
    rates: [now],
  } = state;
  const platform = end.host === undefined ? undefined : platformOf(judgement.site.host(end.host)?.platform);
  const payload = payloadOf(platform, settingsAt(state, judgement).mtu);
  return dropUndefined({ payload, refused: now && refusedOf(now, platform, payload) });
};

const endOf = (
  way: 'sends' | 'receives',
  state: EndState,
  link: Link,
  judgement: Judgement,
  since: number,
): End => {
  const { end } = state;
  const cuts = end.host !== undefined && isCutThrough(end.host, judgement);
  return {
    ...placeOfEnd(end),
    rates: state.rates,
    lanes: state.lanes,
    // Bad frames after a repair are what speaks against it: the interval must have begun later.
    repairs: repairsAt(judgement, end.id, link).filter((one) => one.at <= since && one.at > since - recentMs),
    ...(cuts && { cutThrough: true }),
    ...sizesOf(state, judgement),
    ...dropUndefined({
      settings: state.port && settingsKnownAt(state, judgement),
      neighbours: sharedPartOf(end, way, judgement),
    }),
  };
};

/** Bad frames and load of the last hour, from the history: readings alone go back three intervals. */
const pastOf = (id: string, { history, now }: Judgement): NonNullable<Case['past']> => {
  const loads = history.changes(loadSeries(id), now - hourMs);
  return history.changes(badSeries(id), now - hourMs).flatMap(({ at, value }) => {
    // What did not change was not written again: the last one stands.
    const load = Number(loads.findLast((one) => one.at <= at)?.value ?? 0);
    return Number(value) > 0 && load > 0 ? [{ share: Number(value) / load, load }] : [];
  });
};

/** So long after a console shut a port it is read down by the slowest interval, ms. */
const seenMs = 90_000;

/** How often the link went down in the last hour but for our own doing, and since when it is up, by the device's words. */
export const flapsOf = (
  id: string,
  judgement: Judgement,
  far?: string,
): { flaps: number; upSince?: number } => {
  const { history, now } = judgement;
  // The first that is known is no change: the port was so when it was first read.
  const changes = history.changes(upSeries(id), 0).slice(1);
  if (changes.length === 0) return { flaps: 0 };
  const stateOf = ({ value }: { value: unknown }) => linkAtTime(id, value, judgement);
  const down = changes.filter((one) => isDown({ state: stateOf(one) }));
  const ours = (journal(judgement)?.moved ?? []).filter(({ port }) => port === id || port === far);
  const flaps = down.filter(
    ({ at }) => at >= now - hourMs && !ours.some((one) => at >= one.at - 5_000 && at <= one.at + seenMs),
  );
  const last = changes.at(-1);
  return { flaps: flaps.length, ...(last && stateOf(last) === 'up' && { upSince: last.at }) };
};

/** Everything that is known of bad frames going from one end of a link to the other. */
export const caseOf = (link: Link, from: EndState, to: EndState, judgement: Judgement): Case => {
  const [now = from.rates[0]] = to.rates;
  const since = now === undefined ? judgement.now : now.at - now.seconds * 1000;
  const sender = endOf('sends', from, link, judgement, since);
  const stomped = (to.rates[0]?.rxStomped ?? 0) > 0;
  const jumbo = findJumboOver(judgement, link, knownLinks(judgement));
  const { flaps, upSince } = flapsOf(to.end.id, judgement, from.end.id);
  return {
    from: {
      ...sender,
      ...((sender.cutThrough === true || stomped) && {
        origins: originsFor(from.end, link, judgement),
        ...dropUndefined({ arriving: arrivingAt(from.end, judgement) }),
      }),
    },
    to: endOf('receives', to, link, judgement, since),
    bothWays: from.severity !== undefined && to.severity !== undefined,
    past: pastOf(to.end.id, judgement),
    flaps,
    ...dropUndefined({
      linkedForSeconds: upSince === undefined ? undefined : (judgement.now - upSince) / 1000,
      jumbo,
    }),
  };
};
