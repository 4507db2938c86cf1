import type { RawAnswer } from '../model/answer.ts';
import type { Reading, Readings, Source } from '../model/reading.ts';
import type { HostView, SiteView } from '../model/site.ts';
import type { AskContext, Probe } from '../model/system.ts';
import type { Safe, SafeData } from '../text/safe.ts';
import type { Asked } from './failures.ts';
import { readAnswer, type Interpreted } from './read-answer.ts';

/** Everything a throwaway thread needs to read one large answer: plain data, the bytes travel by transfer. */
export interface ParseJob {
  probe: string;
  host: HostView;
  answer: RawAnswer;
  asked: Asked;
  now: number;
  last?: Reading<SafeData>;
  /** What else is known of the same host. */
  sources: readonly Source[];
}

export interface ParseDone {
  interpreted: Interpreted;
  /** The bytes, handed back for the evidence. */
  stdout: Uint8Array;
  stderr: Uint8Array;
}

/** A list of sources as `Readings`. */
export const readingsOf = (list: readonly Source[]): Readings => ({
  // The type of a reading belongs to its probe: whoever asks for a probe by its id knows it.
  source: <T>(probe: string, host: string) =>
    list.find((one) => one.probe === probe && one.host === host) as Source<Safe<T>> | undefined,
  sources: <T>(probe: string) =>
    list.filter((one) => one.probe === probe) as unknown as readonly Source<Safe<T>>[],
  listOnHost: (host) => list.filter((one) => one.host === host),
  listUnreached: () =>
    new Set(list.flatMap(({ host, failure }) => (failure?.kind === 'connect' ? [host] : []))),
  listUnread: () =>
    list.filter(({ failure, good }) => failure !== undefined || (good?.notUnderstood ?? 0) > 0),
});

/** Does the job: in the throwaway thread, or in place in tests. An unknown probe throws: the registries differ. */
export const doParseJob = (job: ParseJob, probes: readonly Probe[], site: SiteView): ParseDone => {
  const probe = probes.find((one) => one.id === job.probe);
  if (!probe) throw new Error(`no probe ${job.probe} in this thread's registry`);
  const context: AskContext = {
    site,
    readings: readingsOf(job.sources),
    now: job.now,
    ...(job.last && { last: job.last }),
  };
  const interpreted = readAnswer(probe, job.host, context, job.answer, job.asked);
  return { interpreted, stdout: job.answer.stdout, stderr: job.answer.stderr };
};
