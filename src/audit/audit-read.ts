import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { begunFile, tracesOf, type Traces } from './audit-traces.ts';
import { isWhole, EMPTY_LOG, verifyLog, markOf, hasMark, type Verified } from './audit-verify.ts';
import { judgeHead } from './judge-head.ts';
import { createPatience, type Patience } from './patience.ts';
import { digest, hashesOf, trustedPart } from './trusted-part.ts';

/** A log as it was read. */
export interface LogState {
  verified: Verified;
  /** Bytes of its whole lines, and their hash so far. */
  bytes: number;
  hash: Hash;
  /** Bytes of the file. */
  size: number;
  /** The head file's text; undefined: there is none. */
  head: string | undefined;
  traces: Traces;
  /** Changes when one of the files does. */
  version: string;
}

/** A log of years is read and checked in this time, ms; a folder that takes longer hangs. */
export const READ_MS = 10_000;

/**
 * The log and its head, every line checked, as they are now; a log that is not there is empty unless it `must` be. Throws when it
 * cannot be read, or its folder does not answer.
 */
export const readAuditFile = async (file: string, must = false): Promise<Verified> => {
  const read = async (): Promise<Verified> => {
    if (must) await stat(file);
    return (await readSettledState(file, undefined, true)).verified;
  };
  return createPatience()(read, READ_MS);
};

/**
 * Reads a log again and again. What was found whole before, here or by whoever wrote the head, is checked by the hash of all its
 * bytes and not line by line, unless `full`. Throws when the file is there and cannot be read, or its folder does not answer.
 */
export const createAuditReader = (
  file: string,
  patience: Patience = createPatience(),
): ((full?: boolean) => Promise<Verified>) => {
  let known: LogState | undefined;
  const read = async (full: boolean): Promise<Verified> => {
    const state = await readSettledState(file, known, full);
    // What is not whole is nothing to hold a later reading against.
    if (isWhole(state.verified)) known = state;
    return state.verified;
  };
  return (full = false) => patience(() => read(full), READ_MS);
};

/** A record that another console writes between two reads must not look like one that was cut off. */
export const readSettledState = async (
  file: string,
  known: LogState | undefined,
  full: boolean,
): Promise<LogState> => {
  for (let tries = 1; ; tries++) {
    const state = await readLogState(file, known, full);
    const { problems } = state.verified;
    if (problems.length === 0 || tries === 5) return state;
    if (tries > 1 && state.version === (await versionOf(file))) return state;
    await pause(20);
  }
};

/** The log as it is, checked against what was known of it in this process. The caller holds the log's lock or is `settled`. */
export const readLogState = async (
  file: string,
  known: LogState | undefined,
  full: boolean,
): Promise<LogState> => {
  const version = await versionOf(file);
  if (known?.version === version && !full) return known;
  const traces = await tracesOf(file);
  const log = await readRegular(file);
  const head = (await readRegular(`${file}.head`))?.toString('latin1');
  const bytes = log ?? Buffer.alloc(0);
  const whole = bytes.lastIndexOf('\n') + 1;
  const judged = judgeHead({ log: kindOf(log), head, traces });
  const point = judged.head?.point;
  const hashes = hashesOf(bytes, [known?.bytes ?? 0, point?.bytes ?? 0, whole]);
  const asKnown = known && hashes.get(known.bytes) === digest(known.hash);
  const asChecked = point && hashes.get(point.bytes) === point.hash;
  let after = EMPTY_LOG;
  if (!full && asKnown && known.verified.problems.length === 0) after = known.verified;
  else if (!full && asChecked) after = trustedPart(bytes.toString('latin1', 0, point.bytes));
  const from = after === EMPTY_LOG ? 0 : after === known?.verified ? known.bytes : (point?.bytes ?? 0);
  const verified = verifyLog(
    bytes.toString('latin1', from),
    judged.problem === undefined ? judged.head : 'not asked',
    after,
  );
  const besides =
    judged.problem ??
    (verified.problems.length > 0
      ? undefined
      : point && !asChecked
        ? 'its lines fit one another but are not those that were checked before: the log was replaced'
        : hasMark(verified, known && markOf(known.verified))
          ? undefined
          : 'what this console read or wrote before is no longer in it: it was replaced');
  return {
    verified:
      besides === undefined
        ? verified
        : { ...verified, torn: false, problems: [{ line: 0, text: besides }, ...verified.problems] },
    bytes: whole,
    hash: createHash('sha256').update(bytes.subarray(0, whole)),
    size: bytes.length,
    head,
    traces,
    version,
  };
};

const kindOf = (log: Buffer | undefined): 'missing' | 'empty' | 'one line' | 'more' => {
  if (log === undefined) return 'missing';
  if (log.length === 0) return 'empty';
  const first = log.indexOf('\n');
  return first === -1 || first === log.length - 1 ? 'one line' : 'more';
};

export const versionOf = async (file: string): Promise<string> => {
  const readOne = async (name: string): Promise<string> => {
    const found = await stat(name, { bigint: true }).catch(() => undefined);
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  };
  const files = [file, `${file}.head`, begunFile(file)];
  const [log, head, begun] = await Promise.all(files.map(readOne));
  // Of the last only whether it is there counts: it changes with every record.
  return `${log} ${head} ${begun === 'none'}`;
};

/** Something else stands in the place of a file. */
export class NotRegular extends Error {}

/** A file's bytes; undefined when it is not there. Throws `NotRegular`: a pipe would be waited for for ever. */
export const readRegular = async (file: string): Promise<Buffer | undefined> => {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (found.isDirectory()) throw new NotRegular(`${file} is a folder and not a regular file (EISDIR)`);
    if (!found.isFile()) throw new NotRegular(`${file} is not a regular file`);
    return await handle.readFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};
