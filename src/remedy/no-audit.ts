import { NOTHING } from '../audit/audit-verify.ts';
import type { AuditLog } from './audit-log.ts';

/** The log of a machine that has no place for one: nothing can be written, so nothing can be done (guard 14). */
export const noAuditLog = (why: string): AuditLog => {
  const reason = `audit log cannot be written: ${why}`;
  return {
    file: '',
    append: async () => ({ ok: false, reason }),
    // What was done before stands somewhere else: nothing is not what it says.
    read: async () => ({ ...NOTHING, problems: [{ line: 0, text: reason }] }),
    check: async () => reason,
    problem: () => reason,
    publish: async () => undefined,
    warnings: () => [],
  };
};
