import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { ok, refusal } from '../../src/model/refusal.ts';
import { byName, fold } from '../../src/text/nodeset.ts';
import { cancelStep } from './action-scripts.ts';
import { allRuns, runsReading } from './pairs.ts';
import { openPart, sweepFellows } from './sweep-state.ts';

/** What of a test still runs on a host. */
const left = (host: string, judgement: Judgement): string[] => {
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
      .toSorted(byName),
  ];
};

/** Ends every test that a console started on a host, client or server, and the sweep it is in, everywhere. What was measured stays. */
export const cancelAction: Action<Record<string, never>> = {
  id: 'iperf.cancel',
  verb: 'cancel',
  title: 'end its tests',
  subject: 'host',
  danger: 'reversible',
  repeatable: true,
  parameters: z.strictObject({}),
  prompts: [],
  offer: (subjects, context) => {
    const plan = planCancel(subjects, context);
    if ('refused' in plan) return { available: false, reason: plan.reason };
    const running = subjects.flatMap(({ id }) => left(id, context.judgement));
    return running.length === 0
      ? { available: false, reason: 'no test runs' }
      : { available: true, note: running.slice(0, 3).join(', ') };
  },
  plan: (subjects, _given, context) => planCancel(subjects, context),
};

const planCancel = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const stranger = subjects.find(({ id }) => judgement.site.host(id)?.roles.includes('iperf') !== true);
  if (subjects.length === 0 || stranger)
    return refusal('5 targets', `${stranger?.id ?? 'nothing'} is no host with the role iperf`);
  return {
    action: 'iperf.cancel',
    title: `End the tests of ${subjects.map(({ id }) => id).join(', ')}`,
    verb: 'cancel',
    danger: 'reversible',
    targets: subjects.map((subject): PlanTarget => {
      const hosts = endsOf(subject.id, judgement);
      const reads = hosts.map((host) => ({ probe: 'iperf.results', host }));
      const still = (live: Judgement): string[] => hosts.flatMap((host) => left(host, live));
      return {
        subject,
        steps: hosts.map(cancelStep),
        guards: [
          {
            id: '5 targets',
            text: 'only tests that this console or another started',
            reads,
            absolute: true,
            check: () => ok('state files only'),
          },
        ],
        already: (live) => (still(live).length === 0 ? `no test runs on ${subject.id}` : undefined),
        verify: {
          text: `no test runs on ${fold(hosts)}`,
          reads,
          deadlineMs: 15_000,
          check: (live) => {
            const running = [...new Set(still(live))];
            return running.length === 0
              ? { state: 'yes', text: 'nothing runs' }
              : { state: 'wait', text: `${running.join(', ')} still runs` };
          },
        },
        undo: null,
        lockGroups: [`iperf cancel ${subject.id}`],
      };
    }),
    leftOut: [],
    because: subjects.flatMap(({ id }) => left(id, judgement).map((text) => `${text} runs on ${id}`)),
    afterwards: 'the client writes what it has, the server goes',
    undoText: 'run the test again',
    parameters: {},
    exceeded: [],
  };
};
