import { readAuditFile } from '../../audit/audit-read.ts';
import { withCarried } from '../../audit/told.ts';
import { visible } from '../../text/safe.ts';
import { logFiles } from '../audit/logs.ts';
import { UsageError, type Io } from '../io.ts';

/** The action that a run carried out, from the audit logs of this user; UsageError when none tells of such a run. */
export const actionOfRun = async (run: string, io: Io): Promise<string> => {
  const damaged: string[] = [];
  for (const file of await logFiles({ verb: 'show', json: false }, io)) {
    try {
      const { records } = await readAuditFile(file);
      const intent = withCarried(records).find((record) => record.kind === 'intent' && record.run === run);
      if (intent?.action !== undefined) return intent.action;
    } catch (error) {
      damaged.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const besides = damaged.length > 0 ? `; not read: ${damaged.join('; ')}` : '';
  throw new UsageError(
    visible(
      `there is no run ${run.slice(0, 60)} in the audit log${besides}; "faultline audit" shows the runs`,
    ),
  );
};
