import type { PingTarget } from './ping.ts';

/** `10.98.0.4 : xmt/rcv/%loss = 10/5/50%, min/avg/max = 0.029/0.030/0.032`; with `-A -n` a name and its address. */
const totals =
  /^(\S+(?: \(\S+\))?)\s+: xmt\/rcv\/%(loss|return) = (\d+)\/(\d+)\/(\d+)%(?:, outage\(ms\) = \d+)?(?:, min\/avg\/max = ([\d.]+)\/([\d.]+)\/([\d.]+)(?!\S))?/;

/** `-C`: one time per probe, `-` for a lost one. */
const probes = /^(\S+(?: \(\S+\))?)\s+:((?: (?:\d+(?:\.\d+)?|-))+)$/;

/** Above the counts of an interval (`-Q`). */
const stamp = /^\[\d\d:\d\d:\d\d\]$/;

/** What is said of each probe while it runs (`-C`, `-c` without `-q`) or of the run as a whole (`-s`). */
const aside =
  /^(?:\[[\d.]+\] )?\S+(?: \(\S+\))?\s+: (?:\[\d+\], (?:\d+ bytes, |timed out)|duplicate for \[)|^ICMP .+ ICMP Echo sent to |^\s+[\d.]+ (?:targets|alive|unreachable|unknown addresses|timeouts|ICMP \w|(?:ms|sec) \()|^\[\d\d:\d\d:\d\d\]$/;

/** Times have a fraction; `TTL : 120` of some other output has none. */
const parseTimes = (sent: readonly string[]): boolean => sent.some((one) => one === '-' || one.includes('.'));

const parseProbe = (line: string): PingTarget | undefined => {
  const each = probes.exec(line);
  const sent = each?.[2]?.trim().split(' ') ?? [];
  if (!each || !parseTimes(sent)) return undefined;
  return {
    target: each[1] ?? '',
    transmitted: sent.length,
    received: sent.filter((one) => one !== '-').length,
  };
};

const parseTotal = (line: string): PingTarget | undefined => {
  const total = totals.exec(line);
  if (!total) return undefined;
  const rttMs = { min: Number(total[6]), avg: Number(total[7]), max: Number(total[8]) };
  return {
    target: total[1] ?? '',
    transmitted: Number(total[3]),
    received: Number(total[4]),
    errors: 0,
    duplicates: 0,
    ...(total[2] === 'loss' ? { lossPct: Number(total[5]) } : {}),
    ...(total[6] === undefined ? {} : { rttMs }),
  };
};

/** Below the counts of the last interval stand those of the run, when it ended: these alone are totals. */
const ofTheRun = (rows: readonly PingTarget[]): PingTarget[] => {
  const half = Math.ceil(rows.length / 2);
  const ended = rows.slice(0, half).every(({ target }, at) => target === rows[half + at]?.target);
  return ended ? rows.slice(half) : rows.map(({ target }) => ({ target }));
};

/** Targets of fping's summaries (`-c`, `-C`), in order; none when most lines are something else. */
export const fpingTargets = (lines: readonly string[]): PingTarget[] => {
  const stamped = lines.findLastIndex((line) => stamp.test(line));
  const totals = lines.slice(stamped + 1).flatMap((line) => parseTotal(line) ?? []);
  if (totals.length > 0) return stamped < 0 ? totals : ofTheRun(totals);
  const found = lines.flatMap((line) => parseProbe(line) ?? []);
  const resultLines = lines.filter((line) => line !== '' && !aside.test(line));
  return found.length * 2 >= resultLines.length ? found : [];
};
