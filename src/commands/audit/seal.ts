import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { AUDIT_FILE, whoami } from '../../audit/place.ts';
import { readAuditFile } from '../../audit/audit-read.ts';
import { problemText } from '../../audit/audit-problems.ts';
import { isWhole } from '../../audit/audit-verify.ts';
import { realClock } from '../../collect/clock.ts';
import { findPlace, readMountinfo } from '../../collect/history-place.ts';
import { sealAuditLog } from '../../remedy/audit-seal.ts';
import { stampOf } from '../../remedy/process-stamp.ts';
import { makeSafe } from '../../text/safe.ts';
import { count } from '../../text/units.ts';
import { line, UsageError, type Io } from '../io.ts';
import { openSite } from '../open-site.ts';
import type { AuditOptions } from '../options.ts';
import { logFiles } from './logs.ts';

/** `faultline audit seal --reason TEXT`: 0 when a new log was begun, 1 when not, with the reason. */
export const seal = async (options: AuditOptions, io: Io): Promise<number> => {
  const reason = options.reason?.trim() ?? '';
  if (reason === '') throw new UsageError('audit seal starts a new log; say why with --reason "..."');
  if (options.json || options.since !== undefined)
    throw new UsageError('audit seal takes no --json and no --since; leave them out');
  const file = await fileToSeal(options, io);
  const say = (text: string): void => line(io.stdout, makeSafe(text, 1_000));
  try {
    const sealed = await sealAuditLog({
      file,
      site: await siteOf(file),
      operator: whoami(),
      console: {
        host: hostname(),
        pid: process.pid,
        version: packageFile.version,
        stamp: stampOf(process.pid),
      },
      clock: realClock,
      reason,
      whole: options.whole === true,
    });
    if ('whole' in sealed) {
      line(
        io.stderr,
        makeSafe(
          `${file}: whole, ${count(sealed.whole, 'record')}: nothing to seal; --whole seals it all the same`,
        ),
      );
      return 1;
    }
    for (const problem of sealed.problems) say(`was wrong: ${problemText(problem)}`);
    say(
      sealed.folder === undefined
        ? `${file}: a new log; there was none before`
        : `the old log is in ${sealed.folder}`,
    );
    say(`${file}: a new log`);
    for (const one of sealed.open) say(`goes along, outcome unknown: ${one}`);
    if (sealed.problems.length > 0)
      say(
        'what stood in lines that are lost or unreadable is not known: look at what was done last before you act',
      );
    return 0;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    line(io.stderr, makeSafe(`${file}: not sealed: ${text}`, 1_000));
    return 1;
  }
};

/** The one that is named, that of the site, or the only one of this user that is not whole. */
const fileToSeal = async (options: AuditOptions, io: Io): Promise<string> => {
  if (options.file !== undefined) return (await logFiles(options, io))[0] ?? options.file;
  if (options.site !== undefined) return placeOf(options.site, io);
  const files = await logFiles(options, io);
  const damaged: string[] = [];
  for (const file of files) if (!(await isSound(file))) damaged.push(file);
  const [only, ...more] = options.whole ? files : damaged;
  if (only !== undefined && more.length === 0) return only;
  const choice = makeSafe((only === undefined ? files : [only, ...more]).join(', '), 500);
  throw new UsageError(
    only === undefined
      ? `no audit log is damaged${choice === '' ? '' : ` (${choice})`}; name the one that is meant with --file or --site`
      : `there is more than one: ${choice}; name the one that is meant with --file or --site`,
  );
};

/** Where a console of this site writes, even when nothing is left there. */
const placeOf = async (file: string, io: Io): Promise<string> => {
  const { site, close } = await openSite({ site: file }, io);
  await close();
  const { place, not } = await findPlace({
    env: io.env,
    uid: whoami().uid,
    name: site.name,
    mountinfo: await readMountinfo(),
  });
  if (place.folder === undefined || (not && !not.hangs))
    throw new UsageError(
      `there is no place for the log: ${makeSafe(not?.why ?? place.badge ?? '', 500)}; put that right first`,
    );
  return join(place.folder, AUDIT_FILE);
};

const isSound = (file: string): Promise<boolean> => readAuditFile(file).then(isWhole, () => false);

/** The site that the log is of: what its records say, else the name of its folder. */
const siteOf = async (file: string): Promise<string> => {
  const records = await readAuditFile(file).then(
    (read) => read.records,
    () => [],
  );
  return records.at(-1)?.site ?? basename(dirname(file));
};
