import type { Cause } from '../model/cause.ts';
import { NOT_READ } from '../model/finding.ts';

/**
 * Findings of these kinds say themselves why their system, or a host of it, can't be read: what was not read there is folded below
 * them. `everywhere`: what they tell of is asked through any host (a controller).
 */
export const saysWhyNotRead = (kinds: readonly string[], where: 'there' | 'everywhere' = 'there'): Cause => ({
  name: 'says-why-not-read',
  causes: kinds,
  effects: [NOT_READ],
  explain: ({ severity, subject, evidence }, effect) => {
    const allFailed = effect.evidence.every(({ values }) => values?.['failed'] !== undefined);
    if (severity === 'notice' || !allFailed) return undefined;
    const hosts = new Set([subject.id, ...evidence.flatMap(({ host }) => host ?? [])]);
    const own = effect.members ?? [effect.subject];
    return where === 'everywhere' || own.every(({ id }) => hosts.has(id)) ? 'it says why' : undefined;
  },
});
