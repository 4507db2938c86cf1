import type { Action, Guard, Plan, PlanContext, Refusal, Step } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, waitUnless } from '../../../src/kit/guards.ts';
import { noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { freshValue } from '../judge/servers.ts';
import type { ServerReading, Service } from '../readings.ts';
import { argvAsRoot, settingsOf } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { isServer, ownCall, serviceReads } from './host-guards.ts';
import { nfsdRefusals, systemctlRefusals } from './refusals.ts';

const requireDead = (host: string, judgement: Judgement): Guard => ({
  id: '3 preconditions',
  text: `rpcbind on ${host} does not answer: one that answers would lose what is registered`,
  reads: serviceReads(host, judgement),
  absolute: true,
  check: (live) => {
    const call = ownCall(host, 'rpcbind', live);
    if (!call) return failGuard('not called: whether it answers is not known');
    return call.state === 'refused' || call.state === 'timedOut'
      ? passGuard(call.text ?? call.state)
      : failGuard(call.text ?? (call.state === 'ready' ? 'it answers' : call.state));
  },
});

/**
 * nfsd and lockd of the kernel register when nfsd starts and at no other time (Linux 6.1: not when the number of threads changes). One
 * command, so that nothing comes between its end and its start.
 */
const REGISTER_NFSD = 'rpc.nfsd 0 && rpc.nfsd "$1"';

/** Who must register again, and what of it is asked afterwards. */
const needed = (host: string, judgement: Pick<Judgement, 'site'>): readonly Service[] =>
  isServer(host, judgement) ? ['rpcbind', 'statd', 'mountd', 'lockd'] : ['rpcbind', 'statd'];

const stepsOn = (host: string, judgement: Judgement, threads: number | undefined): Step[] => {
  const { restartRpcbind, restartStatd, restartMountd } = settingsOf(judgement.site);
  const step = (argv: readonly string[], refusals = systemctlRefusals): Step => ({
    host,
    argv: argvAsRoot(judgement.site, ...argv),
    deadlineMs: 60_000,
    refusals,
  });
  const own = [step(restartRpcbind), step(restartStatd)];
  return threads === undefined
    ? own
    : [...own, step(restartMountd), step(['sh', '-c', REGISTER_NFSD, 'nfsd', String(threads)], nfsdRefusals)];
};

const lackingOn = (host: string, judgement: Judgement): readonly Service[] =>
  needed(host, judgement).filter((what) => ownCall(host, what, judgement)?.state !== 'ready');

const planRestart = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal =>
  planHosts(
    restartRpcbindAction,
    {
      title: 'Restart rpcbind and register again on',
      afterwards:
        'each service must answer where rpcbind says it is; on a server locks wait for the grace period',
      undoText: 'none: an rpcbind that answers is not stopped again',
    },
    subjects,
    (subject) => {
      const host = subject.id;
      if (ownCall(host, 'rpcbind', judgement) === undefined)
        return refusal('3 preconditions', `whether rpcbind on ${host} answers was not read just now`);
      const value = freshValue(judgement.readings.source<ServerReading>('nfs.server', host));
      const isServing = isServer(host, judgement);
      if (isServing && (value?.threads ?? 0) === 0)
        return refusal('3 preconditions', `nfsd does not run on ${host}, or its threads were not read`);
      return {
        target: {
          subject,
          steps: stepsOn(host, judgement, isServing ? value?.threads : undefined),
          guards: [requireDead(host, judgement)],
          whyAlreadyDone: (live) =>
            lackingOn(host, live).length === 0
              ? `rpcbind on ${host} answers and knows all of them`
              : undefined,
          verify: {
            text: `${needed(host, judgement).join(', ')} on ${host} answer`,
            reads: serviceReads(host, judgement),
            deadlineMs: 90_000,
            check: (live) => {
              const lacking = lackingOn(host, live);
              return waitUnless(
                lacking.length === 0,
                lacking.length === 0 ? 'all answer' : `not: ${lacking.join(', ')}`,
              );
            },
          },
          undo: null,
          lockGroups: [`host ${host}`],
        },
        because: isServing
          ? [
              `a new rpcbind starts with an empty table: statd, mountd and nfsd of ${host} are restarted, so that they register`,
              'nfsd starts with what /etc/nfs.conf says: what only the command line of its service holds (versions, RDMA) is not kept',
              `opens and locks of NFSv4 wait for the grace period of nfsd (${value?.graceS ?? 90} s)`,
            ]
          : [
              `a new rpcbind starts with an empty table: statd of ${host} is restarted`,
              "lockd of the kernel registers only when its last NFSv3 mount has gone: until then locks that wait are granted by the client's own polling",
            ],
      };
    },
  );

/** For a portmapper that died: what it forgot is registered again. */
export const restartRpcbindAction: Action<NoParameters> = {
  id: 'nfs.restart-rpcbind',
  verb: 'restart',
  title: 'restart rpcbind and register again',
  subject: 'host',
  danger: 'access',
  parameters: noParameters,
  prompts: [],
  users: 'on a server: opens and locks wait for the grace period; on a client: nothing',
  menu: { note: 'NFSv3 finds its services through rpcbind', whyDone: 'rpcbind answers' },
  plan: (subjects, _given, context) => planRestart(subjects, context),
};
