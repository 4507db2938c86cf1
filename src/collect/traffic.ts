import type { TrafficRule } from '../model/site.ts';
import { dayTime, minuteOfDay } from '../text/zone.ts';
import type { Shared } from './shared/shared.ts';

/** Consoles of one site do not begin together: each waits a random part of this, ms. */
const SPREAD = 10 * 60_000;

/** What other consoles began is known after the shared folder was read: not before this, ms. */
const SETTLE = 30_000;

/** What the site file lets run by the clock. */
export interface Traffic {
  /** Rules to begin now; each is told to the other consoles and given once. */
  listDue(now: number): readonly TrafficRule[];
  /** Whether the site allows this probe on this host at this time. */
  allows(probe: string, host: string, now: number): boolean;
}

/** One rule among others, the same words on every console: `switch.matrix 02:00-05:00 UTC on login1,login2`. */
export const ruleName = ({ probe, from, to, zone, hosts }: TrafficRule): string =>
  `${probe} ${dayTime(from)}-${dayTime(to)} ${zone} on ${hosts.join(',')}`.slice(0, 300);

const isOpen = ({ from, to, zone }: TrafficRule, now: number): boolean => {
  const minute = minuteOfDay(now, zone);
  return from < to ? from <= minute && minute < to : from <= minute || minute < to;
};

const DAY = 24 * 60;

/**
 * Nothing without rules. A rule begins a random time after its part of the day did, unless a console of this site began it less than
 * its interval ago; a console without a shared folder knows only of its own. `random` gives 0..1.
 */
export const createTraffic = (
  rules: readonly TrafficRule[],
  shared: Pick<Shared, 'traffic' | 'add'> | undefined,
  random: () => number,
): Traffic => {
  const begun = new Map<TrafficRule, number>();
  /** When a rule whose time of day has come may begin. */
  const starts = new Map<TrafficRule, number>();

  const isDue = (rule: TrafficRule, now: number): boolean => {
    if (!isOpen(rule, now)) {
      starts.delete(rule);
      return false;
    }
    const long = ((rule.to - rule.from + DAY) % DAY) * 60_000;
    const start = starts.get(rule) ?? now + (shared ? SETTLE : 0) + random() * Math.min(SPREAD, long / 4);
    starts.set(rule, start);
    const last = Math.max(begun.get(rule) ?? 0, shared?.traffic(ruleName(rule)) ?? 0);
    return now >= start && now - last >= rule.everyMs;
  };

  return {
    listDue: (now) => {
      const due = rules.filter((rule) => isDue(rule, now));
      for (const rule of due) {
        begun.set(rule, now);
        void shared?.add({ kind: 'traffic', rule: ruleName(rule) });
      }
      return due;
    },
    allows: (probe, host, now) =>
      rules.some((rule) => rule.probe === probe && rule.hosts.includes(host) && isOpen(rule, now)),
  };
};
