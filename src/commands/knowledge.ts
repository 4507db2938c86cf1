import { formerNames, ruleNamesOf } from '../collect/former-names.ts';
import type { Knowledge } from '../site/schema.ts';
import { systems } from '../registries/systems.ts';

/** What a site file is checked against. */
export const knowledge: Knowledge = {
  systems,
  rules: ruleNamesOf(systems),
  former: formerNames(systems),
};
