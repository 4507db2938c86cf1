import { isWhole, type Verified } from '../audit/audit-verify.ts';
import { thrownText } from '../text/thrown.ts';
import { damageText, type AuditLog } from './audit-log.ts';

/**
 * A log together with the one that was written while its own folder could not be used: what was begun from there is not forgotten when
 * the folder is back. That one is only read; what becomes of its open runs is written into this one.
 */
export const joinLogs = (
  audit: AuditLog,
  file: string,
  readOther: (full?: boolean) => Promise<Verified>,
): AuditLog => {
  let wrong: string | undefined;
  const verifyOther = async (full = false): Promise<Verified> => {
    try {
      const read = await readOther(full);
      wrong = isWhole(read)
        ? undefined
        : `the audit log of the time when it was elsewhere: ${damageText(file, read.problems)}`;
      return read;
    } catch (error) {
      wrong = `the audit log of the time when it was elsewhere cannot be read: ${file}: ${thrownText(error)}`;
      throw error;
    }
  };
  return {
    ...audit,
    problem: () => audit.problem() ?? wrong,
    check: async () => {
      const own = await audit.check();
      if (own !== undefined) return own;
      await verifyOther().catch(() => undefined);
      return wrong;
    },
    read: async (full) => {
      const [own, before] = [await audit.read(full), await verifyOther(full)];
      const besides = wrong === undefined ? [] : [{ line: 0, text: wrong }];
      return {
        ...own,
        records: [...before.records, ...own.records],
        problems: [...own.problems, ...besides],
      };
    },
  };
};
