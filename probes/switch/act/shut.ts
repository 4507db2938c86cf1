import { refusal } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { requireBothChassis, findLagBeside } from './chassis.ts';
import { commitGuards, commitLocks, planDeviceUndo } from './device.ts';
import { isOfFabric, planFabricShut, undoFabricShut } from './fabric.ts';
import {
  activeMember,
  requireEnoughMembers,
  farLag,
  requireIdentity,
  requireListed,
  requireNotLast,
  roomForLoad,
} from './guards.ts';
import { isMinLinksUnknown, minimumLinks, whyWithoutMinLinks } from './min-links-guard.ts';
import { portNow, restoreSteps, type Target, targetOf } from './parts.ts';
import { verifyDown, verifyUp, type Undo } from './reads.ts';
import { whyUndoHostGone } from './timer.ts';
import { planTimerUndo } from './typed-undo.ts';
import { isUnarmed, planUnarmed, type Unarmed, whyUnarmed } from './unarmed.ts';
import { watchOf, watchedClients } from './watch.ts';
import { requireNotOurWay } from './way.ts';
import { lagOf } from '../links/lags.ts';
import { matrixText } from '../matrix/matrix.ts';
import { settingsOf } from '../settings.ts';
import { stateAt } from '../judge/states.ts';
import { ratePerSecond, sharePercent } from '../read/words.ts';
import { isShut } from '../read/port-states.ts';

/** Takes a member port out of its LAG; confirmed or undone by a timer on the undo host. */
export const shutAction: Action<NoParameters> = {
  id: 'switch.shut',
  verb: 'shut',
  title: 'shut port',
  subject: 'port',
  danger: 'access',
  users: 'traffic moves to the other members of the LAG; frames on their way are lost',
  parameters: noParameters,
  prompts: [],
  menu: {
    note: ({ targets }, { judgement }) => notesOf(targets, judgement).join('; '),
    prompts: ({ targets }, { judgement }) => {
      const guards = targets.flatMap((target) => target.guards);
      const isUnknown = guards.some((one) => isMinLinksUnknown(one) && !one.check(judgement).ok);
      return [...(guards.some(isUnarmed) ? [whyUnarmed] : []), ...(isUnknown ? [whyWithoutMinLinks] : [])];
    },
  },
  plan: (subjects, _given, context) => planShut(subjects, context),
  undoOf: (subject, _was, context) => {
    if (isOfFabric(subject, context)) return undoFabricShut(subject, context);
    const target = targetOf(subject, context);
    return 'refused' in target ? target : { steps: restoreSteps(target, context) };
  },
};

/** Guards whose figures the menu shows. */
const shownGuards: ReadonlySet<string> = new Set(['6 members', '6 parallel link']);

/** The figures that decide, and what is not known. */
const notesOf = (targets: readonly PlanTarget[], judgement: Judgement): string[] =>
  targets
    .flatMap(({ guards }) => guards.map((guard) => ({ guard, result: guard.check(judgement) })))
    .flatMap(({ guard, result }) => {
      if (isUnarmed(guard)) return ['nothing will undo it'];
      if (isMinLinksUnknown(guard) && !result.ok) return ['how many members its LAG needs is not known'];
      const isShown = shownGuards.has(guard.id) || (!result.ok && result.againMs !== undefined);
      return isShown ? [result.text] : [];
    });

const planShut = (subjects: readonly Subject[], context: PlanContext): Plan | Refusal => {
  const [subject, more] = subjects;
  if (!subject) return refusal('5 targets', 'no port is chosen');
  if (more) return refusal('7 one by one', 'one port at a time: each is watched before it is kept');
  if (isOfFabric(subject, context)) return planFabricShut(shutAction, subject, context);
  const target = targetOf(subject, context);
  if ('refused' in target) return target;
  const { judgement } = context;
  const way = wayOf(target, context);
  if ('refused' in way) return way;
  const title = `Shut ${target.port} on ${target.host.name}`;
  const held = 'arm' in way;
  return planOf(shutAction, {
    title: held ? title : `${title}: nothing will undo this`,
    targets: [shutTarget(target, way, context)],
    because: [
      ...reasons(target, judgement),
      ...safetyLines(target, judgement),
      ...(held ? [...proves(target, way), ...pings(judgement)] : [`nothing will undo this: ${way.why}`]),
    ],
    afterwards: `${target.port} must read down within 30 s${held ? ', then errors, members and the matrix are watched' : ''}`,
    undoText: `${undoText(target, way)}; ${lastsWhenKept(target)}`,
  });
};

const reasons = ({ subject, port }: Target, judgement: Judgement): string[] => {
  const state = stateAt(judgement, subject.id);
  const worst = state?.worst;
  const [now] = worst?.rates ?? [];
  if (!state || !worst || !now || (now.rxBad ?? 0) === 0) return [`${port} shows no bad frames now`];
  const first = worst.verdict?.first;
  return [
    `${worst.name} receives ${ratePerSecond(now.rxBad ?? 0)} bad frames/s${now.rxShare === undefined ? '' : ` (${sharePercent(now.rxShare)})`} from ${state.other.name}`,
    ...(first ? [`suspect ${first.at.name}: ${first.steps.join(', ')}`] : []),
    `jumbo matrix: ${matrixText(judgement)}`,
  ];
};

/** `7 of 8 members stay up (limit 4), 24 % load on the busiest of those that stay (limit 80 %)`: whoever decides wants the figures. */
const safetyLines = (target: Target, judgement: Judgement): string[] => {
  const results = [requireEnoughMembers(target, judgement), roomForLoad(target)].map((guard) =>
    guard.check(judgement),
  );
  return results.every(({ ok }) => ok) ? [results.map(({ text }) => text).join(', ')] : [];
};

/** What happens first where an undo host is to undo it. */
const proves = ({ undoHost, port }: Target, { by }: Undo): string[] =>
  by === 'timer'
    ? [
        `first ${undoHost} proves that its account may switch ${port} on: it does so while the port is still up`,
      ]
    : [];

/** What the hold does beside reading. */
const pings = (judgement: Judgement): string[] => {
  const { servers } = settingsOf(judgement.site).matrix;
  const clients = watchedClients(judgement);
  return clients.length === 0 || servers.length === 0
    ? []
    : [
        `while it is held, ${fold(clients.map(({ host }) => host))} ping ${servers.length} addresses every few seconds`,
      ];
};

/**
 * How it is undone: by the device itself where it can, else by a timer on the undo host; by nothing only where there is neither, and
 * the site allows that for the device.
 */
const wayOf = (target: Target, { judgement, operator }: PlanContext): Undo | Unarmed | Refusal => {
  const { hold: seconds } = settingsOf(judgement.site);
  const { undoHost, change, host } = target;
  if (change.confirmed) return planDeviceUndo(target, change.confirmed, seconds, judgement, operator);
  const gone = undoHost === undefined ? undefined : whyUndoHostGone(undoHost, judgement);
  if (change.look && undoHost !== undefined && (gone === undefined || !host.withoutUndo))
    return planTimerUndo({ ...target, undoHost }, change.look, seconds, judgement, operator);
  const why = gone ?? `the site file names no undoHost for ${host.name}`;
  return host.withoutUndo
    ? planUnarmed(target, why, judgement, operator)
    : refusal('9 armed undo', `${why}, nor withoutUndo, which would allow it with a typed reason`);
};

const undoText = ({ host }: Target, way: Undo | Unarmed): string =>
  'arm' in way
    ? `${way.text} unless it is kept`
    : `nothing will undo this: only switch.restore does, while ${host.name} can be reached`;

/** What is kept is on the switch as long as this. */
const lastsWhenKept = ({ platform }: Target): string =>
  platform.shutLasts === 'restart'
    ? 'what is kept is committed, and a restart of the switch keeps it'
    : 'the startup configuration is not saved';

const holdOf = ({ steps: _steps, guards: _guards, ...hold }: Undo): Omit<Undo, 'steps' | 'guards'> => hold;

const shutTarget = (target: Target, way: Undo | Unarmed, context: PlanContext): PlanTarget => {
  const { subject, port, host } = target;
  const { judgement, self } = context;
  const lags = [
    lagOf(judgement, host.name, port),
    farLag(target, judgement),
    findLagBeside(target, judgement),
  ].flatMap((one) => one ?? []);
  return {
    subject,
    steps: way.steps,
    guards: [
      requireListed(target),
      requireIdentity(target),
      requireNotOurWay(target, self, judgement),
      activeMember(target),
      requireNotLast(target),
      minimumLinks(target, judgement),
      requireEnoughMembers(target, judgement),
      roomForLoad(target),
      requireBothChassis(target, judgement),
      ...way.guards,
    ],
    whyAlreadyDone: (live) => {
      const now = portNow(live, host.name, port);
      return now && isShut(now) ? `${port} is shut already` : undefined;
    },
    verify: verifyDown(target, judgement),
    undo: restoreSteps(target, context),
    undoGuards: commitGuards(target),
    ...('arm' in way && {
      hold: { ...holdOf(way), restored: verifyUp(target), ...watchOf(target, judgement) },
    }),
    lockGroups: [
      ...(lags.length > 0
        ? lags.map((one) => `lag ${one.host}:${one.lag}`).toSorted()
        : [`port ${subject.id}`]),
      ...commitLocks(target),
    ],
  };
};
