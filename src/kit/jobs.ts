import type { Reread } from '../model/action.ts';
import type { Facts } from '../model/fact.ts';
import type { Readings } from '../model/reading.ts';
import type { Judgement } from '../model/system.ts';

const nodeSubject = (host: string) => ({ kind: 'node' as const, id: host });

/** Who has jobs on these hosts; undefined when nobody. */
export const busyText = (hosts: readonly string[], facts: Facts): string | undefined => {
  const busy = hosts.flatMap((host) => {
    const fact = facts.find('node.busy', nodeSubject(host));
    if (fact?.value.jobs.length === 0) return [`${host} runs a job that is not listed`];
    return fact
      ? [
          `${host} runs ${fact.value.jobs.length} ${fact.value.jobs.length === 1 ? 'job' : 'jobs'} of ${fact.value.users.join(', ')}`,
        ]
      : [];
  });
  return busy.length === 0 ? undefined : busy.slice(0, 4).join('; ');
};

/** Why it can't be told whether jobs run: jobs are asked for on this site, and nobody answered. */
export const whyJobsUnknown = (readings: Readings, facts: Facts): string | undefined => {
  // Any of the hosts that tell may answer; but each of the questions that a fact rests on must have been.
  const mute = [...Map.groupBy(facts.askedBy?.('node.busy') ?? [], ({ probe }) => probe).values()].find(
    (asked) => !asked.some((one) => isFresh(readings, one)),
  );
  return (
    mute && `whether jobs run is not known: ${mute.map(({ host }) => host).join(' and ')} did not answer`
  );
};

export const isFresh = (readings: Readings, { probe, host }: Reread): boolean =>
  readings.source(probe, host)?.state === 'fresh';

/** What speaks against a test on these hosts; undefined: nothing. */
export const jobsProblem = (
  hosts: readonly string[],
  { readings, facts }: Pick<Judgement, 'readings' | 'facts'>,
): string | undefined => busyText(hosts, facts) ?? whyJobsUnknown(readings, facts);
