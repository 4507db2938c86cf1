import type { RankedFinding } from '../model/finding.ts';
import type { Severity } from '../model/subject.ts';
import type { Strip } from '../model/wire.ts';
import type { Collector } from './collector.ts';

/** What is true of the whole site. Findings that another one explains are not counted: it counts for them. */
export const stripOf = (collector: Collector, badges: readonly string[]): Strip => {
  const { site, readOnly, history, store } = collector;
  const oldest = collector
    .slots()
    .filter((slot) => slot.everyMs > 0)
    .map((slot) => store.source(slot.probe.id, slot.host.name))
    .filter((source) => source?.good !== undefined && source.state !== 'notAsked')
    .reduce((least, source) => Math.min(least, source?.good?.at ?? Infinity), Infinity);
  return {
    site: site.name,
    readOnly,
    counts: countSeverities(collector.findings()),
    ...(Number.isFinite(oldest) && { oldestAt: oldest }),
    badges: [...(site.shared ? [] : ['shared folder: none']), ...history.badges(), ...badges],
  };
};

const countSeverities = (findings: readonly RankedFinding[]): Record<Severity, number> => {
  const counts = { critical: 0, warning: 0, notice: 0 };
  for (const finding of findings) if (finding.explainedBy === undefined) counts[finding.severity] += 1;
  return counts;
};
