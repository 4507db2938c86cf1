import { matchFirst, type PortLine } from './port-lines.ts';

/** What a device says itself of how often its link changed, and when it last did. */
export interface LinkChanges {
  /** Counted since the counters were cleared, or since the start: each change, or each loss, as the make counts. */
  count?: bigint;
  /** Seconds since the last one when the device answered; coarse where it prints days. */
  agoS?: number;
}

/** Most lines say nothing of it. */
const mayTell = /flap|chang|transition|refreshtime|state: |physical|system time|port (?:up|down) for/i;

const counts: readonly RegExp[] = [
  // EOS, JSON and screen.
  /"linkStatusChanges": (\d+)/,
  /^\s*(\d+) link status changes since last clear/,
  // Onyx: `Last change in operational status: 71d and 13:19:53 ago (3 oper change)`.
  /\((\d+) oper change/,
  /^\s*Link transitions: (\d+)/,
  /^carrier_changes: (\d+)$/,
  // XR; IOS of serial links.
  /\b(\d+) carrier transitions/,
  // Not `interface resets` of IOS and NX-OS: an interface is reset when queued packets were not sent for seconds, too, with its link up
  // (Cisco IOS Interface Command Reference, show interfaces).
];

const stamps: readonly RegExp[] = [
  /^\s*Time since last interface status change: (.+)$/,
  /^\s*Last link flapp(?:ed|ing):? (.+)$/,
  /"eth_link_flapped": (.+)$/,
  /<interface-flapped[^>]*seconds="([1-9]\d*)"/,
  /^\s*Last flapped\s*: .*\(([^()]*) ago\)$/,
  /^\s*"?Last change in operational status"?\s*: (.+?) ago\b/,
  /^\s*Link state: (?:up|down) for (.+?) \(since/,
  /^\s*Port (?:up|down) for (.+)$/,
];

const unitS: Readonly<Record<string, number>> = {
  y: 31_536_000,
  mo: 2_592_000,
  w: 604_800,
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
};

/**
 * Seconds of `40w1d9h`, `2week(s) 3day(s)`, `14 weeks 4 days 22 hours`, `00:01:05`, Junos `1w1d 01:59` (hours and minutes) and plain
 * seconds; undefined for `never` and words not known.
 */
const secondsIn = (text: string): number | undefined => {
  if (/^\d+$/.test(text.trim())) return Number(text);
  const clock = /(?<![\d:])(\d{1,4}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?![\d:])/.exec(text);
  const units = [...text.matchAll(/(\d+) ?(mo|[ywdhms])[a-z]*/gi)];
  if (!clock && units.length === 0) return undefined;
  const [hours, minutes, seconds] = [1, 2, 3].map((part) => Number(clock?.[part] ?? 0));
  return units.reduce(
    (sum, [, figure, unit = '']) => sum + Number(figure) * (unitS[unit.toLowerCase()] ?? 0),
    (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0),
  );
};

/** `Last clearing ... counters 41w2d3h`, `00:00:12` in seconds; undefined: never, or not understood. */
export const parseClearedAgo = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  // Junos: `2026-01-02 03:04:05 UTC (00:00:12 ago)`.
  const span = /\(([^()]*) ago\)$/.exec(text)?.[1] ?? text;
  const clock = /^(\d+):(\d\d):(\d\d)$/.exec(span.trim());
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  const parts = [...span.matchAll(/(\d+)([ywdhms])/g)];
  return parts.length === 0
    ? undefined
    : parts.reduce((sum, [, value, unit]) => sum + Number(value) * (unitS[unit ?? ''] ?? 0), 0);
};

/** EOS and VRP stamp by their own clock, and say what time it was when they were asked; seconds of that clock. */
interface Clock {
  changed?: number;
  now?: number;
}

/** What a stamp of the clock is about. */
const clockIn = (line: string): [keyof Clock, number] | undefined => {
  const [, key, at] = /"(lastStatusChangeTimestamp|counterRefreshTime)": (\d+(?:\.\d+)?)$/.exec(line) ?? [];
  if (key !== undefined) return [key === 'counterRefreshTime' ? 'now' : 'changed', Number(at)];
  // VRP: `Last physical up time   : 2024-02-08 16:30:16`, with `Current system time` in each block.
  const [, words, day, time] =
    /^\s*(Last physical (?:up|down) time|Current system time) *: (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(
      line,
    ) ?? [];
  const seconds = Date.parse(`${day}T${time}Z`) / 1000;
  return words === undefined || Number.isNaN(seconds)
    ? undefined
    : [words.startsWith('Current') ? 'now' : 'changed', seconds];
};

/** Changes of links by the printed name of the port. A port that says nothing of them is absent. */
export const changesOf = (lines: Iterable<PortLine>): ReadonlyMap<string, LinkChanges> => {
  const found = new Map<string, LinkChanges & Clock>();
  for (const { port, line } of lines) {
    if (!mayTell.test(line)) continue;
    const one = found.get(port) ?? {};
    found.set(port, one);
    const count = matchFirst(counts, line);
    if (count !== undefined) one.count ??= BigInt(count);
    const ago = secondsIn(matchFirst(stamps, line) ?? '');
    if (ago !== undefined) one.agoS ??= ago;
    const [key, at] = clockIn(line) ?? [];
    // The last of both: up and down stand apart.
    if (key !== undefined && at !== undefined) one[key] = Math.max(one[key] ?? at, at);
  }
  return new Map(
    [...found].flatMap(([port, { count, agoS, changed, now }]) => {
      const since =
        agoS ?? (changed === undefined || now === undefined || now < changed ? undefined : now - changed);
      if (count === undefined && since === undefined) return [];
      return [
        [
          port,
          { ...(count !== undefined && { count }), ...(since !== undefined && { agoS: Math.round(since) }) },
        ],
      ];
    }),
  );
};
