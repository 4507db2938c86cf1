import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal, Step } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { freshValue } from '../judge/servers.ts';
import type { ServerReading } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { nfsdRefusals } from './refusals.ts';

/** More than this no server runs by. */
const MOST = 2048;

const parameters = z.object({
  threads: z
    .string()
    .trim()
    .regex(/^\d{1,4}$/, { error: `a number of threads, at most ${MOST}` })
    .optional(),
});
type Parameters = z.infer<typeof parameters>;

const threadsOf = (host: string, { readings }: Pick<Judgement, 'readings'>): number | undefined =>
  freshValue(readings.source<ServerReading>('nfs.server', host))?.threads;

const setStep = (site: SiteView, host: string, threads: number): Step => ({
  host,
  argv: argvAsRoot(site, 'rpc.nfsd', String(threads)),
  deadlineMs: 30_000,
  refusals: nfsdRefusals,
});

/** What is proposed where nothing is typed: twice as many as the largest of them has. */
const wantedOn = (
  subjects: readonly Subject[],
  { threads }: Parameters,
  judgement: Pick<Judgement, 'readings'>,
): number => {
  const now = Math.max(0, ...subjects.map(({ id }) => threadsOf(id, judgement) ?? 0));
  return threads === undefined ? Math.min(now * 2, MOST) : Number(threads);
};

/** Nobody changed the number since the plan was made. */
const runsWith = (host: string, now: number): Guard => ({
  id: '3 preconditions',
  text: `nfsd on ${host} runs with ${now} threads`,
  reads: rereads('nfs.server', host),
  absolute: true,
  check: (live) => {
    const read = threadsOf(host, live);
    return read === now
      ? passGuard(`${now} threads`)
      : failGuard(read === undefined ? 'not read' : `${read} threads now`);
  },
});

const planThreads = (
  subjects: readonly Subject[],
  given: Parameters,
  { judgement, looksBack }: PlanContext,
): Plan | Refusal => {
  const wanted = wantedOn(subjects, given, judgement);
  return planHosts(
    threadsAction,
    {
      title: 'Raise nfsd threads on',
      afterwards: 'the number is read back; waiting requests are taken at once',
      undoText: 'the number that was read; a restart of nfsd sets that of /etc/nfs.conf anyway',
      parameters: { threads: String(wanted) },
    },
    subjects,
    (subject) => {
      const host = subject.id;
      const now = threadsOf(host, judgement);
      if (now === undefined)
        return refusal('3 preconditions', `the number of threads of ${host} was not read just now`);
      if (now === 0)
        return refusal(
          '3 preconditions',
          `nfsd does not run on ${host}: start nfs-server by hand (look at exports and the grace period first)`,
        );
      if (!looksBack && (wanted <= now || wanted > MOST))
        return refusal(
          '3 preconditions',
          `${wanted} threads: give more than the present ${now} and at most ${MOST}; lowering the number would wait for threads that are stuck`,
        );
      const { workers } = freshValue(judgement.readings.source<ServerReading>('nfs.server', host)) ?? {};
      return {
        target: {
          subject,
          steps: [setStep(judgement.site, host, wanted)],
          guards: [runsWith(host, now)],
          whyAlreadyDone: (live) =>
            threadsOf(host, live) === wanted ? `${wanted} threads already` : undefined,
          verify: {
            text: `nfsd on ${host} has ${wanted} threads`,
            reads: rereads('nfs.server', host),
            deadlineMs: 30_000,
            check: (live) =>
              waitUnless(
                threadsOf(host, live) === wanted,
                `${threadsOf(host, live) ?? 'no number of'} threads`,
              ),
          },
          undo: [setStep(judgement.site, host, now)],
          was: { threads: now },
          lockGroups: [`host ${host}`],
        },
        because: [
          `${now} threads now${workers ? `, ${workers.waiting} of them wait` : ''}`,
          'threads that wait in a disk are not freed by more threads: look at the disk, too',
        ],
      };
    },
  );
};

/** More threads for a server that has none free; clients notice nothing. */
export const threadsAction: Action<Parameters> = {
  id: 'nfs.threads',
  verb: 'threads',
  title: 'raise the number of nfsd threads',
  subject: 'host',
  danger: 'reversible',
  parameters,
  prompts: [{ name: 'threads', label: 'threads (twice as many where nothing is typed)', required: false }],
  users: 'nothing: requests that wait are taken',
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: planThreads,
  undoOf: ({ id: host }, was, { judgement }) => {
    const before = z.object({ threads: z.number().int().min(1).max(MOST) }).safeParse(was);
    return before.success
      ? { steps: [setStep(judgement.site, host, before.data.threads)] }
      : refusal('3 preconditions', 'the log does not hold the former number of threads');
  },
};
