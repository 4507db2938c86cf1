import type { Judgement } from '../../src/model/system.ts';
import { cachedRates } from './rates.ts';
import { samplesOf, sourceOf } from './sources.ts';

/** A LAG of one device as read last. */
export interface Lag {
  host: string;
  /** `po98`. */
  lag: string;
  protocol?: string;
  members: readonly { port: string; active: boolean | undefined }[];
  /** UTC ms of the reading, and whether it is the last one asked for. */
  at: number;
  fresh: boolean;
}

/** The LAG that a port belongs to: by the device's own LAG table, else by what the port says of itself. */
export const lagOf = ({ readings }: Judgement, host: string, port: string): Lag | undefined => {
  const table = sourceOf(readings, 'lags', host);
  const own = table?.good?.value.members.find((one) => one.member === port)?.lag;
  if (table?.good && own !== undefined) {
    const protocol = table.good.value.lags.find((one) => one.lag === own)?.protocol;
    return {
      host,
      lag: own,
      ...(protocol !== undefined && { protocol }),
      members: table.good.value.members
        .filter((one) => one.lag === own)
        .map((one) => ({ port: one.member, active: one.active })),
      at: table.good.at,
      fresh: table.state === 'fresh',
    };
  }
  const counters = sourceOf(readings, 'counters', host);
  const ports = counters?.good?.value.ports ?? [];
  const named = ports.find((one) => one.port === port)?.memberOf;
  if (!counters?.good || named === undefined) return undefined;
  return {
    host,
    lag: named,
    members: ports
      .filter((one) => one.memberOf === named)
      .map((one) => ({ port: one.port, active: /^up$/i.test(one.link ?? '') })),
    at: counters.good.at,
    fresh: counters.state === 'fresh',
  };
};

/** `7/8`: active members of all. */
export const membersText = ({ members }: Lag): string =>
  `${members.filter((one) => one.active).length}/${members.length}`;

/** Load 0..1 of a port in its busier direction; undefined when its rates or its speed are not known. */
export const loadOf = ({ readings }: Judgement, host: string, port: string): number | undefined => {
  const source = sourceOf(readings, 'counters', host);
  const rates = source && cachedRates(samplesOf(source)).get(port)?.[0];
  const speed = source?.good?.value.ports.find((one) => one.port === port)?.speedMbps;
  if (rates?.rxBytes === undefined || rates.txBytes === undefined || speed === undefined) return undefined;
  return (Math.max(rates.rxBytes, rates.txBytes) * 8) / (speed * 1e6);
};

/** Load on the busiest of the other active members once this one is gone, its traffic spread over them. */
export const loadWithout = (judgement: Judgement, lag: Lag, port: string): number | undefined => {
  const rest = lag.members.filter((one) => one.active && one.port !== port);
  const own =
    lag.members.find((one) => one.port === port)?.active === true ? loadOf(judgement, lag.host, port) : 0;
  const loads = rest.map((one) => loadOf(judgement, lag.host, one.port));
  if (own === undefined || rest.length === 0) return undefined;
  let most = 0;
  for (const load of loads) {
    if (load === undefined) return undefined;
    most = Math.max(most, load);
  }
  return most + own / rest.length;
};
