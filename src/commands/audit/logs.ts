import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { begunFile } from '../../audit/audit-traces.ts';
import { AUDIT_FILE, auditFolders } from '../../audit/place.ts';
import { folderName } from '../../collect/history-place.ts';
import { makeSafe } from '../../text/safe.ts';
import { UsageError, type Io } from '../io.ts';
import { openSite } from '../open-site.ts';
import type { AuditOptions } from '../options.ts';

/** The logs that a person asks about: one file, one site's, or all of this user. */
export const logFiles = async (options: AuditOptions, io: Io): Promise<string[]> => {
  if (options.file !== undefined) {
    if (options.site !== undefined)
      throw new UsageError('--file and --site are two different logs; give one of them');
    return [options.file];
  }
  const folders = auditFolders(io.env, process.getuid?.() ?? 0);
  const found = (await Promise.all(folders.map(logsIn))).flat();
  if (options.site === undefined) return found;
  const { site, close } = await openSite({ site: options.site }, io);
  await close();
  const name = folderName(site.name);
  const ofSite = found.filter((file) => file.endsWith(join('/', name, AUDIT_FILE)));
  if (ofSite.length === 0 && found.length > 0)
    throw new UsageError(
      `there is no audit log of ${makeSafe(site.name)} yet; there is ${makeSafe(found.join(', '))}`,
    );
  return ofSite;
};

/** Where a console of the site writes its log, and where when its home hangs; nothing is made there. */
export const expectedFiles = async (
  options: Pick<AuditOptions, 'site'>,
  io: Pick<Io, 'env'>,
): Promise<readonly string[]> => {
  try {
    const { site, close } = await openSite(options.site === undefined ? {} : { site: options.site }, io);
    await close();
    return auditFolders(io.env, process.getuid?.() ?? 0).map((folder) =>
      join(folder, folderName(site.name), AUDIT_FILE),
    );
  } catch {
    // Without a site nothing is expected; what is wrong with it is told by who needs it.
    return [];
  }
};

const logsIn = async (folder: string): Promise<string[]> => {
  const logs: string[] = [];
  for (const name of await namesIn(folder))
    if ((await namesIn(join(folder, name))).some(isOfLog)) logs.push(join(folder, name, AUDIT_FILE));
  return logs;
};

/** A log that is gone leaves something behind, and is told of as gone. */
const isOfLog = (name: string): boolean =>
  name === basename(begunFile(AUDIT_FILE)) || name === AUDIT_FILE || name.startsWith(`${AUDIT_FILE}.`);

/** Nothing where there is no folder: nothing was done from here, or the home does not answer and the other place was used. */
const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
};
