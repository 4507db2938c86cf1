import { ruleNamesOf } from '../collect/explain.ts';
import type { Knowledge } from '../site/schema.ts';
import { otherRoles, systems } from '../systems.ts';

/** What a site file is checked against. */
export const knowledge: Knowledge = { systems, roles: otherRoles, rules: ruleNamesOf(systems) };
