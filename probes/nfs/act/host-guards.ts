import * as z from 'zod';
import type { Guard, Reread } from '../../../src/model/action.ts';
import { failGuard, passGuard, rereads } from '../../../src/kit/guards.ts';
import { isFresh, jobsProblem } from '../../../src/kit/jobs.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { freshValue } from '../judge/servers.ts';
import type { Call, CallsReading, ServerReading, Service } from '../readings.ts';
import { SERVER } from '../settings.ts';

/** What a path may hold that is put into a command and looked for in mountinfo. */
export const plainPath = z
  .string()
  .trim()
  .regex(/^\/[\p{L}\p{N} ._/@+:=,-]{0,200}$/u, {
    error: 'an absolute path of letters, digits, blanks and ._/@+:=,-',
  });

/** What a job writes there would be lost, and it would go on with errors. */
export const noJobs = (host: string, { readings, facts }: Judgement): Guard => {
  const asked = facts.askedBy?.('node.busy') ?? [];
  return {
    id: '4 ownership',
    text: `no job of Slurm runs on ${host}`,
    reads: [...rereads('nfs.client', host), ...asked.filter((one) => isFresh(readings, one))],
    absolute: true,
    check: (live) => {
      const problem = jobsProblem([host], live);
      if (problem !== undefined) return failGuard(problem);
      return passGuard(asked.length === 0 ? 'no system of this site knows of jobs' : 'no jobs');
    },
  };
};

export const isServer = (host: string, { site }: Pick<Judgement, 'site'>): boolean =>
  site.host(host)?.roles.includes(SERVER) === true;

/** The readings that tell of a host's own services. */
export const serviceReads = (host: string, judgement: Pick<Judgement, 'site'>): Reread[] =>
  rereads(isServer(host, judgement) ? 'nfs.server' : 'nfs.calls', host);

/** The host's call of its own service; undefined: not called, or not read just now. */
export const ownCall = (
  host: string,
  what: Service,
  { readings }: Pick<Judgement, 'readings'>,
): Call | undefined =>
  [readings.source<ServerReading>('nfs.server', host), readings.source<CallsReading>('nfs.calls', host)]
    .flatMap((source) => freshValue<{ calls: readonly Call[] }>(source)?.calls ?? [])
    .find((call) => call.what === what && call.addr === '127.0.0.1');
