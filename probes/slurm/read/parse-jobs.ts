import { NotThisFormat } from '../../../src/model/errors.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { findError, type SlurmError } from './errors.ts';
import { isObject, type Json, isJson, readJson, rowsIn, text, wordsIn } from './json.ts';
import type { JobsReading, SlurmJob } from '../readings.ts';
import { jsonTime, stampToMs } from './times.ts';

/**
 * What the poll asks squeue for: job, user, state, partition, end by the time limit, nodes. No field of it can hold a
 * `|`, and job names, which can hold anything, are not asked for. Text, because `squeue --json` ignores every filter.
 */
export const jobsFormat = '%i|%u|%T|%P|%e|%N';

export interface JobsDocument extends JobsReading {
  notUnderstood: number;
  error?: SlurmError;
}

/** `squeue -h -o` with `jobsFormat`, and `squeue --json` of all versions. Throws NotThisFormat, ParseError. */
export const parseJobs = ({ stdout, stderr = '', exitCode, tz = 'UTC' }: ParseInput): JobsDocument => {
  if (isJson(stdout)) return fromJson(readJson(stdout));
  const document = fromText(stdout, tz);
  const error = exitCode
    ? findError(stderr)
    : document.jobs.length === 0
      ? findError(`${stderr}\n${stdout}`)
      : undefined;
  if (error) return { ...document, notUnderstood: 0, error };
  if (document.jobs.length === 0 && stdout.trim() !== '')
    throw new NotThisFormat(`not squeue -h -o '${jobsFormat}'`);
  return document;
};

const fromText = (output: string, tz: string): JobsDocument => {
  const document: JobsDocument = { jobs: [], notUnderstood: 0 };
  for (const line of output.split('\n')) {
    if (line.trim() === '' || line.startsWith('JOBID|')) continue;
    const fields = line.split('|');
    const [jobId = '', userName = '', jobState = '', partition = '', end = '', nodes = ''] = fields;
    if (fields.length !== 6 || jobId === '' || jobState === '') {
      document.notUnderstood += 1;
      continue;
    }
    document.jobs.push({
      jobId,
      userName,
      jobState,
      ...dropUndefined({
        partition: partition || undefined,
        endTime: stampToMs(end, tz),
        nodes: nodes === '(null)' ? undefined : nodes || undefined,
      }),
    });
  }
  return document;
};

const fromJson = (root: Json): JobsDocument => {
  const { rows: jobs, ...rest } = rowsIn(root, 'jobs', jobOf);
  return { jobs, ...rest };
};

const jobOf = (one: Json): SlurmJob | undefined => {
  const jobId = text(one['job_id']);
  const jobState = wordsIn(one['job_state'])[0];
  if (jobId === undefined || jobState === undefined) return undefined;
  const { job_resources: resources } = one;
  return {
    jobId,
    userName: text(one['user_name']) ?? text(one['user_id']) ?? '?',
    jobState,
    ...dropUndefined({
      partition: text(one['partition']),
      endTime: jsonTime(one['end_time']),
      nodes: nodesOf(one['nodes']) ?? (isObject(resources) ? nodesOf(resources['nodes']) : undefined),
    }),
  };
};

/** A folded set as a string, or from 24.05 on an object holding it in `list`. */
const nodesOf = (value: unknown): string | undefined => (isObject(value) ? text(value['list']) : text(value));
