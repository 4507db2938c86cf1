import type { Guard } from '../model/action.ts';
import type { PlanCard } from '../model/run.ts';
import { fold } from '../text/nodeset.ts';
import { makeSafe } from '../text/safe.ts';
import { linesOf } from './commands.ts';
import { numberOf } from './guards.ts';
import type { EngineParts } from './parts.ts';
import { commandsOf, type Prepared, type PreparedTarget } from './prepared.ts';

/** How long a plan can be confirmed after it was made, or made anew for somebody who reads it, ms (guard 15). */
export const EXPIRES_MS = 60_000;

/** The plan as the dialog and `act` show it: data, every text safe, the commands exactly as they will be sent. */
export const cardOf = async (
  plan: Prepared,
  parts: Pick<EngineParts, 'site' | 'login' | 'reader'>,
): Promise<PlanCard> => ({
  id: plan.id,
  action: plan.action,
  title: makeSafe(plan.title),
  verb: makeSafe(plan.verb),
  site: makeSafe(parts.site.name),
  danger: plan.danger,
  targets: plan.targets.map(({ subject }) => subject),
  where: await whereOf(plan, parts),
  commands: plan.targets.flatMap(({ steps, hold }) => [
    ...(hold?.arm ?? []).flatMap(linesOf).map((line) => ({ ...line, folded: true as const })),
    ...steps.flatMap(linesOf),
  ]),
  ...holdOf(plan.targets),
  ...(plan.measures !== undefined && { measures: makeSafe(plan.measures) }),
  users: makeSafe(plan.users),
  because: [
    ...plan.because.map((line) => makeSafe(line)),
    ...plan.exceeded.map(({ guard, reason }) => makeSafe(`guard ${guard} is exceeded: ${reason}`)),
  ],
  leftOut: plan.leftOut.map(({ subject, reason }) => ({
    id: makeSafe(subject.id),
    reason: makeSafe(reason),
  })),
  ...guardsOf(plan),
  ...readAtOf(plan, parts),
  afterwards: makeSafe(plan.afterwards),
  undo: makeSafe(plan.undoText),
  confirmText: makeSafe(plan.confirmText),
  armedAfterMs: plan.armedAfterMs,
  hash: plan.hash,
});

/** What is sent when it is kept and when it is undone, of all targets; the longest hold speaks for all. */
const holdOf = (targets: readonly PreparedTarget[]): Pick<PlanCard, 'hold'> => {
  const holds = targets.flatMap(({ hold }) => hold ?? []);
  const longest = holds.toSorted((a, b) => b.seconds - a.seconds)[0];
  if (longest === undefined) return {};
  return {
    hold: {
      by: longest.by,
      seconds: longest.seconds,
      text: makeSafe(longest.text),
      keep: holds.flatMap(({ keep }) => keep.flatMap(linesOf)),
      restore: holds.flatMap(({ restore }) => restore.flatMap(linesOf)),
    },
  };
};

const whereOf = async (plan: Prepared, parts: Pick<EngineParts, 'login'>): Promise<string> => {
  const byLogin = new Map<string, Set<string>>();
  const sent = plan.targets.flatMap(commandsOf);
  const asked = plan.measures === undefined ? [] : plan.targets.flatMap(({ verify }) => verify.reads);
  for (const host of new Set([...sent, ...asked].map((one) => one.host))) {
    const login = (await parts.login?.(host)) ?? '';
    byLogin.set(login, (byLogin.get(login) ?? new Set()).add(host));
  }
  return makeSafe(
    [...byLogin].map(([login, hosts]) => fold(hosts) + (login === '' ? '' : ` as ${login}`)).join(', '),
  );
};

const readAtOf = (
  { targets }: Prepared,
  { reader }: Pick<EngineParts, 'reader'>,
): Pick<PlanCard, 'readAt'> => {
  const { readings } = reader.judgement();
  const times = targets
    .flatMap(({ guards }) => guards.flatMap(({ reads }) => reads))
    .flatMap(({ probe, host }) => readings.source(probe, host)?.good?.at ?? []);
  return times.length === 0 ? {} : { readAt: times.reduce((oldest, at) => Math.min(oldest, at)) };
};

type Line = PlanCard['guards'][number];

const unique = (lines: readonly Line[]): readonly Line[] => [
  ...new Map(
    lines.map(({ id, text }) => [`${id} ${text}`, { id: makeSafe(id), text: makeSafe(text) }]),
  ).values(),
];

/** What was checked apart from what was not: a guard that is exceeded refuses nothing, whatever it says. */
const guardsOf = ({ targets, exceeded }: Prepared): Pick<PlanCard, 'guards' | 'unchecked'> => {
  const all = targets.flatMap(({ guards }) => guards);
  const isExceeded = ({ id, absolute }: Guard): boolean =>
    !absolute && exceeded.some(({ guard }) => numberOf(guard) === numberOf(id));
  const unchecked = all.flatMap((one): Line[] => [
    ...(isExceeded(one) ? [{ id: one.id, text: `exceeded: ${one.text}` }] : []),
    ...(one.unchecked === undefined ? [] : [{ id: one.id, text: one.unchecked }]),
  ]);
  return {
    guards: unique(all.filter((one) => !isExceeded(one))),
    ...(unchecked.length > 0 && { unchecked: unique(unchecked) }),
  };
};
