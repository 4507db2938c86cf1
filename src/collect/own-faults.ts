import type { Finding } from '../model/finding.ts';
import type { Log } from '../model/ports.ts';
import type { System } from '../model/system.ts';
import { cut } from '../text/width.ts';
import { SUMMARY } from './planned.ts';
import { readDraft } from './read-draft.ts';

export type OwnFaults = ReturnType<typeof createOwnFaults>;

/** A system whose judgement throws: the others go on, and the screen says so. */
export const createOwnFaults = (log: Log) => {
  /** By system, and there by what it was doing. */
  const faults = new Map<string, Map<string, { summary: string; error: unknown }>>();
  return {
    /** What a system gives, or the fallback with a finding that names its fault. */
    guard: <T>({ id, title }: System, what: string, work: () => T, fallback: T): T => {
      const own = faults.get(id) ?? new Map<string, { summary: string; error: unknown }>();
      faults.set(id, own);
      try {
        const result = work();
        own.delete(what);
        return result;
      } catch (error) {
        const summary = cut(`${title}: a fault in Faultline's own ${what}: ${messageOf(error)}`, SUMMARY);
        if (own.get(what)?.summary !== summary)
          log(`${id} ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        own.set(what, { summary, error });
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const bugFinding = (system: string, summary: string, error: unknown): Finding => {
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 6) : [];
  return readDraft({
    id: `${system}:bug:${system}`,
    system,
    kind: 'bug',
    severity: 'warning',
    subject: { kind: 'site', id: system },
    summary,
    advice: 'Readings go on; what this system would say is missing. Report it with the lines below.',
    evidence: [messageOf(error), ...stack].map((text) => ({ text })),
    hurt: {},
    remedies: [],
  });
};
