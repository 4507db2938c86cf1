import * as z from 'zod';
import type { CommitsReading } from '../../read/commits.ts';
import { jsonIn } from '../../read/parse-json.ts';

/** `show configuration sessions detail`: newer releases name the waiting session at the top, older in its state. */
const sessionsSchema = z.object({
  sessions: z.record(z.string(), z.object({ state: z.string() })),
  commitTimerSessionName: z.string().optional(),
  saveToStartupConfigOnCommit: z.boolean().default(false),
});

/** The session whose commit waits to be confirmed, and the names that are taken. */
export const eosCommits = (stdout: string): CommitsReading | undefined => {
  const read = sessionsSchema.safeParse(jsonIn(stdout)).data;
  if (!read) return undefined;
  const timed = Object.entries(read.sessions).find(([, one]) => one.state.includes('pendingCommitTimer'));
  const waiting = timed?.[0] ?? (read.commitTimerSessionName || undefined);
  return {
    ...(waiting !== undefined && { waiting }),
    sessions: Object.keys(read.sessions),
    saves: read.saveToStartupConfigOnCommit,
  };
};
