import type { Action, Guard, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, waitUnless } from '../../../src/kit/guards.ts';
import { noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { argvAsRoot, settingsOf } from '../settings.ts';
import { planHosts } from './hosts.ts';
import { ownCall, serviceReads } from './host-guards.ts';
import { systemctlRefusals } from './refusals.ts';

/** A statd that starts without a portmapper is registered nowhere. */
const requireBound = (host: string, judgement: Judgement): Guard => ({
  id: '3 rpcbind',
  text: `rpcbind on ${host} answers: statd must register there`,
  reads: serviceReads(host, judgement),
  absolute: true,
  check: (live) => {
    const call = ownCall(host, 'rpcbind', live);
    return call?.state === 'ready'
      ? passGuard('answers')
      : failGuard(call ? (call.text ?? call.state) : 'not called');
  },
});

const requireDead = (host: string, judgement: Judgement): Guard => ({
  id: '3 preconditions',
  text: `rpc.statd on ${host} does not answer`,
  reads: serviceReads(host, judgement),
  absolute: true,
  check: (live) => {
    const call = ownCall(host, 'statd', live);
    if (!call) return failGuard('not called: whether it answers is not known');
    return call.state === 'ready' || call.state === 'noTool' || call.state === 'other'
      ? failGuard(call.text ?? 'it answers')
      : passGuard(call.text ?? call.state);
  },
});

const planRestart = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal =>
  planHosts(
    restartStatdAction,
    {
      title: 'Restart rpc.statd on',
      afterwards:
        'statd must answer a call within 30 s; then try a lock on a file of the mount concerned (flock -n FILE true)',
      undoText: 'none: a statd that answers is not stopped again',
    },
    subjects,
    ({ id: host, ...subject }) => {
      if (ownCall(host, 'statd', judgement) === undefined)
        return refusal('3 preconditions', `whether rpc.statd on ${host} answers was not read just now`);
      return {
        target: {
          subject: { ...subject, id: host },
          steps: [
            {
              host,
              argv: argvAsRoot(judgement.site, ...settingsOf(judgement.site).restartStatd),
              deadlineMs: 60_000,
              refusals: systemctlRefusals,
            },
          ],
          guards: [requireDead(host, judgement), requireBound(host, judgement)],
          whyAlreadyDone: (live) =>
            ownCall(host, 'statd', live)?.state === 'ready' ? `rpc.statd on ${host} answers` : undefined,
          verify: {
            text: `rpc.statd on ${host} answers a call`,
            reads: serviceReads(host, judgement),
            deadlineMs: 30_000,
            check: (live) => {
              const call = ownCall(host, 'statd', live);
              return waitUnless(call?.state === 'ready', call ? (call.text ?? call.state) : 'not called');
            },
          },
          undo: null,
          lockGroups: [`host ${host}`],
        },
        because: [
          `rpc.statd on ${host}: ${ownCall(host, 'statd', judgement)?.text ?? 'answers'}; locks that are held stay held`,
        ],
      };
    },
  );

/** For locks of NFSv3: on a client, or on the server that could not watch its clients. */
export const restartStatdAction: Action<NoParameters> = {
  id: 'nfs.restart-statd',
  verb: 'restart',
  title: 'restart rpc.statd',
  subject: 'host',
  danger: 'service',
  parameters: noParameters,
  prompts: [],
  users: 'nothing: locks that are held stay held',
  menu: { note: 'locks of NFSv3 need it', whyDone: 'rpc.statd answers' },
  plan: (subjects, _given, context) => planRestart(subjects, context),
};
