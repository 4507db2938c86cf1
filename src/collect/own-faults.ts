import { readDraft, type Finding, type FindingDraft } from '../model/finding.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { System } from '../model/system.ts';
import { makeSafeDeep } from '../text/safe.ts';
import { cut } from '../text/width.ts';
import { SUMMARY } from './planned.ts';
import { Unreadable, runWithin, runTogetherWithin } from './within-time.ts';

/** So long a system may take for one of its works, ms: 10,000 nodes are judged in a tenth of it. */
const JUDGE_MS = 5000;

/** A work that did not end in time is not tried again for so long, ms: doubling, for everybody else waits meanwhile. */
const REST_MS = 60_000;
const LONGEST_REST_MS = 10 * REST_MS;

interface Fault {
  summary: string;
  error: unknown;
  /** How long and until when it rests, on the monotonic clock. */
  rest?: { ms: number; until: number };
}

export type OwnFaults = ReturnType<typeof createOwnFaults>;

/** A system whose judgement throws or does not end: the others go on, and the screen says so. */
export const createOwnFaults = (log: Log, clock: Pick<Clock, 'mono'>) => {
  /** By system, and there by what it was doing. */
  const faults = new Map<string, Map<string, Fault>>();
  return {
    /** Works of several systems under one deadline. */
    together: <T>(works: () => T): T => runTogetherWithin(works, JUDGE_MS),
    /** What a system gives, or the fallback with a finding that names its fault. */
    guard: <T>({ id, title }: System, what: string, work: () => T, fallback: T): T => {
      const own = faults.get(id) ?? new Map<string, Fault>();
      faults.set(id, own);
      const rest = own.get(what)?.rest;
      if (rest && clock.mono() < rest.until) return fallback;
      try {
        const result = runWithin(work, JUDGE_MS);
        own.delete(what);
        return result;
      } catch (error) {
        const summary = cut(`${title}: a fault in Faultline's own ${what}: ${messageOf(error)}`, SUMMARY);
        if (own.get(what)?.summary !== summary)
          log(`${id} ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        own.set(what, {
          summary,
          error,
          ...(error instanceof Unreadable && { rest: nextRest(rest, clock.mono()) }),
        });
        return fallback;
      }
    },
    /** In one line what is wrong with this work of a system now. */
    of: ({ id }: System, what: string): string | undefined => faults.get(id)?.get(what)?.summary,
    /** One for each system that is at fault. */
    findings: (systems: readonly System[]): readonly Finding[] =>
      systems.flatMap(({ id }) => {
        const [first] = faults.get(id)?.values() ?? [];
        return first ? [bugFinding(id, first.summary, first.error)] : [];
      }),
  };
};

const nextRest = (last: Fault['rest'], now: number): NonNullable<Fault['rest']> => {
  const ms = Math.min(LONGEST_REST_MS, last ? last.ms * 2 : REST_MS);
  return { ms, until: now + ms };
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const bugFinding = (system: string, summary: string, error: unknown): Finding => {
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 6) : [];
  const draft: FindingDraft = {
    id: `${system}:bug:${system}`,
    system,
    kind: 'bug',
    severity: 'warning',
    subject: { kind: 'site', id: system },
    summary,
    advice: 'Readings go on, but findings of this system are missing. Report this with the lines below.',
    evidence: [messageOf(error), ...stack].map((text) => ({ text })),
    hurt: {},
    remedies: [],
  };
  return readDraft(makeSafeDeep(draft));
};
