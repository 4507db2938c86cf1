import type { Answer } from '../../../src/model/answer.ts';
import type { AccountingReading } from '../readings.ts';

/** sacctmgr's words for it (slurm_persist_conn.c and sacctmgr.c, 20.11 to 25.05). */
const noConnection =
  /(?:failed to open persistent connection|Sending PersistInit msg|Problem talking to the database|Unable to contact slurmdbd)/i;
/** slurmdbd's errors about what is behind it (slurm_errno.c, ESLURM_DB_CONNECTION and others). */
const noDatabase = /unable to connect to database|database is busy|mysql|mariadb/i;

/** With these slurmdbd refuses a client; they stand behind sacctmgr's own words (slurm_errno.c). */
const takesNot = /protocol authentication error|incompatible (?:versions of client and server|rpc version)/i;

/** No munged here: whatever is said behind it comes from that. */
const noMunge = /munge encode failed|did you start munged/i;

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
  const isOurs = lines.some((line) => noMunge.test(line));
  const refused = isOurs ? undefined : lines.find((line) => noConnection.test(line) && takesNot.test(line));
  const unproven = refused === undefined ? lines.find((line) => noProof.test(line)) : undefined;
  const message = refused ?? unproven ?? database ?? connection ?? lines[0];
  const state = stateOf({ refused, unproven, database, connection });
  return {
    value: { state, clusters: [], ...(message !== undefined && { message: message.slice(0, 300) }) },
    notUnderstood: 0,
  };
};

type Lines = Record<'refused' | 'unproven' | 'database' | 'connection', string | undefined>;

const stateOf = ({ refused, unproven, database, connection }: Lines): AccountingReading['state'] => {
  if (refused !== undefined) return 'refused';
  if (unproven !== undefined) return 'unknown';
  if (database !== undefined) return 'database';
  return connection === undefined ? 'unknown' : 'down';
};
