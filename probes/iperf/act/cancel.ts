import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import { compareByName, fold } from '../../../src/text/nodeset.ts';
import { cancelStep } from './scripts.ts';
import { allRuns, runsReading } from '../judge/pairs.ts';
import { openPart, sweepFellows } from '../sweep/state.ts';

/** What of a test still runs on a host. */
const findLeft = (host: string, judgement: Judgement): string[] => {
  const reading = runsReading(judgement.readings, host)?.value;
  const sweep = openPart(host, judgement);
  return [
    ...(reading?.runs ?? []).flatMap((run) =>
      run.status === 'running' ? [`${run.client} → ${run.server}`] : [],
    ),
    ...(reading?.servers ?? []).map(({ pair }) => `the server of ${pair}`),
    ...(sweep ? [`${sweep.id}, round ${sweep.round} of ${sweep.rounds}`] : []),
  ];
};

/**
 * The host, the other end of each of its tests (the client writes down that it was cancelled, the server goes at once), and all
 * that are in a sweep with it.
 */
const endsOf = (host: string, judgement: Judgement): string[] => {
  const running = allRuns(judgement).flatMap((run) =>
    run.status === 'running' ? [[run.client, run.server]] : [],
  );
  const served = (runsReading(judgement.readings, host)?.value.servers ?? []).map(({ pair }) =>
    pair.split(':'),
  );
  const others = [
    ...[...running, ...served].filter((ends) => ends.includes(host)).flat(),
    ...sweepFellows(host, judgement),
  ];
  // In one order whatever round it is: the plan must be the same bytes when it is made anew.
  return [
    host,
    ...[...new Set(others)]
      .filter((name) => name !== host && judgement.site.host(name) !== undefined)
      .toSorted(compareByName),
  ];
};

/** Ends every test that a console started on a host, client or server, and the sweep it is in, everywhere. What was measured stays. */
export const cancelAction: Action<NoParameters> = {
  id: 'iperf.cancel',
  verb: 'cancel',
  title: 'end its tests',
  subject: 'host',
  danger: 'reversible',
  users: 'nothing: only tests end',
  repeatable: true,
  parameters: noParameters,
  prompts: [],
  menu: {
    note: (_plan, { judgement }, open) => {
      const running = open.flatMap(({ subject }) => findLeft(subject.id, judgement)).slice(0, 3);
      return running.join(', ') || 'at the other end';
    },
    whyDone: 'no test runs',
  },
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const planCancel = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const stranger = subjects.find(({ id }) => judgement.site.host(id)?.roles.includes('iperf') !== true);
  if (subjects.length === 0 || stranger)
    return refusal('5 targets', `${stranger?.id ?? 'nothing'} is no host with the role iperf`);
  return planOf(cancelAction, {
    title: `End the tests of ${subjects.map(({ id }) => id).join(', ')}`,
    targets: subjects.map((subject) => cancelTarget(subject, judgement)),
    because: subjects.flatMap(({ id }) => findLeft(id, judgement).map((text) => `${text} runs on ${id}`)),
    afterwards: 'the client writes what it has measured, the server ends',
    undoText: 'run the test again',
  });
};

const cancelTarget = (subject: Subject, judgement: Judgement): PlanTarget => {
  const hosts = endsOf(subject.id, judgement);
  const reads = rereads('iperf.results', ...hosts);
  const listRunning = (live: Judgement): string[] => [
    ...new Set(hosts.flatMap((host) => findLeft(host, live))),
  ];
  return {
    subject,
    steps: hosts.map(cancelStep),
    guards: [
      {
        id: '5 targets',
        text: 'only tests that this console or another started',
        reads,
        absolute: true,
        check: () => passGuard('state files only'),
      },
    ],
    whyAlreadyDone: (live) => (listRunning(live).length === 0 ? `no test runs on ${subject.id}` : undefined),
    verify: {
      text: `no test runs on ${fold(hosts)}`,
      reads,
      deadlineMs: 15_000,
      check: (live) => {
        const running = listRunning(live);
        const text = running.length === 0 ? 'nothing runs' : `${running.join(', ')} still runs`;
        return waitUnless(running.length === 0, text);
      },
    },
    undo: null,
    lockGroups: [`iperf cancel ${subject.id}`],
  };
};
