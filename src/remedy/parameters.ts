import * as z from 'zod';
import type { Action } from '../model/action.ts';
import { nearestWord } from '../text/nearest.ts';
import { makeSafe } from '../text/safe.ts';
import { splitReserved } from './reserved.ts';

/** What is wrong with the `--set` values for an action, so that a command line can be refused before anything is asked. */
export const parametersProblem = (
  action: Action,
  set: Readonly<Record<string, string>>,
): string | undefined => {
  const reserved = splitReserved(set);
  if ('refused' in reserved) return reserved.reason;
  const parsed = parseParameters(action, reserved.own);
  return parsed.ok ? undefined : parsed.problem;
};

/** The parameters of an action from texts, or what is wrong with them. */
export const parseParameters = (
  action: Action,
  own: Readonly<Record<string, string>>,
): { ok: true; value: unknown } | { ok: false; problem: string } => {
  const stranger = unknownName(action, own);
  if (stranger !== undefined) return { ok: false, problem: stranger };
  const parsed = action.parameters.safeParse(own);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const name = issue?.path.join('.') ?? '';
  const why = Object.hasOwn(own, name) ? (issue?.message ?? 'not valid') : 'is needed';
  return { ok: false, problem: makeSafe(`${action.id}: parameter ${name}: ${why}`) };
};

/** A mistyped `--set` name must not be dropped in silence: the plan would not be the one that was meant. */
const unknownName = (action: Action, own: Readonly<Record<string, string>>): string | undefined => {
  const known = new Set([
    ...action.prompts.map(({ name }) => name),
    ...(action.parameters instanceof z.ZodObject ? Object.keys(action.parameters.shape) : []),
  ]);
  const stranger = Object.keys(own).find((name) => !known.has(name));
  if (stranger === undefined) return undefined;
  const near = nearestWord(stranger, known);
  const hint = near === undefined ? `it has ${[...known].join(', ') || 'none'}` : `is ${near} meant?`;
  return `${action.id} has no parameter ${makeSafe(stranger, 40)}; ${hint}`;
};
