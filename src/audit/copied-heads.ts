import * as z from 'zod';
import type { AuditRecord } from '../model/run.ts';
import { count } from '../text/units.ts';
import { asciiJson, sha256 } from './audit-line.ts';
import { sealOf, type Mark, type Verified } from './audit-verify.ts';

/** Whose log it is. Two places of one operator are two logs. */
export interface Owner {
  host: string;
  uid: number;
  site: string;
  /** The log's folder on `host`. */
  folder: string;
}

/** A log's name among the copies of all: only plain characters, so that a name is one file's and one word of a line. */
export const logName = ({ host, uid, site, folder }: Owner): string =>
  `${[host, String(uid), site].map((one) => one.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 60)).join('+')}+${sha256(folder).slice(0, 8)}`;

/** Folder of the copies in the shared folder. Beside `NAME.head`, the last one, stands `NAME.jsonl`, all of them. */
export const headsFolder = (dir: string): string => `${dir}/audit-heads`;

const line = z.object({
  v: z.literal(1),
  kind: z.literal('auditHead'),
  log: z.string(),
  at: z.int().min(0).max(8.64e15),
  seq: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A line of ours has some 200. */
const LINE_MOST = 1_000;

/** The line of one head. */
export const encodeCopy = (log: string, { seq, hash, at }: Mark): string =>
  asciiJson({ v: 1, kind: 'auditHead', log, at, seq, hash });

/** The heads of one log in these lines, and how many lines are none of its. Others write there, too: nothing is believed unchecked. */
export const decodeCopies = (
  lines: readonly string[],
  log: string,
): { heads: readonly Mark[]; odd: number } => {
  const heads = new Map<string, Mark>();
  let odd = 0;
  for (const text of lines) {
    if (text.trim() === '') continue;
    const read = text.length > LINE_MOST ? undefined : line.safeParse(jsonOf(text)).data;
    if (read?.log === log)
      heads.set(`${read.seq} ${read.hash}`, { seq: read.seq, hash: read.hash, at: read.at });
    else odd += 1;
  }
  return { heads: [...heads.values()], odd };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What copies say of a log. */
export interface Compared {
  /** What is missing or other than it was, and since when. */
  problems: readonly string[];
  /** How far the copies go. */
  said: readonly string[];
}

const timeOf = (at: number): string => new Date(at).toISOString();

/**
 * Holds a log against the heads that were copied of it. `sealed`: records of logs that were put away. A head that is nowhere shows
 * that lines were cut off, or that the chain was computed anew, however well its lines fit one another; a copy may be behind. What was
 * copied before a seal may be lost with the log that was put away: the seal says why, and it is no fault any more.
 */
export const compareCopies = (
  log: Pick<Verified, 'records'>,
  sealed: readonly AuditRecord[],
  heads: readonly Mark[],
): Compared => {
  const known = new Set([...log.records, ...sealed].map(({ seq, hash }) => `${seq} ${hash}`));
  const isThere = ({ seq, hash }: Mark): boolean => known.has(`${seq} ${hash}`);
  const seal = sealOf(log);
  const sealedAt = seal === undefined ? -Infinity : Date.parse(seal.at);
  const gone = heads.filter((one) => !isThere(one));
  const settled = gone.filter(({ at }) => at <= sealedAt);
  const held = heads.filter((one) => isThere(one) && log.records[one.seq - 1]?.hash === one.hash);
  const last = log.records.at(-1);
  const upTo = Math.max(0, ...held.map(({ seq }) => seq));
  return {
    problems: problemsOf(
      gone.filter(({ at }) => at > sealedAt),
      log.records,
      held,
    ),
    said: [
      ...(held.length > 0 && last
        ? [
            `${count(held.length, 'copied head')} ${held.length === 1 ? 'is' : 'are'} in it, the last of record ${upTo}${upTo < last.seq ? `; ${count(last.seq - upTo, 'record')} after that ${last.seq - upTo === 1 ? 'has' : 'have'} no copy yet` : ''}`,
          ]
        : []),
      ...(settled.length > 0
        ? [
            `${count(settled.length, 'copied head')} of before ${timeOf(sealedAt)}, when the log was sealed, ${settled.length === 1 ? 'is' : 'are'} in no log that can be read`,
          ]
        : []),
    ],
  };
};

const problemsOf = (
  gone: readonly Mark[],
  records: readonly AuditRecord[],
  held: readonly Mark[],
): readonly string[] => {
  const last = records.at(-1);
  const end = last?.seq ?? 0;
  const cut = gone.filter(({ seq }) => seq > end);
  const changed = gone.filter(({ seq }) => seq <= end);
  const whole = held.reduce<Mark | undefined>(
    (best, one) => (one.seq > (best?.seq ?? 0) && changed.every(({ seq }) => seq > one.seq) ? one : best),
    undefined,
  );
  const upTo =
    whole === undefined
      ? 'no copied head before that is in it'
      : `up to record ${whole.seq} of ${timeOf(whole.at)} it is as it was copied`;
  return [
    ...(changed.length > 0
      ? [`${rangeOf(changed)} copied as another than it now holds: it was replaced or recomputed; ${upTo}`]
      : []),
    ...(cut.length > 0
      ? [
          last === undefined
            ? `${rangeOf(cut)} copied, and there is no log or it is empty: it was removed`
            : `${rangeOf(cut)} copied and not in it: it was cut, it ends with record ${end} of ${last.at}`,
        ]
      : []),
  ];
};

/** `records 3 to 7, written from TIME to TIME, were`. */
const rangeOf = (marks: readonly Mark[]): string => {
  const [first, ...rest] = marks.toSorted((a, b) => a.seq - b.seq);
  const last = rest.at(-1);
  if (first === undefined) return '';
  return last === undefined || last.seq === first.seq
    ? `record ${first.seq}, written at ${timeOf(first.at)}, was`
    : `records ${first.seq} to ${last.seq}, written from ${timeOf(first.at)} to ${timeOf(last.at)}, were`;
};
