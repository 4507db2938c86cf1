import { encodeLine } from '../../src/audit/audit-line.ts';
import type { AuditRecord } from '../../src/model/run.ts';

/** A line of an audit log: a note of alice's, but for what is said otherwise. */
export const auditLine = (
  seq: number,
  prev: string,
  over: Partial<Omit<AuditRecord, 'hash' | 'seq' | 'prev'>> = {},
): string =>
  encodeLine({
    seq,
    at: '2026-11-20T02:00:00.000Z',
    monoMs: seq,
    prev,
    kind: 'note',
    operator: 'alice',
    uid: 1000,
    console: { host: 'adm1', pid: 1, version: '1' },
    site: 's',
    detail: {},
    ...over,
  });
