/**
 * What the audit log tells of a held change. `keep` and `restore` are written before the first byte of theirs is sent, the
 * others tell what came of it.
 */
export const holdPhases = ['armed', 'changed', 'keep', 'kept', 'restore', 'restored', 'disarmed'] as const;

export type HoldPhase = (typeof holdPhases)[number];
