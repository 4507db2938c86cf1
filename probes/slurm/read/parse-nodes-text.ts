import { dropUndefined } from '../../../src/kit/known.ts';
import type { SlurmError } from './errors.ts';
import type { SlurmNode } from '../readings.ts';
import { nextStateOf, splitState } from './states.ts';
import { stampToMs } from './times.ts';

export interface NodesDocument {
  nodes: SlurmNode[];
  notUnderstood: number;
  error?: SlurmError;
}

/** Fields that may follow the reason (node_info.c); nothing else ends it. */
const afterReason = /^(?:Comment|Extra|InstanceId|InstanceType|ReservationName)=/;
const afterReasonOnLine = / (?:Comment|Extra|InstanceId|InstanceType|ReservationName)=/;

/** `[root@2026-11-20T21:54:23]`: who set the reason and when. */
const stampAtEnd = / \[([^[\]@\s]+)@([^[\]]+)\]$/;

/**
 * `scontrol show node[s]` with and without `-o`. A reason holds whatever somebody typed, `State=IDLE NodeName=x`
 * included, so every other field is read from what stands before it, and records start at column 0 only: Slurm indents
 * the further lines of a reason. Stamps are read in `tz`. Lines outside records are counted as not understood.
 */
export const nodesFromText = (output: string, tz: string): NodesDocument => {
  const result: NodesDocument = { nodes: [], notUnderstood: 0 };
  for (const record of records(output, result)) {
    const node = nodeOf(record, tz);
    if (node) result.nodes.push(node);
    else result.notUnderstood += 1;
  }
  return result;
};

interface NodeRecord {
  /** Everything before the reason, in one line. */
  head: string;
  /** The reason as printed, its lines apart, the stamp still in the first. */
  reason: string[];
  /** What follows the reason. */
  tail: string;
}

const records = (output: string, result: NodesDocument): NodeRecord[] => {
  const found: NodeRecord[] = [];
  let current: string[] | undefined;
  const close = (): void => {
    if (current) found.push(recordOf(current));
    current = undefined;
  };
  for (const raw of output.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.startsWith('NodeName=')) {
      close();
      current = [line];
    } else if (line === '') {
      close();
    } else if (current && line.startsWith('   ')) {
      current.push(line.slice(3));
    } else if (line.trim() !== '' && !/^No nodes in the system|^Node data as of /.test(line)) {
      result.notUnderstood += 1;
    }
  }
  close();
  return found;
};

const recordOf = (lines: readonly string[]): NodeRecord => {
  const [first = '', ...rest] = lines;
  // What follows a reason is free text too: a "Reason=" behind it is none.
  const free = firstOf(rest, afterReason);
  const at = rest.slice(0, free).findIndex((line) => line.startsWith('Reason='));
  if (rest.length === 0 || (at < 0 && first.includes(' Reason='))) return recordOfLine(first, rest);
  if (at < 0)
    return { head: [first, ...rest.slice(0, free)].join(' '), reason: [], tail: rest.slice(free).join(' ') };
  const end = rest.findIndex((line, index) => index > at && afterReason.test(line));
  const reason = rest.slice(at, end < 0 ? undefined : end);
  return {
    head: [first, ...rest.slice(0, at)].join(' '),
    reason: reason.map((line, index) =>
      index === 0 ? line.slice('Reason='.length) : line.replace(/^ {1,7}/, ''),
    ),
    tail: end < 0 ? '' : rest.slice(end).join(' '),
  };
};

/** One record on one line (`-o`): the lines of a reason are joined by eight blanks, the stamp stays in the first. */
const recordOfLine = (line: string, more: readonly string[]): NodeRecord => {
  const at = line.indexOf(' Reason=');
  const free = line.search(afterReasonOnLine);
  if (at < 0 || (free >= 0 && free < at)) {
    return {
      head: free < 0 ? line : line.slice(0, free),
      reason: [],
      tail: free < 0 ? '' : line.slice(free),
    };
  }
  const text = [line.slice(at + ' Reason='.length), ...more].join('\n');
  const stamped = stampEnd(text);
  const bodyEnd = stamped < 0 ? 0 : stamped;
  const tailAt = text.slice(bodyEnd).search(afterReasonOnLine);
  const reason = tailAt < 0 ? text : text.slice(0, bodyEnd + tailAt);
  return {
    head: line.slice(0, at),
    reason: stamped < 0 ? [reason] : [reason.slice(0, stamped), ...continuation(reason.slice(stamped))],
    tail: tailAt < 0 ? '' : text.slice(bodyEnd + tailAt),
  };
};

const continuation = (text: string): string[] =>
  text.trim() === '' ? [] : text.replace(/^ {8}/, '').split(/ {8}|\n/);

/**
 * Where the stamp of a one-line reason ends: of those that end a line of it the latest in time, because a reason may
 * quote an older one but hardly a later one; -1 when there is none.
 */
const stampEnd = (text: string): number => {
  let end = -1;
  let latest = -Infinity;
  for (const match of text.matchAll(/ \[[^[\]@\s]+@([^[\]]+)\]/g)) {
    const at = match.index + match[0].length;
    const rest = text.slice(at, at + 40);
    if (rest.trim() !== '' && !rest.startsWith('        ') && afterReasonOnLine.exec(rest)?.index !== 0)
      continue;
    const time = stampToMs(match[1] ?? '') ?? -1;
    if (time > latest) {
      latest = time;
      end = at;
    }
  }
  return end;
};

const firstOf = (lines: readonly string[], pattern: RegExp): number => {
  const at = lines.findIndex((line) => pattern.test(line));
  return at < 0 ? lines.length : at;
};

/** The operating system's text, which the node itself chooses, stands before the state: the last one is Slurm's own. */
const lastOf = (head: string, pattern: RegExp): string | undefined => {
  let found: string | undefined;
  for (const match of head.matchAll(pattern)) found = match[1];
  return found;
};

const nodeOf = ({ head, reason, tail }: NodeRecord, tz: string): SlurmNode | undefined => {
  const name = /^NodeName=(\S+)/.exec(head)?.[1];
  const printed = lastOf(head, / State=(\S+) ThreadsPerCore=/g) ?? lastOf(head, / State=(\S+)/g);
  if (name === undefined || printed === undefined) return undefined;
  const { state, flags: shown } = splitState([printed]);
  if (state === undefined && shown.length === 0) return undefined;
  const why = reasonIn(reason, tz);
  const flags = isBeingRebooted(why.reason, state, shown) ? [...new Set([...shown, 'REBOOT_ISSUED'])] : shown;
  const partitions = lastOf(head, / Partitions=(\S+)/g)?.split(',') ?? [];
  const next = lastOf(head, / NextState=(\S+)/g);
  const isRebooting = flags.includes('REBOOT_REQUESTED') || flags.includes('REBOOT_ISSUED');
  return {
    name,
    flags,
    partitions: partitions.filter((one) => one !== '(null)'),
    ...dropUndefined({
      state,
      ...why,
      version: unlessNull(/ Version=(\S+)/.exec(head)?.[1]),
      nextState: next !== undefined && isRebooting ? nextStateOf([next]) : undefined,
      reservation: unlessNull(lastOf(tail, /(?:^| )ReservationName=(\S+)/g)),
      bootAt: stampToMs(lastOf(head, / BootTime=(\S+)/g) ?? '', tz),
    }),
  };
};

/**
 * 20.11 has one word, REBOOT, for a reboot that was asked for and one that has begun; the reason tells: slurmctld adds to it when it
 * gives the order, and again when the node is back or ResumeTimeout is over (slurmctld/agent.c, node_mgr.c).
 */
const isBeingRebooted = (
  reason: string | undefined,
  state: string | undefined,
  flags: readonly string[],
): boolean =>
  reason?.endsWith(' : reboot issued') === true &&
  (flags.includes('REBOOT_REQUESTED') ||
    (flags.includes('DRAIN') && state === 'DOWN' && flags.includes('NOT_RESPONDING')));

const unlessNull = (text: string | undefined): string | undefined => (text === '(null)' ? undefined : text);

const reasonIn = ([first = '', ...more]: readonly string[], tz: string) => {
  const [stamp, user, at = ''] = stampAtEnd.exec(first.trimEnd()) ?? [];
  const head = stamp === undefined ? first : first.trimEnd().slice(0, -stamp.length);
  const reason = [head, ...more].join('\n').trim();
  return reason === '' ? { reason: undefined } : { reason, reasonUser: user, reasonAt: stampToMs(at, tz) };
};
