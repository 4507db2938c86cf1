import { z } from 'zod';
import type {
  Action,
  Hold,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Reread,
  Verification,
} from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { percent } from '../../src/text/units.ts';
import {
  activeMember,
  deviceReads,
  enoughMembers,
  farLag,
  listed,
  no,
  notLast,
  notOurWay,
  ok,
  roomForLoad,
  undoPossible,
} from './action-guards.ts';
import {
  armSteps,
  deviceStep,
  disarmStep,
  journalStep,
  portNow,
  refusal,
  type Target,
  targetOf,
} from './action-parts.ts';
import { isDown } from './links.ts';
import { lagOf, loadWithout } from './lags.ts';
import { matrixSums, matrixText } from './matrix.ts';
import type { TimersReading } from './readings.ts';
import { settingsOf } from './settings.ts';
import { stateAt } from './states.ts';
import { undoUnit } from './timers.ts';
import { perSecond, sharePercent } from './words.ts';

const parameters = z.object({});

/** Takes a member port out of its LAG; confirmed or undone by a timer on the undo host. */
export const shutAction: Action<object> = {
  id: 'switch.shut',
  verb: 'shut',
  title: 'shut port',
  subject: 'port',
  danger: 'access',
  parameters,
  prompts: [],
  offer: (subjects, context) => {
    const plan = planShut(subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const [target] = plan.targets;
    const already = target?.already(context.judgement);
    if (already !== undefined) return { available: false, reason: already };
    const results = target?.guards.map((guard) => ({ guard, result: guard.check(context.judgement) })) ?? [];
    const failed = results.find(({ result }) => !result.ok);
    if (failed) return { available: false, reason: failed.result.text };
    const note = results.find(({ guard }) => guard.id === '6 members')?.result.text ?? '';
    return { available: true, note };
  },
  plan: (subjects, _given, context) => planShut(subjects, context),
};

const planShut = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const [subject, more] = subjects;
  if (!subject) return refusal('5 targets', 'no port is chosen');
  if (more) return refusal('7 one by one', 'one port at a time: each is watched before it is kept');
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator } = context;
  const { hold: seconds } = settingsOf(judgement.site);
  return {
    action: 'switch.shut',
    title: `Shut ${target.port} on ${target.host.name}`,
    verb: 'shut',
    danger: 'access',
    targets: [shutTarget(target, judgement, operator, seconds)],
    leftOut: [],
    because: [...reasons(target, judgement), ...pings(judgement)],
    afterwards: `${target.port} must read down within 30 s, then errors, members and the matrix are watched`,
    undoText: `restored by a timer on ${target.undoHost} after ${seconds} s unless it is kept; the startup configuration is not saved`,
    parameters: {},
    exceeded: [],
  };
};

const reasons = ({ subject, port }: Target, judgement: Judgement): string[] => {
  const state = stateAt(judgement, subject.id);
  const worst = state?.worst;
  const [now] = worst?.rates ?? [];
  if (!state || !worst || !now || (now.rxBad ?? 0) === 0) return [`${port} shows no bad frames now`];
  const first = worst.verdict?.first;
  return [
    `${worst.name} receives ${perSecond(now.rxBad ?? 0)} bad frames/s${now.rxShare === undefined ? '' : ` (${sharePercent(now.rxShare)})`} from ${state.other.name}`,
    ...(first ? [`look first at ${first.at}: ${first.steps.join(', ')}`] : []),
    `jumbo matrix: ${matrixText(judgement)}`,
  ];
};

/** What the hold does beside reading. */
const pings = (judgement: Judgement): string[] => {
  const { servers } = settingsOf(judgement.site).matrix;
  const clients = watchedClients(judgement);
  return clients.length === 0 || servers.length === 0
    ? []
    : [
        `while it is held, ${clients.map(({ host }) => host).join(', ')} ping ${servers.length} addresses every few seconds`,
      ];
};

const readsDown = (target: Target): Verification => ({
  text: `${target.port} reads down`,
  reads: deviceReads(target),
  deadlineMs: 30_000,
  check: (live) => {
    const port = portNow(live, target.host.name, target.port);
    if (!port) return { state: 'wait', text: `${target.port} was not read` };
    const member = lagOf(live, target.host.name, target.port)?.members.find(
      (one) => one.port === target.port,
    );
    const out = isDown(port) && member?.active !== true;
    return { state: out ? 'yes' : 'wait', text: `${target.port} reads ${port.link ?? 'no state'}` };
  },
});

export const readsUp = (target: Target): Verification => ({
  text: `${target.port} reads up`,
  reads: deviceReads(target),
  deadlineMs: 45_000,
  check: (live) => {
    const port = portNow(live, target.host.name, target.port);
    const up = port !== undefined && !isDown(port);
    return { state: up ? 'yes' : 'wait', text: `${target.port} reads ${port?.link ?? 'nothing'}` };
  },
});

const timerOf = (target: Target, live: Judgement): string | undefined =>
  live.readings
    .source<TimersReading>('switch.timers', target.undoHost)
    ?.good?.value.timers.find((one) => one.unit === undoUnit(target.subject.id))?.state;

const shutTarget = (target: Target, judgement: Judgement, operator: string, seconds: number): PlanTarget => {
  const { subject, port, host, change } = target;
  const { site } = judgement;
  const line = (kind: string) => {
    const step = journalStep(site, { kind, port: subject.id, by: operator });
    return step ? [step] : [];
  };
  const lags = [lagOf(judgement, host.name, port), farLag(target, judgement)].flatMap((one) => one ?? []);
  const restore = [deviceStep(target, change.restore), ...line('restored')];
  return {
    subject,
    steps: [...line('shut'), deviceStep(target, change.shut)],
    guards: [
      listed(target),
      activeMember(target),
      notLast(target),
      enoughMembers(target),
      roomForLoad(target),
      notOurWay(target),
      undoPossible(target),
    ],
    already: (live) => {
      const now = portNow(live, host.name, port);
      return now && /admin|disabled/i.test(`${now.link ?? ''} ${now.admin === 'down' ? 'admin' : ''}`)
        ? `${port} is shut already`
        : undefined;
    },
    verify: readsDown(target),
    undo: restore,
    hold: holdOf(target, judgement, seconds, restore),
    lockGroups:
      lags.length > 0 ? lags.map((one) => `lag ${one.host}:${one.lag}`).toSorted() : [`port ${subject.id}`],
  };
};

/** A run of the matrix that takes longer than this can't be watched every few seconds. */
const quickMs = 12_000;

/** The clients whose matrix is run during the hold. */
const watchedClients = ({ readings }: Judgement): Reread[] =>
  readings
    .sources('switch.matrix')
    .filter(({ durations }) => (durations[0] ?? 0) < quickMs)
    .slice(0, 8)
    .map((one) => ({ probe: 'switch.matrix', host: one.host }));

const holdOf = (target: Target, before: Judgement, seconds: number, restore: Hold['restore']): Hold => {
  const { host, port, undoHost } = target;
  const timers: Reread = { probe: 'switch.timers', host: undoHost };
  const state = stateAt(before, target.subject.id);
  const far = state && (state.a.end.id === target.subject.id ? state.b : state.a).end.host;
  const farReads = ['switch.counters', 'switch.screens', 'switch.nics'].flatMap((probe) =>
    far !== undefined && before.readings.source(probe, far)?.good ? [{ probe, host: far }] : [],
  );
  const clients = watchedClients(before);
  const was = matrixText(before);
  return {
    by: 'timer',
    seconds,
    text: `a timer on ${undoHost} restores ${port} after ${seconds} s`,
    arm: armSteps(target, seconds, before.site),
    armed: {
      text: `the timer waits on ${undoHost}`,
      reads: [timers],
      deadlineMs: 15_000,
      check: (live) => {
        const found = timerOf(target, live);
        return { state: found === 'active' ? 'yes' : 'wait', text: found ?? 'no timer is seen' };
      },
    },
    keep: [disarmStep(target)],
    kept: {
      text: `no timer waits any more and ${port} reads down`,
      reads: [timers, ...deviceReads(target)],
      deadlineMs: 30_000,
      check: (live) => {
        const now = portNow(live, host.name, port);
        if (timerOf(target, live) !== undefined) return { state: 'wait', text: 'the timer is still there' };
        if (!now) return { state: 'wait', text: `${port} was not read` };
        return isDown(now)
          ? { state: 'yes', text: `${port} stays ${now.link ?? 'down'}, not saved on the switch` }
          : { state: 'no', text: `${port} reads ${now.link ?? 'up'}` };
      },
    },
    restore,
    restored: readsUp(target),
    watch: [...deviceReads(target), ...farReads, ...clients],
    watching: (live) => {
      const lag = lagOf(live, host.name, port);
      const load = lag && loadWithout(live, lag, port);
      const up = lag?.members.filter((one) => one.active).length ?? 0;
      return [
        `jumbo matrix   before ${was}, now ${matrixText(live)}`,
        ...(lag
          ? [
              `${lag.lag}   ${up} of ${lag.members.length} up, ${load === undefined ? 'load not known' : `${percent(load)} load on the busiest member`}`,
            ]
          : []),
        errorsLine(target, live),
      ];
    },
    good: (live) => {
      const lag = lagOf(live, host.name, port);
      const up = lag?.members.filter((one) => one.active).length ?? 0;
      if (up === 0) return no('no member of the LAG is up');
      const load = lag && loadWithout(live, lag, port);
      const limit = settingsOf(live.site).lag.load;
      if (load !== undefined && load > limit) return no(`${percent(load)} load on the busiest member`);
      const sums = matrixSums(live);
      // Never run before: then every lossy path speaks against keeping it.
      const first = matrixSums(before)?.lossy ?? 1;
      if (sums && sums.lossy > 0 && sums.lossy >= first)
        return no(`the matrix is no better: ${matrixText(live)}`);
      return ok(`${up} of ${lag?.members.length ?? 0} members carry the traffic, ${matrixText(live)}`);
    },
  };
};

const errorsLine = ({ subject }: Target, live: Judgement): string => {
  const state = stateAt(live, subject.id);
  const [a, b] = [state?.worst, state?.other].map((end) =>
    end ? `${end.name} ${end.rates[0]?.rxBad === undefined ? '?' : perSecond(end.rates[0].rxBad)}` : '',
  );
  return state ? `bad frames/s   ${a}, ${b}` : 'the link is down: LLDP names no neighbour there now';
};
