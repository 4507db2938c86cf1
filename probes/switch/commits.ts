import * as z from 'zod';
import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { HostView } from '../../src/model/site.ts';
import { jsonIn } from './parse-json.ts';
import { everywhere, textAt, xmlIn } from './parse-tree.ts';

/** What a device says of commits that it takes back by itself unless they are confirmed. */
export const commitsSchema = z.object({
  /** The session (EOS) or the comment (Junos) of the commit that waits now. */
  waiting: z.string().optional(),
  /** Names that are taken by sessions. */
  sessions: z.array(z.string()),
  /** A commit there writes the startup configuration too. */
  saves: z.boolean(),
  /** Why it could not be told whether a commit waits, once there is one. */
  missing: z.string().optional(),
});
export type CommitsReading = z.infer<typeof commitsSchema>;

/** EOS `show configuration sessions detail`: newer releases name the waiting session at the top, older in its state. */
const eosSchema = z.object({
  sessions: z.record(z.string(), z.object({ state: z.string() })),
  commitTimerSessionName: z.string().optional(),
  saveToStartupConfigOnCommit: z.boolean().default(false),
});

const eos = (stdout: string): CommitsReading | undefined => {
  const read = eosSchema.safeParse(jsonIn(stdout)).data;
  if (!read) return undefined;
  const timed = Object.entries(read.sessions).find(([, one]) => one.state.includes('pendingCommitTimer'));
  const waiting = timed?.[0] ?? (read.commitTimerSessionName || undefined);
  return {
    ...(waiting !== undefined && { waiting }),
    sessions: Object.keys(read.sessions),
    saves: read.saveToStartupConfigOnCommit,
  };
};

const secondsIn = (text: string): number | undefined => {
  const told = /<date-time\b[^>]*\bseconds="(\d{1,12})"/.exec(text)?.[1];
  return told === undefined ? undefined : Number(told);
};

/** By the device's own clock, seconds since its newest commit; undefined: it does not tell. */
const ageOfNewest = (stdout: string): number | undefined => {
  const newest = stdout
    .split('</commit-history>')
    .find((one) => /<sequence-number>\s*0\s*<\/sequence-number>/.test(one));
  const [at, now] = [newest ?? '', stdout.split('<current-time>')[1] ?? ''].map(secondsIn);
  return at === undefined || now === undefined ? undefined : now - at;
};

/**
 * Junos `show system commit`. While a commit waits to be confirmed newer releases mark the newest entry with `rollback pending`. All of them
 * write `commit confirmed, rollback in 5mins` to the entry, and it stays for good; but what confirms or takes back is a commit too, so at
 * the newest entry it says that it waits as long as those minutes are not over (NAPALM's driver for Junos counts so). A `commit check`
 * confirms as well and leaves no entry: then it reads as waiting for longer than it does.
 */
const junos = (stdout: string): CommitsReading | undefined => {
  const entries = everywhere(xmlIn(stdout), 'commit-history');
  const newest = entries.find((one) => textAt(one, 'sequence-number') === '0');
  if (!newest) return undefined;
  const marked = /pending/i.test(textAt(newest, 'commit-confirmed') ?? '');
  const comment = textAt(newest, 'comment') ?? '';
  const minutes = /commit confirmed, rollback in (\d+) ?min/.exec(comment)?.[1];
  const age = ageOfNewest(stdout);
  const within = minutes !== undefined && age !== undefined && age < Number(minutes) * 60;
  const untold =
    !marked && /commit confirmed/.test(comment) && minutes === undefined
      ? `"${comment}" names no minutes`
      : undefined;
  const missing =
    untold ??
    (age === undefined && !marked
      ? '`show system uptime` tells no time to compare that of a commit with'
      : undefined);
  return {
    ...((marked || within) && { waiting: textAt(newest, 'log') ?? 'without a comment' }),
    ...(missing !== undefined && { missing }),
    sessions: [],
    saves: false,
  };
};

const readers: Readonly<Record<string, (stdout: string) => CommitsReading | undefined>> = {
  arista_eos: eos,
  juniper_junos: junos,
};

/** Throws when the device refused or the answer is something else: then it is not known what waits there. */
export const readCommits = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
): { value: CommitsReading } => {
  const value = readers[host.platform]?.(stdout);
  const refused = stderr.trim().split('\n')[0] ?? '';
  // What is missing for want of one of several answers is said with the device's words.
  if (exitCode !== 0 && value?.missing === undefined)
    throw new CommandFailed('refused', `commits of ${host.name}: ${refused}`);
  if (exitCode !== 0 && value) return { value: { ...value, missing: `${value.missing ?? ''} (${refused})` } };
  if (!value) throw new ParseError(`commits of ${host.name}: not what was asked for`, 'line 1', stdout);
  return { value };
};

/** Whether the configuration of a device could be opened a moment ago. */
export const candidateSchema = z.object({ open: z.boolean(), said: z.string() });
export type CandidateReading = z.infer<typeof candidateSchema>;

/** A refusal is an answer too: somebody's changes are open there. Who holds a lock stands in the lines after its first. */
export const readCandidate = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
): { value: CandidateReading } => {
  if (exitCode === undefined)
    throw new CommandFailed('other', `${host.name}: its configuration was not opened`);
  const lines = stdout.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => /^error:/i.test(line));
  const more = at < 0 ? [] : lines.slice(at + 1).filter((line) => line !== '');
  const said = [stderr.trim().split('\n')[0] ?? '', ...more].join(' ').slice(0, 300);
  return { value: { open: exitCode === 0, said } };
};
