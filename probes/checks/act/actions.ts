import type {
  Action,
  ActionSet,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../../../src/model/action.ts';
import {
  failGuard,
  passGuard,
  refusal,
  refuseEmpty,
  rereads,
  type LeftOut,
} from '../../../src/kit/guards.ts';
import { noParameters, planOf, type NoParameters } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { durationMs } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { checksOf, commandFor, kindOfCheck, splitId, type Check } from '../definitions.ts';
import type { ActionEntry } from '../settings.ts';
import { isAskedOn, standingOn, type Standing } from '../judge/states.ts';

/** What an action of the site file is made of. */
interface Own {
  check: Check;
  verb: string;
  entry: ActionEntry;
}

const saysOf = (name: string, { state, text }: Standing): string =>
  `${name} is ${state.toUpperCase()}: ${text}`;

/** A check that must be fine before anything is sent; what is not known is not fine. */
const guardOf = (name: string, host: string, live: Judgement): Guard => ({
  id: '3 preconditions',
  text: `check ${name} is fine on ${host}`,
  reads: readsOf(name, host, live),
  absolute: true,
  check: (judgement) => {
    const standing = standingOn(judgement, name, host);
    if (!standing) return failGuard(`there is no check ${name} on ${host}`);
    return standing.state === 'ok' ? passGuard(saysOf(name, standing)) : failGuard(saysOf(name, standing));
  },
});

const readsOf = (name: string, host: string, { site }: Judgement) => {
  const probe = checksOf(site).get(name)?.probe;
  return probe === undefined ? [] : rereads(probe, host);
};

/** What is to be mended, and read right before: nothing is mended that is not known to be broken. */
const mustBeRead = ({ entry }: Own, host: string, live: Judgement): Guard => ({
  id: '3 preconditions',
  text: `what verifies it, check ${entry.verify}, is known on ${host}`,
  reads: readsOf(entry.verify, host, live),
  absolute: true,
  check: (judgement) => {
    const standing = standingOn(judgement, entry.verify, host);
    if (!standing) return failGuard(`there is no check ${entry.verify} on ${host}`);
    if (!standing.said) return failGuard(standing.text);
    return standing.state === 'unknown'
      ? failGuard(saysOf(entry.verify, standing))
      : passGuard(saysOf(entry.verify, standing));
  },
});

const targetOf = (own: Own, subject: Subject, live: Judgement): PlanTarget => {
  const { check, entry } = own;
  const { host } = splitId(subject.id);
  const deadlineMs = durationMs(entry.timeout) ?? 30_000;
  return {
    subject,
    steps: [{ host, argv: commandFor(entry.run, host), deadlineMs }],
    guards: [mustBeRead(own, host, live), ...entry.guards.map((name) => guardOf(name, host, live))],
    whyAlreadyDone: (judgement) => {
      const standing = standingOn(judgement, entry.verify, host);
      return standing?.state === 'ok' ? saysOf(entry.verify, standing) : undefined;
    },
    verify: {
      text: `check ${entry.verify} is fine on ${host}`,
      reads: readsOf(entry.verify, host, live),
      deadlineMs: durationMs(entry.within) ?? 30_000,
      check: (judgement) => {
        const standing = standingOn(judgement, entry.verify, host);
        if (!standing || standing.state === 'unknown')
          return { state: 'unread', text: standing?.text ?? `there is no check ${entry.verify}` };
        return { state: standing.state === 'ok' ? 'yes' : 'wait', text: saysOf(entry.verify, standing) };
      },
    },
    undo: undoSteps(entry, host) ?? null,
    lockGroups: [`host ${host}`, `check ${check.name}`],
  };
};

const undoSteps = ({ undo, timeout }: ActionEntry, host: string): PlanTarget['undo'] | undefined =>
  undo === 'none'
    ? undefined
    : [{ host, argv: commandFor(undo.run, host), deadlineMs: durationMs(timeout) ?? 30_000 }];

/** Why it can't be had on this subject. */
const whyNot = (
  { check }: Own,
  subject: Subject,
  judgement: Pick<Judgement, 'facts'>,
): LeftOut | undefined => {
  const { check: name, host } = splitId(subject.id);
  if (name !== check.name)
    return { subject, guard: '5 targets', reason: `it is of ${check.name}, not of ${name}` };
  return isAskedOn(check, host, judgement)
    ? undefined
    : { subject, guard: '5 targets', reason: `${check.name} is not asked on ${host}` };
};

const plan = (
  own: Own,
  action: Action,
  subjects: readonly Subject[],
  context: PlanContext,
): Plan | Refusal => {
  const { judgement } = context;
  const leftOut = subjects.flatMap((subject) => whyNot(own, subject, judgement) ?? []);
  const out = new Set(leftOut.map(({ subject }) => subject.id));
  const chosen = subjects.filter(({ id }) => !out.has(id));
  if (chosen.length === 0) return refuseEmpty(leftOut);
  const { entry, check } = own;
  return planOf(action, {
    title: `${action.title} on ${count(chosen.length, 'host')}`,
    targets: chosen.map((subject) => targetOf(own, subject, judgement)),
    leftOut,
    because: chosen.slice(0, 5).map(({ id }) => {
      const { host } = splitId(id);
      const standing = standingOn(judgement, check.name, host);
      return `${host}: ${standing ? saysOf(check.name, standing) : 'not read'}`;
    }),
    afterwards: `check ${entry.verify} must be fine within ${entry.within}`,
    undoText:
      entry.undo === 'none'
        ? 'none: the site file says that nothing undoes it'
        : `the site file's own command; what undoes it is right when check ${entry.verify} is not fine any more`,
  });
};

const actionOf = (own: Own): Action<NoParameters> => {
  const { check, verb, entry } = own;
  const action: Action<NoParameters> = {
    id: `${check.probe}.${verb}`,
    verb,
    title: entry.title ?? `${verb} (${check.name})`,
    subject: kindOfCheck,
    appliesTo: ({ id }) => splitId(id).check === check.name,
    danger: entry.class,
    users: entry.users,
    parameters: noParameters,
    prompts: [],
    menu: { note: 'from the site file' },
    plan: (subjects, _given, context) => plan(own, action, subjects, context),
    ...(entry.undo !== 'none' && {
      // What was done is undone also where the host is in the group no more.
      undoOf: ({ id }: Subject) =>
        splitId(id).check === check.name && check.places.hosts.has(splitId(id).host)
          ? { steps: undoSteps(entry, splitId(id).host) ?? [] }
          : refusal('5 targets', `${check.name} is not asked there`),
    }),
  };
  return action;
};

/** Actions as the site file has them: none where it has none. */
export const checkActions: ActionSet = {
  system: 'checks',
  actions: [],
  onSite: (site) =>
    [...checksOf(site).values()].flatMap((check) =>
      Object.entries(check.actions).map(([verb, entry]) => actionOf({ check, verb, entry })),
    ),
};
