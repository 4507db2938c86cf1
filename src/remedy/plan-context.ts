import type { PlanContext } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';
import type { EngineParts } from './parts.ts';

/** What an action may look at: who acts, from which machine, and which guards are exceeded for which reason. */
export const contextOf = (
  { operator, console, macs = [] }: Pick<EngineParts, 'operator' | 'console' | 'macs'>,
  judgement: Judgement,
  exceed: NonNullable<PlanContext['exceed']> = {},
  looksBack?: PlanContext['looksBack'],
): PlanContext => ({
  judgement,
  operator: operator.name,
  self: { host: console.host, macs },
  exceed,
  ...(looksBack && { looksBack }),
});
