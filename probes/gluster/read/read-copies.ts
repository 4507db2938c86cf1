import * as z from 'zod';
import { dropUndefined } from '../../../src/kit/known.ts';
import { type Section, sectionsOf } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';

/** Names of files in split-brain: as heal info lists them, as the command takes them, and where they lie on a brick. */

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Letters, digits and signs that no shell, list or screen takes for something else. Not among them: quotes, backslashes, $, the end of
 * a line, and what turns the direction of writing.
 */
const plainPath = /^\/[\p{L}\p{N}\p{M}/ ._@+=,:~%#&()[\]-]{0,800}$/u;

/** Whether a name can be put into a command: a path from the top of the volume, or `gfid:UUID`. */
export const isHealable = (name: string): boolean =>
  name.startsWith('gfid:')
    ? uuid.test(name.slice(5))
    : plainPath.test(name) &&
      name.trim() === name &&
      !name.split('/').some((part) => part === '.' || part === '..');

/** What heal info lists as the command takes it (`<gfid:UUID>` is `gfid:UUID`); undefined: nothing that can be put into one. */
export const nameToHeal = (listed: string): string | undefined => {
  const name = /^<(gfid:[0-9a-f-]{36})>$/.exec(listed)?.[1] ?? listed;
  return isHealable(name) ? name : undefined;
};

/** Where a file lies on a brick; each has a second name below .glusterfs by its gfid (posix-handle.h). */
export const copyPath = (brick: string, name: string): string => {
  const id = name.slice(5);
  if (name.startsWith('gfid:')) return `${brick}/.glusterfs/${id.slice(0, 2)}/${id.slice(2, 4)}/${id}`;
  return name === '/' ? brick : `${brick}${name}`;
};

const copySchema = z.object({
  /** On the brick: `/srv/brick1/home0/alice/x`. */
  path: z.string(),
  /** UTC ms at which heal info listed the file last: it is looked at for a while after, for whoever healed it. */
  listedAt: z.number(),
  /** Why it could not be looked at: no such file, as a rule. */
  failed: z.string().optional(),
  /** `pointer`: of the distribution, says that the file lies elsewhere. */
  kind: z.enum(['file', 'folder', 'pointer', 'other']).optional(),
  bytes: z.number().optional(),
  /** UTC s of the last change of its contents. */
  changedS: z.number().optional(),
  /** The same by gluster's own record on the copy (trusted.glusterfs.mdata); null: it has none. Absent: not known. */
  recordedS: z.number().nullable().optional(),
  /** `0644`. */
  mode: z.string().optional(),
  owner: z.string().optional(),
  gfid: z.string().optional(),
  /** Absent where it was not read in time. */
  sha256: z.string().optional(),
  /** What it says that other copies have wrong (trusted.afr.VOLUME-client-N). */
  accuses: z.array(z.enum(['data', 'metadata', 'entries'])),
  /** Of a folder, 500 at most. */
  names: z.array(z.object({ name: z.string(), gfid: z.string() })).optional(),
});
export const copiesSchema = z.object({ copies: z.array(copySchema) });
export type CopiesReading = z.infer<typeof copiesSchema>;
export type FileCopy = CopiesReading['copies'][number];

/** Reads the answer of the script that looks at copies; `listed`: UTC ms at which heal info named the file of a path. */
export const readCopies = (
  answer: Answer,
  listed: ReadonlyMap<string, number>,
): { value: CopiesReading } => ({
  value: {
    copies: sectionsOf(answer, 'looking at copies')
      .filter(({ word }) => word === 'copy')
      .map((section) => copyOf(section, listed.get(section.rest) ?? 0)),
  },
});

const copyOf = ({ rest: path, body }: Section, listedAt: number): FileCopy => {
  const lines = body.split('\n');
  const after = (start: string): string | undefined =>
    lines.find((line) => line.startsWith(start))?.slice(start.length);
  const [bytes, changedS, raw, uid, gid] = (after('is ') ?? '').split(' ');
  const mode = raw !== undefined && /^[0-9a-f]{1,8}$/.test(raw) ? Number.parseInt(raw, 16) : undefined;
  const kind = mode === undefined ? undefined : kindOf(mode, bytes);
  return {
    path,
    listedAt,
    ...dropUndefined({
      failed: mode === undefined ? (after('failed ') ?? 'no reason given') : undefined,
      kind,
      bytes: wholeNumber(bytes),
      changedS: wholeNumber(changedS),
      recordedS: recordedOf(after('trusted.glusterfs.mdata='), lines.includes('attributes whole')),
      mode: mode === undefined ? undefined : `0${(mode & 0o7777).toString(8)}`,
      owner: gid === undefined ? undefined : `${uid}:${gid}`,
      gfid: gfidOf(after('trusted.gfid=')),
      sha256: after('sum '),
      names: kind === 'folder' ? lines.flatMap(nameOf) : undefined,
    }),
    accuses: accusesOf(lines),
  };
};

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/**
 * Where `features.ctime` is on, gluster goes by times that it keeps in an attribute, not by the disk's: a byte with the version, then of
 * 64 bits each, big-endian, flags and seconds and ns of ctime, mtime and atime (posix-metadata-disk.h). `isWhole`: all were listed.
 */
const recordedOf = (hex: string | undefined, isWhole: boolean): number | null | undefined => {
  if (hex === undefined) return isWhole ? null : undefined;
  const seconds = /^0x01[0-9a-f]{48}([0-9a-f]{16})[0-9a-f]{48}$/.exec(hex)?.[1];
  const value = Number.parseInt(seconds ?? '', 16);
  return Number.isSafeInteger(value) ? value : undefined;
};

/** stat(2): S_IFMT; a pointer is an empty file with the sticky bit alone (dht-common.h, DHT_LINKFILE_MODE). */
const kindOf = (mode: number, bytes: string | undefined): NonNullable<FileCopy['kind']> => {
  if ((mode & 0o170_000) === 0o040_000) return 'folder';
  if ((mode & 0o170_000) !== 0o100_000) return 'other';
  return (mode & 0o7777) === 0o1000 && bytes === '0' ? 'pointer' : 'file';
};

/** `0xdb4fa630...` as gluster writes it: `db4fa630-6bcf-...`. */
const gfidOf = (hex: string | undefined): string | undefined => {
  const found = /^0x([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(hex ?? '');
  return found?.slice(1).join('-');
};

const nameOf = (line: string): { name: string; gfid: string }[] => {
  const [word, hex, ...name] = line.split(' ');
  const gfid = gfidOf(hex);
  return word === 'entry' && gfid !== undefined && name.length > 0 ? [{ name: name.join(' '), gfid }] : [];
};

/** Three counters of 32 bits each, big-endian: of data, metadata and entries (afr.h, AFR_NUM_CHANGE_LOGS). */
const accusesOf = (lines: readonly string[]): FileCopy['accuses'] => {
  const counters = lines.flatMap(
    (line) => /^trusted\.afr\.\S+-client-\d+=0x([0-9a-f]{24})$/.exec(line)?.[1] ?? [],
  );
  const kinds = ['data', 'metadata', 'entries'] as const;
  return kinds.filter((_kind, at) => counters.some((one) => !/^0{8}$/.test(one.slice(at * 8, at * 8 + 8))));
};
