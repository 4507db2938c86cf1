import type { Refusal } from '../model/action.ts';
import { isPlain } from '../text/safe.ts';
import { armedAfterMs, confirmTextOf, raiseDanger } from './danger.ts';
import { guard, numberOf, refuse } from './guards.ts';
import type { Prepared } from './prepared.ts';

/** What a person sets besides an action's own parameters, for any action. */
export interface Reserved {
  /** `exceed6=power work agreed with facilities`: guard number to the typed reason. */
  exceed: Readonly<Record<string, string>>;
  /** `breakLock=its console was switched off`: a lock that only a person may break may be replaced. */
  breakLock?: string;
  /** The rest: the action's own. */
  own: Readonly<Record<string, string>>;
}

/** Guards that are the engine's own and can be exceeded: acting without the shared lock. */
const ENGINE_EXCEEDABLE = new Map([[numberOf(guard.lock), guard.lock]]);

/** Splits `--set` values and dialog inputs; a reason that says nothing, or does not show, is refused. */
export const splitReserved = (set: Readonly<Record<string, string>>): Reserved | Refusal => {
  const exceed: Record<string, string> = {};
  const own: Record<string, string> = {};
  let breakLock: string | undefined;
  for (const [name, value] of Object.entries(set)) {
    const number = /^exceed(\d+)$/.exec(name)?.[1];
    if (number === undefined && name !== 'breakLock') {
      own[name] = value;
      continue;
    }
    const reason = value.trim();
    if (reason.length < 3 || reason.length > 200 || !isPlain(reason))
      return refuse(guard.parameters, `${name} needs a reason of 3 to 200 plain characters`);
    if (number === undefined) breakLock = reason;
    else exceed[number] = reason;
  }
  return { exceed, own, ...(breakLock !== undefined && { breakLock }) };
};

/** What a plan may do about locks in its way, each for its own reason: one is no word for the other. */
export const lockReasons = ({ breakLock, exceed }: Reserved): Pick<Prepared, 'breakLock' | 'withoutLock'> => {
  const without = exceed[numberOf(guard.lock)];
  return {
    ...(breakLock !== undefined && { breakLock }),
    ...(without !== undefined && { withoutLock: without }),
  };
};

/**
 * The same for a plan that undoes a run: what it sends is written down, but a lock in its way is a thing of now. One danger class up.
 * Refuses anything else that is set.
 */
export const exceedLock = (plan: Prepared, set: Readonly<Record<string, string>>): Prepared | Refusal => {
  const reserved = splitReserved(set);
  if ('refused' in reserved) return reserved;
  if (!isOfLocks(set))
    return refuse(guard.parameters, 'an undo takes no other --set than breakLock and exceed12');
  const exceeded = findExceeded({ exceeded: plan.exceeded, targets: [] }, reserved);
  if ('refused' in exceeded) return exceeded;
  if (exceeded.length === 0) return plan;
  const danger = raiseDanger(plan.danger);
  const subjects = plan.targets.map(({ subject }) => subject);
  return {
    ...plan,
    ...lockReasons(reserved),
    exceeded,
    danger,
    confirmText: confirmTextOf(danger, plan.verb, subjects),
    armedAfterMs: armedAfterMs(danger),
  };
};

/** Whether nothing but what is about locks is set. */
export const isOfLocks = (set: Readonly<Record<string, string>>): boolean =>
  Object.keys(set).every((name) => name === 'breakLock' || name === `exceed${numberOf(guard.lock)}`);

/** Of several guards with one number some may be absolute: those stay in force when the others are exceeded. */
const isAbsolute = (guards: readonly { absolute: boolean }[]): boolean =>
  guards.every(({ absolute }) => absolute);

/** The exceeded guards of a plan: those its action used, those asked for here; one that is absolute or not there is refused. */
export const findExceeded = (
  plan: {
    exceeded: readonly { guard: string; reason: string }[];
    targets: readonly { guards: readonly { id: string; absolute: boolean }[] }[];
  },
  reserved: Reserved,
): readonly { guard: string; reason: string }[] | Refusal => {
  const guards = plan.targets.flatMap((target) => target.guards);
  const exceeded = [...plan.exceeded];
  for (const { guard: id } of plan.exceeded) {
    const own = guards.filter((one) => numberOf(one.id) === numberOf(id));
    if (own[0] && isAbsolute(own)) return refuse(own[0].id, 'this guard is absolute: no reason exceeds it');
  }
  for (const [number, reason] of Object.entries(reserved.exceed)) {
    if (exceeded.some(({ guard: id }) => numberOf(id) === number)) continue;
    const found = guards.filter(({ id }) => numberOf(id) === number);
    if (found[0] && isAbsolute(found))
      return refuse(found[0].id, 'this guard is absolute: no reason exceeds it');
    const id = found.find((one) => !one.absolute)?.id ?? ENGINE_EXCEEDABLE.get(number);
    if (id === undefined)
      return refuse(guard.parameters, `this plan has no guard ${number} that can be exceeded`);
    exceeded.push({ guard: id, reason });
  }
  if (reserved.breakLock !== undefined)
    exceeded.push({
      guard: guard.lock,
      reason: `the lock of another console may be broken: ${reserved.breakLock}`,
    });
  return exceeded;
};
