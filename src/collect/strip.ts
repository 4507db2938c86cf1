import type { RankedFinding } from '../model/finding.ts';
import type { Severity } from '../model/subject.ts';
import type { Strip } from '../model/wire.ts';
import type { Collector } from './collector.ts';

/** What is true of the whole site. Findings that another one explains are not counted: it counts for them. */
export const stripOf = (collector: Collector, badges: readonly string[]): Strip => {
  const { site, readOnly, history, store } = collector;
  const oldestAt = store.oldestAt();
  return {
    site: site.name,
    readOnly,
    counts: countSeverities(collector.findings()),
    ...(oldestAt !== undefined && { oldestAt }),
    badges: [...(site.shared ? [] : ['shared folder: none']), ...history.badges(), ...badges],
  };
};

const countSeverities = (findings: readonly RankedFinding[]): Record<Severity, number> => {
  const counts = { critical: 0, warning: 0, notice: 0 };
  for (const finding of findings) if (finding.explainedBy === undefined) counts[finding.severity] += 1;
  return counts;
};
