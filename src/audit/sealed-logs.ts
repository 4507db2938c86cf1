import { basename, dirname, join } from 'node:path';
import type { AuditRecord } from '../model/run.ts';
import { readAuditFile, readRegular } from './audit-read.ts';
import { sealedFolder, tracesOf } from './audit-traces.ts';
import { sha256 } from './audit-line.ts';
import { sealOf } from './audit-verify.ts';

/** A log that was sealed, as it is now. */
export interface SealedLog {
  file: string;
  /** Who sealed it, when and why; and what has become of it since. */
  text: string;
  /** It is not as it was when it was sealed. */
  changed: boolean;
}

/** Every log that was sealed in a log's folder, newest first: those that seals name, and those that none does. Throws when one can't be read. */
export const sealedLogs = async (
  file: string,
  records: readonly AuditRecord[],
): Promise<readonly SealedLog[]> => {
  const found: SealedLog[] = [];
  const there = new Set(
    (await tracesOf(file)).sealed.map((number) => join(sealedFolder(file, number), basename(file))),
  );
  for (let seal = sealOf({ records }); seal !== undefined;) {
    const name = seal.detail['file'];
    const by = `sealed at ${seal.at} by ${seal.operator}: ${String(seal.detail['reason'])}`;
    const sealed = typeof name === 'string' ? join(dirname(file), name) : undefined;
    if (sealed === undefined || found.some((one) => one.file === sealed)) {
      found.push({ file, text: `a new log; none was there before; ${by}`, changed: false });
      break;
    }
    there.delete(sealed);
    const became = await changeOf(sealed, seal.detail['sha256']);
    found.push({
      file: sealed,
      text: `${by}; ${became ?? 'it is as it was sealed'}`,
      changed: became !== undefined,
    });
    seal = sealOf(await readAuditFile(sealed).catch(() => ({ records: [] })));
  }
  for (const one of there)
    found.push({
      file: one,
      text: 'sealed; the record that says why is not in a log that can be read',
      changed: false,
    });
  return found;
};

const changeOf = async (file: string, hash: unknown): Promise<string | undefined> => {
  if (typeof hash !== 'string') return undefined;
  const log = await readRegular(file);
  if (log === undefined) return 'it is gone';
  return sha256(log) === hash ? undefined : 'it was changed after it was sealed';
};
