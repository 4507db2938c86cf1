import { matchFirst, type PortLine } from './port-lines.ts';

/** How an end of a link is set, as far as its device says so in the answer that its counters come from. */
export interface PortSettings {
  speedMbps?: number;
  duplex?: 'full' | 'half';
  autoneg?: boolean;
  /** Reed-Solomon (clause 91, 108), fire code (clause 74), or none. */
  fec?: 'rs' | 'fc' | 'none';
  /** Bytes, as the device counts them: with or without the frame's head. */
  mtu?: number;
}

/** Most lines are about none of it: asked before the forms one by one. */
const maySay =
  /duplex|negotiat|fec\b|fec_mode|error-control|speed|mtu|frame length|bandwidth|link type|\bBW\b/i;

const mega: Readonly<Record<string, number>> = { k: 0.001, m: 1, g: 1000 };

/** A speed with its unit, by the words around it: rates of traffic are never one. */
const speeds: readonly RegExp[] = [
  /\bLineSpeed (\d+) ?(M|G)/,
  /duplex, (\d+(?:\.\d+)?) ?(M|G)(?:b\/s|bps|bit)/i,
  /^\s*Speed:? (\d+) ?(M)b\/s/,
  /<speed>(\d+)(M|G)bps<\/speed>/i,
  /\bSpeed: (\d+)(M|G)bps/i,
  /"?Actual speed"?\s*: "?(\d+) ?(M|G)(?:bps|b\/s|bit)?/i,
  // Comware 7 and 5, VRP.
  /^\s*(\d+(?:\.\d)?)(M|G)bps-speed mode/i,
  /^\s*(\d+)(M|G), (?:full|half),/i,
  /^\s*Speed ?: *(\d+)( ?),/,
];

/** Of Cisco: what `bandwidth` sets for routing; the speed only where nothing else tells it. */
const routed = /\bBW (\d+) [Kk]bit/;

const bandwidth = /"bandwidth": (\d+)/;
const duplex =
  /\b(full|half)[- ]?duplex\b|\bduplex"?(?:: ?|>|\s+)"?(?:duplex)?(full|half)|\bactual (f|h)dx|^\s*\d+[MG], (full|half),/i;
const autonegs: readonly RegExp[] = [
  /auto-?[ -]?negotiat(?:ion|e)"?\s*(?:is turned |is |:\s?|>|,? )"?(on|off|enabled?|disabled?|true|false|success)\b/i,
  // Comware 7 and 5, VRP.
  /\blink speed type is (auto|force)/i,
  /^\s*\d+[MG], (?:full|half), link type is (auto|force)/i,
  /\bNegotiation: *(enable|disable)/i,
];
/** The largest frame where it is printed, beside the MTU of IP (Comware, VRP). */
const mtus: readonly RegExp[] = [
  /\bmaximum frame length(?: is|:) (\d{3,5})\b/i,
  /\bMTU"?\s*[ :>]\s*"?(\d{3,5})\b/i,
];
/** What is in force goes before what is configured. */
const fecs: readonly RegExp[] = [
  /(?:oper(?:ational)? fec(?: state)?"?(?: is|\s*:)|current fec is|<fec-mode>|<enabled_fec_mode>)\s*"?([\w-]+)/i,
  /(?:\bfec mode(?: is|\s*:)|\berror-control:|^\s*"?fec"?\s*:|\bfec is|<fec>)\s*"?([\w-]+)/i,
];

/** The kind of an error correction by any of its names; undefined for `auto` and words not known here. */
export const fecKind = (word: string | undefined): PortSettings['fec'] => {
  if (word === undefined) return undefined;
  if (/^(?:rs|cl-?91|cl-?108|fec-?91|reed|kp4)/i.test(word)) return 'rs';
  if (/^(?:fc|base-?r|cl-?74|fec-?74|fire)/i.test(word)) return 'fc';
  return /^(?:off|none|disabled?|no-?fec|false)$/i.test(word) ? 'none' : undefined;
};

const speedIn = (line: string): number | undefined => {
  const bits = bandwidth.exec(line)?.[1];
  if (bits !== undefined) return bits === '0' ? undefined : Number(bits) / 1e6;
  for (const form of speeds) {
    const match = form.exec(line);
    if (match) return Number(match[1]) * (mega[(match[2] ?? '').toLowerCase()] ?? 1);
  }
  return undefined;
};

const settingsOfLine = (line: string): PortSettings => {
  const speedMbps = speedIn(line);
  // What the other side offers is not how this side is set.
  const way = /partner/i.test(line) ? null : duplex.exec(line);
  const auto = matchFirst(autonegs, line);
  const bytes = matchFirst(mtus, line);
  const word = way
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.toLowerCase();
  return {
    ...(speedMbps !== undefined && speedMbps > 0 && { speedMbps }),
    ...(word !== undefined && { duplex: word.startsWith('f') ? ('full' as const) : ('half' as const) }),
    ...(auto !== undefined && { autoneg: /^(?:on|enable|true|success|auto)/i.test(auto) }),
    ...(bytes !== undefined && { mtu: Number(bytes) }),
  };
};

/**
 * Settings by the port's printed name, from lines of screens and documents, each by its own words. What is not printed is absent: a guard
 * that needs it refuses, and no verdict rests on it.
 */
export const settingsOf = (lines: Iterable<PortLine>): ReadonlyMap<string, PortSettings> => {
  const found = new Map<string, PortSettings>();
  const inForce = new Set<PortSettings>();
  const bandwidths = new Map<PortSettings, number>();
  for (const { port, line } of lines) {
    let current = found.get(port);
    if (!current) found.set(port, (current = {}));
    if (!maySay.test(line)) continue;
    for (const [key, value] of Object.entries(settingsOfLine(line)))
      if (!(key in current)) Object.assign(current, { [key]: value });
    const kbits = routed.exec(line)?.[1];
    if (kbits !== undefined && Number(kbits) > 0) bandwidths.set(current, Number(kbits) / 1000);
    for (const [rank, form] of fecs.entries()) {
      const kind = fecKind(form.exec(line)?.[1]);
      if (kind === undefined || inForce.has(current)) continue;
      current.fec = kind;
      if (rank === 0) inForce.add(current);
    }
  }
  for (const [port, mbits] of bandwidths) port.speedMbps ??= mbits;
  return found;
};
