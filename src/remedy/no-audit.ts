import type { AuditLog } from './audit-log.ts';

/** The log of a machine that has no place for one: nothing can be written, so nothing can be done (guard 14). */
export const noAuditLog = (why: string): AuditLog => {
  const reason = `audit log cannot be written: ${why}`;
  return {
    file: '',
    append: async () => ({ ok: false, reason }),
    read: async () => ({ records: [], problems: [], notes: [], end: '' }),
    check: async () => reason,
    problem: () => reason,
  };
};
