import type { Cause, CauseSite } from '../model/dependency.ts';
import type { Finding } from '../model/finding.ts';
import { explainLack } from './dependencies.ts';
import { DEPENDENCY } from './former-names.ts';
import { cableEnds, mayCross } from './paths.ts';
import { switchesOf, type Topology } from './topology.ts';

/** What a finding is explained by. */
export interface Explained {
  cause: string;
  /** In words. */
  why: string;
}

/** An effect that began so much earlier than a cause was not brought about by it, ms: both are seen by polls of minutes. */
const EARLIER_MS = 15 * 60_000;

/** What may explain what: the systems' own causes, by system. */
export interface Causes {
  system: string;
  causes: readonly Cause[];
}

/**
 * Which finding explains which, by effect. First what hangs on what (the nearest loss first), then what systems know in
 * particular, in their order; of several causes the one with the most subjects. Never a circle: a cause that would be explained
 * by its own effect is left alone. `off`: names, as they are now, that the site file switches off.
 */
export const explain = (
  findings: readonly Finding[],
  systems: readonly Causes[],
  topology: Topology = {},
  off: readonly string[] = [],
): ReadonlyMap<string, Explained> => {
  const explained = new Map<string, Explained>();
  const isOff = new Set(off);
  const fold = (effect: Finding, possible: readonly Possible[]): void => {
    if (explained.has(effect.id)) return;
    const fits = possible
      .filter(({ cause }) => cause.id !== effect.id && !leadsTo(explained, cause.id, effect.id))
      .filter(({ cause }) => mayPrecede(cause, effect))
      .toSorted((a, b) => a.steps - b.steps || countSubjects(b.cause) - countSubjects(a.cause));
    const [best] = fits;
    if (best) explained.set(effect.id, { cause: best.cause.id, why: best.why });
  };
  const breaking = findings.filter(({ breaks }) => breaks !== undefined);
  if (!isOff.has(DEPENDENCY))
    for (const effect of findings) fold(effect, byDependency(effect, breaking, topology));
  const site = siteOf(topology);
  for (const { system, causes } of systems)
    for (const one of causes) {
      if (isOff.has(one.name)) continue;
      const possible = findings.filter((found) => found.system === system && one.causes.includes(found.kind));
      if (possible.length === 0) continue;
      for (const effect of findings)
        if (isEffect(one, system, effect)) fold(effect, byCause(one, effect, possible, site));
    }
  return explained;
};

interface Possible {
  cause: Finding;
  why: string;
  /** How far away in the chain of dependencies. */
  steps: number;
}

const byDependency = (effect: Finding, breaking: readonly Finding[], topology: Topology): Possible[] =>
  breaking.flatMap((cause): Possible[] => {
    if (cause.id === effect.id) return [];
    for (const lack of effect.lacks ?? []) {
      const found = explainLack(cause.breaks ?? [], lack, topology);
      if (found) return [{ cause, why: found.words, steps: found.steps }];
    }
    return [];
  });

const isEffect = ({ effects }: Cause, system: string, effect: Finding): boolean =>
  effects === 'any' ? effect.lacks !== undefined : effect.system === system && effects.includes(effect.kind);

const byCause = (
  { explain: why }: Cause,
  effect: Finding,
  possible: readonly Finding[],
  site: CauseSite,
): Possible[] =>
  possible.flatMap((cause): Possible[] => {
    const words = cause.id === effect.id ? undefined : why(cause, effect, site);
    return words === undefined ? [] : [{ cause, why: words, steps: 0 }];
  });

const siteOf = (topology: Topology): CauseSite => ({
  switchesOf: (host) => switchesOf(host, topology),
  mayCross: (port, from, to) => {
    const ends = cableEnds(port, topology);
    const [a, b] = [switchesOf(from, topology), switchesOf(to, topology)];
    if (!ends || a.length === 0 || b.length === 0) return 'not known';
    return mayCross(ends, a, b, topology) ? 'yes' : 'no';
  },
});

/** Only where both say when they began. */
const mayPrecede = (cause: Finding, effect: Finding): boolean =>
  cause.since === undefined || effect.since === undefined || effect.since >= cause.since - EARLIER_MS;

/** How many subjects a finding is about. */
export const countSubjects = (finding: Finding): number => finding.members?.length ?? 1;

const leadsTo = (explained: ReadonlyMap<string, Explained>, from: string, to: string): boolean => {
  for (let at: string | undefined = from; at !== undefined; at = explained.get(at)?.cause)
    if (at === to) return true;
  return false;
};
