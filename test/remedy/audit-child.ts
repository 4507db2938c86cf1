import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { realTime } from './time.ts';

/** Appends records to a log: `node audit-child.ts FILE COUNT`. */
const [file = '', count = '0'] = process.argv.slice(2);
const console = { host: 'adm1', pid: process.pid, version: '0', stamp: '' };
const log = createAuditLog({
  file,
  site: 'test',
  operator: { name: 'alice', uid: 1 },
  console,
  clock: realTime,
});
for (let at = 0; at < Number(count); at++) {
  const appended = await log.append({ kind: 'note', detail: { at } });
  if (!appended.ok) throw new Error(appended.reason);
}
