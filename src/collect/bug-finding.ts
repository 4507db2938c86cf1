import type { FindingDraft } from '../model/finding.ts';
import { cut } from '../text/width.ts';
import { SUMMARY } from './planned.ts';

/** A system whose judgement throws: the others go on, and the screen says so. */
export const bugFinding = (system: string, title: string, what: string, error: unknown): FindingDraft => {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 6) : [];
  return {
    id: `${system}:bug:${system}`,
    system,
    kind: 'bug',
    severity: 'warning',
    subject: { kind: 'site', id: system },
    summary: cut(`${title}: a fault in Faultline's own ${what}: ${message}`, SUMMARY),
    advice: 'Readings go on; what this system would say is missing. Report it with the lines below.',
    evidence: [message, ...stack].map((text) => ({ text })),
    hurt: {},
    remedies: [],
  };
};
