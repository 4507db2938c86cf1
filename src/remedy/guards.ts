/** The engine's own guards by their numbers in design.md section 4; an action's guards carry theirs in `Guard.id`. */
export const guard = {
  readOnly: '1 read-only',
  shown: '2 shown is sent',
  stale: '3 plan is stale',
  targets: '5 targets',
  confirmation: '8 confirmation',
  armed: '9 armed undo',
  unknown: '10 unknown',
  once: '11 at most once',
  lock: '12 lock',
  coolDown: '13 cool-down',
  audit: '14 audit',
  expired: '15 expiry',
  parameters: 'parameters',
} as const;

/** The number in front of a guard's id: two guards of one number are exceeded together. */
export const numberOf = (id: string): string => /^\d+/.exec(id)?.[0] ?? id;

export const refuse = (id: string, reason: string): { refused: true; guard: string; reason: string } => ({
  refused: true,
  guard: id,
  reason,
});
