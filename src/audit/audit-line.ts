import * as z from 'zod';
import { createHash } from 'node:crypto';
import type { AuditRecord } from '../model/run.ts';

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** `prev` of the first record. */
export const FIRST_PREV = '0'.repeat(64);

/** A record as it may stand in a line. */
export const recordShape = z.object({
  seq: z.int().positive(),
  at: z.iso.datetime(),
  monoMs: z.number(),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  kind: z.enum(['intent', 'hold', 'result', 'refused', 'shell', 'lockBroken', 'recovered', 'note', 'sealed']),
  operator: z.string(),
  uid: z.number(),
  console: z.object({
    host: z.string(),
    pid: z.number(),
    version: z.string(),
    stamp: z.string().exactOptional(),
    spaces: z.string().exactOptional(),
    machine: z.string().exactOptional(),
  }),
  site: z.string(),
  run: z.string().exactOptional(),
  action: z.string().exactOptional(),
  target: z.string().exactOptional(),
  outcome: z.enum(['done', 'nothing', 'undone', 'failed', 'refused', 'unknown']).exactOptional(),
  detail: z.record(z.string(), z.unknown()),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
}) satisfies z.ZodType<AuditRecord>;

/** JSON in printable ASCII, all else as `\uXXXX`: `cat` or `diff` of the log sends no control sequences to a terminal. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)).replace(
    /[^\x20-\x7e]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const tail = (hash: string): string => `,"hash":"${hash}"}`;
const TAIL_LENGTH = tail(FIRST_PREV).length;

/** A record as its line, without the line feed. The last field is the hash of everything before it. */
export const encodeLine = (content: Omit<AuditRecord, 'hash'>): string => {
  const body = asciiJson(content);
  return body.slice(0, -1) + tail(sha256(body));
};

/**
 * A line as a record, or why it is none: not JSON, a field missing, or changed after it was written. `brief`: of one whose hash is not its
 * own no more is asked, which takes a tenth of the time.
 */
export const decodeLine = (line: string, brief = false): AuditRecord | string => {
  if (brief && !isUnchanged(line)) return 'is broken';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not a whole record';
  }
  const parsed = recordShape.safeParse(value);
  if (!parsed.success) return `is not a record: ${parsed.error.issues[0]?.path.join('.') ?? ''} is wrong`;
  return isUnchanged(line) ? parsed.data : 'was changed after it was written';
};

const isUnchanged = (line: string): boolean => line.endsWith(tail(sha256(`${line.slice(0, -TAIL_LENGTH)}}`)));
