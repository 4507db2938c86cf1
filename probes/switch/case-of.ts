import type { Judgement } from '../../src/model/system.ts';
import { platformOf } from './ask/index.ts';
import { journal } from './journal.ts';
import { isDown } from './link-words.ts';
import { farEnd, linkAt, linksKnown, linkThen, upSeries, type Link, type LinkEnd } from './links.ts';
import { jumboOver } from './matrix.ts';
import { cachedRates } from './rates.ts';
import type { Port } from './readings.ts';
import { repairsAt } from './repairs.ts';
import { isBad } from './severity.ts';
import { samplesOf, sourceOf } from './sources.ts';
import type { EndState } from './states.ts';
import { badSeries, loadSeries } from './track.ts';
import type { PortSettings } from './port-settings.ts';
import type { Case, End, Origin } from './verdict/case.ts';
import { originsOf, type Arrival } from './verdict/origins.ts';

/** A part that was changed longer ago may have gone bad again. */
const recentMs = 30 * 86_400_000;

const hourMs = 3_600_000;

/** `core3 te3/46`. */
export const nameOf = ({ id, host, port }: LinkEnd): string =>
  host !== undefined && port !== undefined ? `${host} ${port}` : id;

/** Ports of the same breakout (`xe-0/0/1:`), module or card (`te3/`) that carry traffic, and how many of them receive bad frames. */
const neighboursOf = ({ end: { host, port } }: EndState, judgement: Judgement): End['neighbours'] => {
  const group = port === undefined ? undefined : /^(.+[/:])\d+$/.exec(port)?.[1];
  const source = host === undefined ? undefined : sourceOf(judgement.readings, 'counters', host);
  if (!source?.good || group === undefined) return undefined;
  const rates = cachedRates(samplesOf(source));
  const others = [...rates].filter(
    ([one, [now]]) => one !== port && one.startsWith(group) && (now?.rxPackets ?? 0) > 0,
  );
  const bad = others.filter(([, intervals]) => isBad(intervals, judgement));
  const what = `${group.endsWith(':') ? 'breakout' : 'card'} ${group.slice(0, -1)}`;
  return others.length === 0 ? undefined : { what, total: others.length, bad: bad.length };
};

const cutsThrough = (host: string, { site }: Judgement): boolean =>
  platformOf(site.host(host)?.platform ?? '')?.cutThrough === true;

/** Ports of a switch that receive bad frames now, with who sends to them. */
const arrivalsAt = (host: string, judgement: Judgement): Arrival[] => {
  const source = sourceOf(judgement.readings, 'counters', host);
  const links = linksKnown(judgement);
  return [...(source ? cachedRates(samplesOf(source)) : [])].flatMap(([port, intervals]): Arrival[] => {
    if (!isBad(intervals, judgement)) return [];
    const id = `${host}:${port}`;
    const link = linkAt(links, id);
    const far = link && farEnd(link, id);
    return [
      {
        at: `${host} ${port}`,
        ...(far && { from: nameOf(far) }),
        ...(far?.host !== undefined && { fromHost: far.host }),
      },
    ];
  });
};

const originsFor = (from: LinkEnd, judged: Link, judgement: Judgement): readonly Origin[] => {
  const own = new Set([nameOf(judged.a), nameOf(judged.b)]);
  return from.host === undefined
    ? []
    : originsOf(from.host, {
        at: (host) => arrivalsAt(host, judgement).filter(({ at }) => !own.has(at)),
        cutsThrough: (host) => cutsThrough(host, judgement),
      });
};

const settingsOf = ({ speedMbps, duplex, autoneg, fec, mtu }: Port): PortSettings => ({
  ...(speedMbps !== undefined && { speedMbps }),
  ...(duplex !== undefined && { duplex }),
  ...(autoneg !== undefined && { autoneg }),
  ...(fec !== undefined && { fec }),
  ...(mtu !== undefined && { mtu }),
});

const endOf = (state: EndState, link: Link, judgement: Judgement, since: number): End => {
  const { end } = state;
  const cuts = end.host !== undefined && cutsThrough(end.host, judgement);
  const neighbours = neighboursOf(state, judgement);
  return {
    id: end.id,
    name: state.name,
    rates: state.rates,
    lanes: state.lanes,
    // Bad frames after a repair are what speaks against it: the interval must have begun later.
    repairs: repairsAt(judgement, end.id, link).filter((one) => one.at <= since && one.at > since - recentMs),
    ...(cuts && { cutThrough: true }),
    ...(state.port && { settings: settingsOf(state.port) }),
    ...(neighbours && { neighbours }),
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
export const upAndDown = (
  id: string,
  judgement: Judgement,
  far?: string,
): { flaps: number; upSince?: number } => {
  const { history, now } = judgement;
  // The first that is known is no change: the port was so when it was first read.
  const changes = history.changes(upSeries(id), 0).slice(1);
  const stateOf = ({ value }: { value: unknown }) => linkThen(id, value, judgement);
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
  const sender = endOf(from, link, judgement, since);
  const stomped = (to.rates[0]?.rxStomped ?? 0) > 0;
  const jumbo = jumboOver(judgement, link, linksKnown(judgement));
  const { flaps, upSince } = upAndDown(to.end.id, judgement, from.end.id);
  return {
    from: {
      ...sender,
      ...((sender.cutThrough === true || stomped) && { origins: originsFor(from.end, link, judgement) }),
    },
    to: endOf(to, link, judgement, since),
    bothWays: from.severity !== undefined && to.severity !== undefined,
    past: pastOf(to.end.id, judgement),
    flaps,
    ...(upSince !== undefined && { linkedForSeconds: (judgement.now - upSince) / 1000 }),
    ...(jumbo && { jumbo }),
  };
};
