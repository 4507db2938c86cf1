import * as z from 'zod';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../../src/model/errors.ts';
import type { HostView } from '../../../src/model/site.ts';
import { platformOf } from '../platforms/index.ts';

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

/** Throws when the device refused or the answer is something else: then it is not known what waits there. */
export const readCommits = (
  { stdout, stderr, exitCode }: Answer,
  host: HostView,
): { value: CommitsReading } => {
  const value = platformOf(host.platform)?.commitsIn?.(stdout);
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
