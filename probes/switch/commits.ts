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

/**
 * Junos `show system commit`: `commit confirmed, rollback in 5mins` stays with an entry for good; only `rollback pending` at the
 * newest one says that it waits.
 */
const junos = (stdout: string): CommitsReading | undefined => {
  const entries = everywhere(xmlIn(stdout), 'commit-history');
  const newest = entries.find((one) => textAt(one, 'sequence-number') === '0');
  if (!newest) return undefined;
  const pending = /pending/i.test(textAt(newest, 'commit-confirmed') ?? '');
  return {
    ...(pending && { waiting: textAt(newest, 'log') ?? 'without a comment' }),
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
  if (exitCode !== 0)
    throw new CommandFailed('refused', `commits of ${host.name}: ${stderr.trim().split('\n')[0] ?? ''}`);
  const value = readers[host.platform]?.(stdout);
  if (!value) throw new ParseError(`commits of ${host.name}: not what was asked for`, 'line 1', stdout);
  return { value };
};

/** Whether the configuration of a device could be opened a moment ago. */
export const candidateSchema = z.object({ open: z.boolean(), said: z.string() });
export type CandidateReading = z.infer<typeof candidateSchema>;

/** A refusal is an answer too: somebody's changes are open there. */
export const readCandidate = ({ stderr, exitCode }: Answer, host: HostView): { value: CandidateReading } => {
  if (exitCode === undefined)
    throw new CommandFailed('other', `${host.name}: its configuration was not opened`);
  return { value: { open: exitCode === 0, said: stderr.trim().split('\n')[0] ?? '' } };
};
