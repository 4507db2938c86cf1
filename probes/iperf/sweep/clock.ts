import * as z from 'zod';
import type { TrafficRule, SiteView } from '../../../src/model/site.ts';
import type { AskContext, Judgement, Probe } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { quote, shellCommand } from '../../../src/text/shell.ts';
import { dayTime, minuteOfDay } from '../../../src/text/zone.ts';
import { busyText, whyJobsUnknown } from '../../../src/kit/jobs.ts';
import { findTestOn } from '../judge/in-use.ts';
import { toolsOf } from '../judge/pairs.ts';
import { mostHosts, sweepPlan } from './plan.ts';
import { armStep, runStep } from './steps.ts';

const id = 'iperf.sweep';
/** Seconds of each test. */
const seconds = 4;

const clockSchema = z.object({
  /** `armed clock-2026-11-22T02:10`, or why this host took no part. */
  said: z.string(),
});
type ClockReading = z.infer<typeof clockSchema>;

const isOpen = ({ from, to, zone }: TrafficRule, now: number): boolean => {
  const minute = minuteOfDay(now, zone);
  return from < to ? from <= minute && minute < to : from <= minute || minute < to;
};

/** All hosts are asked at the same time, so all find the same name. */
const nameAt = (now: number): string =>
  `clock-${new Date(Math.floor(now / 600_000) * 600_000).toISOString().slice(0, 16)}`;

/** Hosts of a rule that can take part now, and why this one can't, when it can't. */
const turnout = (
  host: string,
  rule: TrafficRule | undefined,
  { site, readings, facts, now }: AskContext,
): { hosts: string[] } | { not: string } => {
  const known = facts?.();
  if (!rule) return { not: 'the site file does not allow it at this time' };
  if (!known) return { not: 'nothing is known of jobs' };
  const silent = whyJobsUnknown(readings, known);
  if (silent !== undefined) return { not: silent };
  const hosts = rule.hosts.filter(
    (one) =>
      busyText([one], known) === undefined && (toolsOf(readings, one)?.good?.value.tools.length ?? 0) > 0,
  );
  if (!hosts.includes(host)) return { not: busyText([host], known) ?? 'no iperf known there' };
  if (hosts.length < 3 || hosts.length > mostHosts)
    return { not: `${hosts.length} idle hosts; a sweep takes 3 to ${mostHosts}` };
  const other = findTestOn(hosts, { site, readings, facts: known }, nameAt(now));
  return other === undefined ? { hosts } : { not: other };
};

/** This host's part of the sweep, armed and begun in one go: nobody waits for anybody, the rounds have room for late ones. */
const scriptOf = (host: string, context: AskContext): string => {
  const rule = context.site.traffic?.find(
    (one) => one.probe === id && one.hosts.includes(host) && isOpen(one, context.now),
  );
  const who = turnout(host, rule, context);
  const plan =
    'not' in who
      ? { problem: who.not }
      : sweepPlan(nameAt(context.now), who.hosts, seconds, {
          ...context,
          facts: context.facts?.() ?? { list: () => [], find: () => undefined },
        });
  if ('problem' in plan) return `printf '%s\\n' ${quote(`no part: ${plan.problem}`)}`;
  const steps = [armStep(host, plan), runStep(host, plan)];
  return steps
    .flatMap((step) =>
      'argv' in step ? [`${shellCommand(step.argv)} <<'END_OF_STEP' &&\n${step.stdin}\nEND_OF_STEP`] : [],
    )
    .join('\n')
    .concat('\n:');
};

/** A sweep by the clock, on idle hosts, where the site file allows it: never by an interval, never on the wall. */
export const clockProbe: Probe<ClockReading> = {
  id,
  role: 'iperf',
  everyMs: 0,
  touches: 'traffic',
  deadlineMs: 25_000,
  ask: (host, context) => ({ script: scriptOf(host.name, context) }),
  read: ({ stdout, stderr }) => ({
    value: { said: `${stdout}\n${stderr}`.trim().split('\n')[0]?.slice(0, 300) || 'it said nothing' },
  }),
  schema: clockSchema,
};

/** `02:00-05:00 UTC every 1 d`, for each time at which the site file allows sweeps. */
export const clockTimes = (site: SiteView): string[] =>
  (site.traffic ?? [])
    .filter(({ probe }) => probe === id)
    .map(({ from, to, zone, everyMs }) => `${dayTime(from)}-${dayTime(to)} ${zone} every ${age(everyMs)}`);

/** What hosts answered when the clock last asked them, those of one answer together: `wn-d-03: wn-d-03 runs 1 job of chem2`. */
export const clockAnswers = ({ readings }: Pick<Judgement, 'readings'>): { text: string; at: number }[] => {
  const last = readings.sources<ClockReading>(id).flatMap(({ host, good }) => (good ? [{ host, good }] : []));
  return [...Map.groupBy(last, ({ good }) => good.value.said)].map(([said, of]) => ({
    text: `${fold(of.map(({ host }) => host))}: ${said}`,
    at: Math.max(...of.map(({ good }) => good.at)),
  }));
};
