import type { Cause } from '../model/dependency.ts';
import type { System } from '../model/system.ts';
import type { FormerNames } from '../site/schema.ts';

/** By this name the site file switches off what follows from dependencies. */
export const DEPENDENCY = 'dependency';

type Named = Pick<System, 'formerly'> & { causes?: readonly Pick<Cause, 'name'>[] };

/** What names of older versions, as they may still stand in site files and acknowledgements, stand for now. */
export const formerNames = (systems: readonly Named[]): FormerNames => ({
  findings: Object.assign({}, ...systems.map(({ formerly }) => formerly?.findings ?? {})),
  rules: Object.assign({}, ...systems.map(({ formerly }) => formerly?.rules ?? {})),
});

/** By these names, and former ones, the site file switches off what explains what. */
export const ruleNamesOf = (systems: readonly Named[]): readonly string[] => [
  ...new Set([
    DEPENDENCY,
    ...systems.flatMap(({ causes = [] }) => causes.map(({ name }) => name)),
    ...Object.keys(formerNames(systems).rules),
  ]),
];

/** Names of rules as the site file has them, and as they are called now. */
export const currentRules = (names: readonly string[], { rules }: FormerNames): readonly string[] =>
  names.flatMap((name) => [name, rules[name] ?? name]);

/** A finding's id of any version to what it is called now. */
export const currentId = (id: string, { findings }: FormerNames): string => {
  const [system = '', kind = '', ...key] = id.split(':');
  const now = findings[`${system}:${kind}`];
  return now === undefined ? id : [now, ...key].join(':');
};

/** What a finding was called by older versions, where that was another name. */
export const formerId = (id: string, { findings }: FormerNames): string | undefined => {
  const [system = '', kind = '', ...key] = id.split(':');
  const former = Object.keys(findings).find((name) => findings[name] === `${system}:${kind}`);
  return former === undefined ? undefined : [former, ...key].join(':');
};
