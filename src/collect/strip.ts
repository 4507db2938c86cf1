import type { RankedFinding } from '../model/finding.ts';
import type { Severity } from '../model/subject.ts';
import type { Strip } from '../model/wire.ts';
import type { Collector } from './collector.ts';

/**
 * What is true of the whole site. Findings that another one explains are not counted: it counts for them, as the worst of them;
 * acknowledged ones are counted apart.
 */
export const stripOf = (collector: Collector, badges: readonly string[]): Strip => {
  const { site, readOnly, history, store, shared, clock } = collector;
  const acked = collector.findings().filter((one) => one.acked && one.explainedBy === undefined).length;
  const others = shared?.listOthers(clock.now()) ?? [];
  const oldestAt = store.oldestAt();
  return {
    site: site.name,
    readOnly,
    counts: countSeverities(collector.findings()),
    ...(oldestAt !== undefined && { oldestAt }),
    ...(acked > 0 && { acked }),
    ...(others.length > 0 && { others }),
    badges: [
      ...(shared?.badges() ?? (site.shared ? [] : ['shared folder: none'])),
      ...history.badges(),
      ...badges,
    ],
  };
};

const countSeverities = (findings: readonly RankedFinding[]): Record<Severity, number> => {
  const counts = { critical: 0, warning: 0, notice: 0 };
  for (const finding of findings)
    if (finding.explainedBy === undefined && !finding.acked) counts[finding.worst ?? finding.severity] += 1;
  return counts;
};
