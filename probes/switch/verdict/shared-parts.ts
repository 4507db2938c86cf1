import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { samplesOf, sourceOf } from '../ask/sources.ts';
import { cachedRates, type PortRates } from '../judge/rates.ts';
import { isBad } from '../judge/severity.ts';
import { lagOf } from '../links/lags.ts';
import type { LinkEnd } from '../links/link.ts';
import { farEndOf } from '../links/links.ts';
import { platformOf } from '../platforms/index.ts';
import { isPhysical } from '../read/port-states.ts';
import type { SharedPart } from './case.ts';
import { judgeLight } from './light.ts';

/** Damage of one fault is of one size: what is a hundred times less is another's. */
const alike = 100;

type Way = 'sends' | 'receives';

/** A port of a device that carries traffic. */
interface Bearer {
  port: string;
  /** `te3/`, `xe-0/0/1:`; a port without a card has none. */
  group?: string;
  /** Whom it leads to; of those that nobody knows each LAG is one. */
  device: string;
  /** Share of bad frames, 0..1, of a port that receives damage (that sends it: by what the far end receives) for no reason of its own. */
  share?: number;
}

const ratesAt = ({ host, port }: LinkEnd, { readings }: Judgement): readonly PortRates[] => {
  const source = host === undefined ? undefined : sourceOf(readings, 'counters', host);
  return (source && port !== undefined && cachedRates(samplesOf(source)).get(port)) || [];
};

const lightAt = ({ host, port }: LinkEnd, side: 'tx' | 'rx', { readings }: Judgement): string => {
  const lanes = host === undefined ? undefined : sourceOf(readings, 'optics', host)?.good?.value.lanes;
  return judgeLight(
    (lanes ?? []).filter((one) => one.port === port),
    side,
  );
};

/** Damage that its receiver does not see explained on this link alone: by light that is lost, or as damaged elsewhere. */
const unexplainedShare = (
  from: LinkEnd | undefined,
  to: LinkEnd,
  judgement: Judgement,
): number | undefined => {
  const rates = ratesAt(to, judgement);
  const [now] = rates;
  if (!now || !isBad(rates, judgement)) return undefined;
  if ((now.rxStomped ?? 0) >= 0.8 * (now.rxBad ?? 0)) return undefined;
  if (['low', 'high'].includes(lightAt(to, 'rx', judgement))) return undefined;
  return from && lightAt(from, 'tx', judgement) === 'low' ? undefined : (now.rxShare ?? 1);
};

const bearersOf = (host: string, way: Way, judgement: Judgement): readonly Bearer[] => {
  const source = sourceOf(judgement.readings, 'counters', host);
  // A fabric names only its bad ports: of how many they are is not known.
  if (!source?.good || platformOf(judgement.site.host(host)?.platform)?.fabric) return [];
  return [...cachedRates(samplesOf(source))].flatMap(([port, [now]]): Bearer[] => {
    if (!isPhysical(port) || ((now?.rxPackets ?? 0) <= 0 && (now?.txPackets ?? 0) <= 0)) return [];
    const end = { id: `${host}:${port}`, host, port };
    const far = farEndOf(end.id, judgement);
    const share =
      way === 'receives'
        ? unexplainedShare(far, end, judgement)
        : far && unexplainedShare(end, far, judgement);
    const group = /^(.+[/:])\d+$/.exec(port)?.[1];
    return [
      {
        port,
        device: far?.host ?? far?.id ?? lagOf(judgement, host, port)?.lag ?? port,
        ...(group !== undefined && { group }),
        ...(share !== undefined && { share }),
      },
    ];
  });
};

const bearersIn = memoPerJudgement((_judgement) => new Map<string, readonly Bearer[]>());

/** Made once for each device and direction: only of ports with bad frames anybody asks. */
const bearersAt = (host: string, way: Way, judgement: Judgement): readonly Bearer[] => {
  const made = bearersIn(judgement);
  const key = `${way} ${host}`;
  const bearers = made.get(key) ?? bearersOf(host, way, judgement);
  made.set(key, bearers);
  return bearers;
};

const partOf = (what: string, own: Bearer, on: readonly Bearer[], isBreakout = false): SharedPart => {
  const others = on.filter((one) => one !== own);
  const { share: least = 0 } = own;
  const bad = others.filter(
    ({ share }) => share !== undefined && share * alike >= least && share <= least * alike,
  );
  const devices = new Set([own, ...bad].map(({ device }) => device)).size;
  return { what, total: others.length, bad: bad.length, ...(!isBreakout && { devices }) };
};

/** `xe-0/0/1:`; `eth50/` beside `eth1`, `eth1/5/` beside `eth1/4`: parts of a port, where others are whole. */
const isBreakoutOf = (own: string, all: readonly Bearer[]): boolean =>
  own.endsWith(':') || all.some(({ group = '' }) => group !== own && own.startsWith(group));

/**
 * What a port with bad frames shares with other ports of its device: the breakout cable (`xe-0/0/1:`), the module or card (`te3/`), or,
 * where those beside its card suffer as well or it has none, the device itself. Undefined: it shares nothing that carries traffic, or
 * what is wrong with it shows on its own link.
 */
export const sharedPartOf = (
  { host, port }: LinkEnd,
  way: Way,
  judgement: Judgement,
): SharedPart | undefined => {
  if (host === undefined) return undefined;
  const all = bearersAt(host, way, judgement);
  const own = all.find((one) => one.port === port);
  if (own?.share === undefined || all.length < 2) return undefined;
  const device = partOf(host, own, all);
  const { group } = own;
  if (group === undefined) return device;
  const on = all.filter((one) => one.group === group);
  const isBreakout = isBreakoutOf(group, all);
  const part = partOf(`${isBreakout ? 'breakout' : 'card'} ${group.slice(0, -1)}`, own, on, isBreakout);
  const beside = { total: device.total - part.total, bad: device.bad - part.bad };
  const isWhole = beside.total === 0 ? !isBreakout : beside.bad > 0 && beside.bad * 2 >= beside.total;
  if (isWhole) return device;
  return part.total === 0 ? undefined : part;
};
