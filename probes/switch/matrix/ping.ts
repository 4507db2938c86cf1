import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { fpingTargets } from './ping-fping.ts';
import { captureOf } from '../read/parse-capture.ts';
import { decimal } from '../read/parse-values.ts';
import { dropAbsent } from '../read/rows.ts';

/** Round trip times in ms; `mdev` is iputils' own measure. */
export interface RoundTrip {
  readonly min: number;
  readonly avg: number;
  readonly max: number;
  readonly mdev?: number;
}

/** What one target answered; the counts are missing when the summary line was. */
export interface PingTarget {
  readonly target: string;
  /** Data bytes, without headers. */
  readonly payload?: number;
  readonly transmitted?: number;
  readonly received?: number;
  readonly errors?: number;
  readonly duplicates?: number;
  readonly lossPct?: number;
  readonly rttMs?: RoundTrip;
}

export interface PingResult {
  readonly targets: readonly PingTarget[];
  readonly error?: string;
  /** The MTU that a refusal named. */
  readonly mtu?: number;
}

/** `PING a (10.0.0.1) 8972(9000) bytes of data.`, `PING a(fd00::2 (fd00::2)) 8952 data bytes`. */
const opening = /^PING6?\b[^(]*\((?:[^()]*\()?([^()\s]+)\)+(.*)$/;

/** BSD's `PING6(56=40+8+8 bytes) ::1 --> fd00::2`. */
const opening6 = /^PING6?\(\d+=\d+\+\d+\+(\d+) bytes\) \S+ --> (\S+)/;

const summary =
  /^(\d+) packets transmitted, (\d+) (?:packets )?received(.*?), ([\d.]+(?:e-?\d+)?)% packet loss/;

/** Stands above the counts, with the name that was asked for. */
const closing = /^--- (\S+) (?:ping6? )?statistics ---/;

const times =
  /^(?:rtt|round-trip)\s+min\/avg\/max(\/mdev|\/stddev|\/std-dev)? = ([\d.]+)\/([\d.]+)\/([\d.]+)(?:\/([\d.]+|nan))? ms/;

/** What a router or the host itself says in place of an answer. */
const refusal =
  /^(?:\[[\d.]+\] )?(?:From|\d+ bytes from) \S+(?: \([^()]*\))?:?(?: (?:icmp_)?seq[= ]\d+)? (Dest(?:ination)? .+|Time to live exceeded.*|Packet filtered|Source Quench.*|Frag(?:mentation)? needed.*|Frag reassembly time exceeded|Packet too big.*)$/i;

const mtuIn = (line: string): number | undefined => {
  const match = /\bmtu ?[=:]? ?(\d{1,9})\b/i.exec(line);
  return match ? Number(match[1]) : undefined;
};

/** What fping says of a target without its own name before it. */
const ofTarget =
  /^(?:\S+: error while sending ping: (.+)|(\S+: (?:name or service not known|temporary failure in name resolution|no address associated with .+|address family for hostname not supported|nodename nor servname .+)))$/i;

const complaint = (line: string): string | undefined => {
  const targetMatch = ofTarget.exec(line);
  if (targetMatch) return targetMatch[1] ?? targetMatch[2];
  const match = /^(?:ping6?|connect|fping6?):\s*(.+)$/i.exec(line);
  // Warnings, and what `-v` tells of its sockets, are no failures.
  if (!match || /^(?:warning:|sock4?\.fd:)/i.test(match[1] ?? '')) return undefined;
  const words = (match[1] ?? '').replace(/^(?:local error|connect|sendto|sendmsg|socket|recvmsg): /i, '');
  return words.replace(/, mtu ?[=:] ?\d+$/i, '').trim();
};

const parseHeader = (line: string): PingTarget | undefined => {
  const match = opening.exec(line);
  const bytes = match && /\b(\d{1,9})(?:\(\d+\))? (?:data )?bytes/.exec(match[2] ?? '');
  if (match)
    return dropAbsent<PingTarget>({ target: match[1] ?? '', payload: bytes ? Number(bytes[1]) : undefined });
  const six = opening6.exec(line);
  return six ? { target: six[2] ?? '', payload: Number(six[1]) } : undefined;
};

const parseSummary = (line: string): Partial<PingTarget> | undefined => {
  const match = summary.exec(line);
  if (!match) return undefined;
  const countMore = (words: RegExp): number => Number(words.exec(match[3] ?? '')?.[1] ?? 0);
  return {
    transmitted: Number(match[1]),
    received: Number(match[2]),
    errors: countMore(/\+?(\d+) errors/),
    duplicates: countMore(/\+?(\d+) duplicates/),
    lossPct: Number(match[4]),
  };
};

const parseTimes = (line: string): RoundTrip | undefined => {
  const match = times.exec(line);
  return match
    ? dropAbsent<RoundTrip>({
        min: Number(match[2]),
        avg: Number(match[3]),
        max: Number(match[4]),
        mdev: match[1] === '/mdev' ? decimal(match[5]) : undefined,
      })
    : undefined;
};

/** Targets of ping and busybox ping, in order. */
const pingTargets = (lines: readonly string[]): PingTarget[] => {
  const targets: PingTarget[] = [];
  const add = (more: Partial<PingTarget>): void => {
    const last = targets.at(-1);
    if (last) targets[targets.length - 1] = { ...last, ...more };
  };
  for (const line of lines) {
    const target = parseHeader(line);
    if (target) targets.push(target);
    const name = closing.exec(line)?.[1];
    // The counts of a run whose first line is missing belong to no other target.
    if (name !== undefined && targets.at(-1)?.transmitted !== undefined) targets.push({ target: name });
    if (name !== undefined && targets.length === 0) targets.push({ target: name });
    add(parseSummary(line) ?? {});
    const rttMs = parseTimes(line);
    if (rttMs) add({ rttMs });
  }
  return targets;
};

/**
 * Parser of `network.ping`: iputils and busybox ping, BSD's ping, fping (whose results stand on standard error). Says
 * what was printed and judges nothing. Throws NotThisFormat.
 */
export const pingFormat = (input: ParseInput): PingResult => {
  const { lines, complaints } = captureOf(input.stdout, input.stderr);
  const targets = pingTargets(lines);
  const all = targets.length > 0 ? targets : fpingTargets([...lines, ...complaints]);
  const everything = [...lines, ...complaints];
  const mtu = everything.map(mtuIn).find((one) => one !== undefined);
  const refused = lines.map((line) => refusal.exec(line)?.[1]).find((one) => one !== undefined);
  const mtuTold = refused !== undefined && /^(?:frag|packet too big)/i.test(refused);
  const error = mtuTold ? undefined : (refused ?? everything.map(complaint).find((one) => one !== undefined));
  if (all.length === 0 && error === undefined) throw new NotThisFormat('this is no output of ping or fping');
  return dropAbsent<PingResult>({ targets: all, error, mtu });
};
