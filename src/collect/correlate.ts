import type { Finding } from '../model/finding.ts';
import { rules as allRules, type Rule } from './rules.ts';
import type { Topology } from './topology.ts';

/**
 * Which finding explains which, effect id to cause id. The first rule that fits wins, and of its causes the one with the most
 * subjects. Never a circle: a cause that would be explained by its own effect is left alone.
 */
export const explain = (
  findings: readonly Finding[],
  rules: readonly Rule[] = allRules,
  topology: Topology = {},
): ReadonlyMap<string, string> => {
  const byKind = Map.groupBy(findings, (finding) => `${finding.system}:${finding.kind}`);
  const causes = new Map<string, string>();
  for (const rule of rules) {
    const possible = (byKind.get(rule.cause) ?? []).toSorted((a, b) => breadth(b) - breadth(a));
    if (possible.length === 0) continue;
    for (const effect of byKind.get(rule.effect) ?? []) {
      if (causes.has(effect.id)) continue;
      const cause = possible.find(
        (one) =>
          one.id !== effect.id && !leadsTo(causes, one.id, effect.id) && rule.when(one, effect, topology),
      );
      if (cause) causes.set(effect.id, cause.id);
    }
  }
  return causes;
};

/** How many subjects a finding is about. */
export const breadth = (finding: Finding): number => finding.members?.length ?? 1;

const leadsTo = (causes: ReadonlyMap<string, string>, from: string, to: string): boolean => {
  for (let at: string | undefined = from; at !== undefined; at = causes.get(at)) if (at === to) return true;
  return false;
};
