import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EMPTY_HEAD, encodeHead, type AuditHead } from '../audit/audit-head.ts';
import { tracesOf } from '../audit/audit-traces.ts';
import { thrownCode } from '../text/thrown.ts';

/**
 * In a folder where nothing was ever begun the head comes first, whole or not at all: from then on a log that is not there is known to
 * hold nothing, whenever the process dies. The caller need not hold the lock: the lock's own file comes later.
 */
export const beginHead = async (file: string): Promise<void> => {
  if (!(await tracesOf(file)).none) return;
  const draft = `${file}.head.${randomUUID()}`;
  await writeFile(draft, encodeHead(EMPTY_HEAD), { mode: 0o600, flush: true });
  try {
    await link(draft, `${file}.head`);
  } catch (error) {
    if (thrownCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
};

/** In place: needs no new room, and one sector is written whole or not at all. */
export const writeHead = async (file: string, head: AuditHead | string): Promise<void> => {
  const text = typeof head === 'string' ? head : encodeHead(head);
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK;
  await using handle = await open(`${file}.head`, flags, 0o600);
  await handle.write(text, 0, 'latin1');
  await handle.truncate(text.length);
  await handle.sync();
};

/** Names that came or went in the folder are on disk when it resolves. */
export const syncFolder = async (file: string): Promise<void> => {
  await using folder = await open(dirname(file), constants.O_RDONLY);
  await folder.sync();
};
