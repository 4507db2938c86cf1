import type { Answer } from '../../../src/model/answer.ts';
import type { AccountingReading } from '../readings.ts';

/** sacctmgr's words for it (slurm_persist_conn.c and sacctmgr.c, 20.11 to 25.05). */
const noConnection =
  /(?:failed to open persistent connection|Sending PersistInit msg|Problem talking to the database|Unable to contact slurmdbd)/i;
/** slurmdbd's errors about what is behind it (slurm_errno.c, ESLURM_DB_CONNECTION and others). */
const noDatabase = /unable to connect to database|database is busy|mysql|mariadb/i;

/** Munge or rights on this host: nothing is said of slurmdbd (controller-auth tells of munge). */
const noProof = /munge|authentication|operation not permitted|access\/permission denied/i;

const row = /^([^|]+)\|([^|]*)\|(\d*)$/;

/**
 * `sacctmgr -n -P show cluster format=cluster,controlhost,controlport`. What it says beside rows it repeats on the way to them; an answer
 * without rows and without known words tells nothing.
 */
export const readAccounting = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: AccountingReading; notUnderstood: number } => {
  const clusters = stdout.split('\n').flatMap((line) => {
    const [, name, host = '', port = ''] = row.exec(line.trim()) ?? [];
    // slurmdbd sets both back when the connection of a slurmctld ends.
    return name === undefined ? [] : [{ name, connected: host !== '' && Number(port) > 0 }];
  });
  if (exitCode === 0 && clusters.length > 0)
    return { value: { state: 'answers', clusters }, notUnderstood: 0 };
  const lines = `${stderr}\n${stdout}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const database = lines.find((line) => noDatabase.test(line) && !noConnection.test(line));
  const connection = lines.find((line) => noConnection.test(line));
  const refused = lines.find((line) => noProof.test(line));
  const message = refused ?? database ?? connection ?? lines[0];
  const state = refused ? 'unknown' : database ? 'database' : connection ? 'down' : 'unknown';
  return {
    value: { state, clusters: [], ...(message !== undefined && { message: message.slice(0, 300) }) },
    notUnderstood: 0,
  };
};
