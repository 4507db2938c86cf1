import type { Standing } from '../../read/member-states.ts';
import { valueAt, isRecord, jsonIn, textOf } from '../../read/parse-json.ts';
import {
  chassisReadingOf,
  lostPartsOf,
  noneSpans,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import { minLinksReader } from '../shared/port-channels.ts';

/**
 * Flags side by side, by the legend above `show port-channel summary`: P bundled in Po, s suspended, G aggregable, I individual, S
 * short time-out, w wait for aggregator, + in sync, - out of sync, i incompatible, D down, E and M beyond a limit. `bundled` is that of
 * `show lacp peer | json`.
 */
const working: ReadonlySet<string> = new Set(['P', 'PG+', 'PSG+', 'bundled']);

/** What keeps it out, the first that is said. */
const out: readonly (readonly [flag: string, Standing])[] = [
  ['D', 'down'],
  ['s', 'suspended'],
  ['I', 'individual'],
  ['w', 'negotiating'],
  ['i', 'unfit'],
  ['E', 'unfit'],
  ['M', 'unfit'],
  ['-', 'negotiating'],
];

export const eosStanding = (state: string): Standing | undefined => {
  if (working.has(state)) return 'working';
  if (!/^[sGISwDiEM+-]{1,6}$/.test(state)) return undefined;
  return out.find(([flag]) => state.includes(flag))?.[1];
};

/** A configuration names the number only where it is not one (EOS manual). */
export const eosMinLinks = minLinksReader(/^interface (\S+)/i, /^\s+port-channel min-links (\d+)/, 1);

/** `show mlag` and `show mlag interfaces`, JSON. With both there: active, connected, up (EOS manual, MLAG status). */
export const eosChassis = ({ section, lag }: ChassisAnswer): ChassisReading | undefined => {
  const domain = jsonIn(section('show mlag | json'));
  const state = textOf(valueAt(domain, 'state'));
  if (state === undefined) return undefined;
  if (state === 'disabled') return noneSpans;
  const interfaces = valueAt(jsonIn(section('show mlag interfaces | json')), 'interfaces');
  if (!isRecord(interfaces)) return undefined;
  return chassisReadingOf(
    Object.values(interfaces).map((one) => ({
      lag: lag(textOf(valueAt(one, 'localInterface'))),
      peerLag: lag(textOf(valueAt(one, 'peerInterface'))),
    })),
    lag(textOf(valueAt(domain, 'peerLink'))),
    lostPartsOf([
      ['state', state, /^active$/],
      ['negotiation', textOf(valueAt(domain, 'negStatus')), /^connected$/],
      ['peer-link', textOf(valueAt(domain, 'peerLinkStatus')), /^up$/],
    ]),
  );
};
