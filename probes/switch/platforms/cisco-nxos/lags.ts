import type { MemberWords } from '../../read/member-states.ts';
import {
  chassisReadingOf,
  lostPartsOf,
  noneSpans,
  rowsIn,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';
import { minLinksReader } from '../shared/port-channels.ts';

/**
 * The legend above `show port-channel summary`: P up in port-channel, D down, I individual, H hot-standby (LACP only), s suspended, r
 * module-removed, b BFD session wait. `p` is up before LACP was heard (delay-lacp): in no bundle that LACP made. The capital S of that
 * legend is a port-channel's (switched).
 */
export const nxosMemberWords: MemberWords = {
  P: 'working',
  D: 'down',
  I: 'individual',
  H: 'standby',
  s: 'suspended',
  r: 'removed',
  b: 'negotiating',
  p: 'negotiating',
};

/** A configuration names the number only where it is not one (NX-OS interfaces guide). */
export const nxosMinLinks = minLinksReader(/^interface (\S+)/i, /^\s+lacp min-links (\d+)/, 1);

/**
 * `show feature | include vpc` and `show vpc brief`: the row below the peer-link's title, then one for each vPC. `Peer status: peer
 * adjacency formed ok` is the only good one (NX-OS interfaces guide, vPC).
 */
export const nxosChassis = ({ section, lag }: ChassisAnswer): ChassisReading | undefined => {
  const feature = /^vpc\s+\d+\s+(enabled|disabled)/m.exec(section('show feature | include vpc'))?.[1];
  if (feature === undefined) return undefined;
  if (feature === 'disabled') return noneSpans;
  const table = section('show vpc brief');
  if (!/^vPC domain id\s+:/m.test(table)) return undefined;
  if (/^vPC domain id\s+:\s*not configured/im.test(table)) return noneSpans;
  const peer = /^Peer status\s+:\s*(.*\S)/im.exec(table)?.[1];
  if (peer === undefined) return undefined;
  const [links = '', ports = ''] = table.split(/^vPC status\s*$/m);
  const row = /^\s*\d+\*?\s+(Po\d+)\s+(?:up|down)/gm;
  const namesIn = (text: string): (string | undefined)[] =>
    [...text.matchAll(row)].map(([, name]) => lag(name));
  const spanning = namesIn(ports);
  if (spanning.length < rowsIn(ports, /^ {0,5}\d+\*? +\S/gm)) return undefined;
  return chassisReadingOf(
    spanning.map((one) => ({ lag: one })),
    namesIn(links)[0],
    lostPartsOf([['peer status:', peer, /^peer adjacency formed ok$/]]),
  );
};
