import type { Action, Guard, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, refusal, rereads, exceededGuard } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { count } from '../../../src/text/units.ts';
import { idleNodes, locksOf, oneTest } from './guards.ts';
import { type SweepParameters, sweepParameters } from './parameters.ts';
import { mostHosts, sweepPlan, type SweepPlan } from '../sweep/plan.ts';
import { armStep, runStep } from '../sweep/steps.ts';
import { nextSweepId, sweepBar, sweepConclusion, sweepOf, sweepProgress } from '../sweep/state.ts';

/** Finds the one bad host among many: tests in rounds, each host in one test at a time. A task of the hosts. */
export const sweepAction: Action<SweepParameters> = {
  id: 'iperf.sweep',
  verb: 'sweep',
  title: 'sweep hosts for the slow one',
  subject: 'site',
  danger: 'service',
  users: 'the links of these hosts are full while their tests run',
  repeatable: true,
  parameters: sweepParameters,
  prompts: [
    { name: 'hosts', label: 'hosts, like wn-d-[01-16]', required: true },
    { name: 'seconds', label: 'seconds of each test (1-7)', required: false },
    { name: 'takeOver', label: 'nodes run jobs: why test anyway', required: false, exceeds: '4' },
  ],
  menu: {
    note: '',
    askTyped: (_subjects, { judgement }) => {
      const hosts = judgement.site.hostsWithRole('iperf').length;
      return hosts < 3
        ? refusal('5 targets', 'a sweep needs three hosts with the role iperf')
        : `among up to ${hosts} hosts`;
    },
  },
  plan: (subjects, given, context) => planSweep(subjects, given, context),
};

const planSweep = (
  subjects: readonly Subject[],
  given: SweepParameters,
  context: PlanContext,
): Plan | Refusal => {
  const { judgement } = context;
  const [subject] = subjects;
  if (!subject || subjects.length > 1) return refusal('5 targets', 'no site is chosen');
  if (subject.id !== judgement.site.name) return refusal('5 targets', 'that is not the name of this site');
  const hosts = hostsOf(given.hosts, judgement);
  if ('refused' in hosts) return hosts;
  const id = context.looksBack?.before[0] ?? nextSweepId(judgement);
  const sweep = sweepPlan(id, hosts, given.seconds ?? 4, judgement);
  if ('problem' in sweep) return refusal('3 tools', sweep.problem);
  const targets = [targetOf(subject, sweep, judgement)];
  return planOf(sweepAction, {
    title: `Sweep ${hosts.length} hosts`,
    targets,
    because: [
      `${count(sweep.rounds.flat().length, 'test')} of ${sweep.seconds} s in ${count(sweep.rounds.length, 'round')}, ${sweep.rounds.length * sweep.slot} s in all; one test of a host and of an uplink at a time`,
      ...sweep.rounds.map(
        (round, at) => `round ${at + 1}: ${round.map(({ from, to }) => `${from} → ${to}`).join(', ')}`,
      ),
    ],
    afterwards:
      'the hosts run the sweep by themselves, also when this console dies; any console shows its progress and names the slow host',
    undoText: 'a test changes nothing; "end its tests" on any of the hosts ends it everywhere',
    parameters: { ...given },
    exceeded: exceededGuard('4', targets, given.takeOver, context),
  });
};

const hostsOf = (text: string, { site }: Judgement): string[] | Refusal => {
  let names: readonly string[];
  try {
    names = site.expand(text);
  } catch (error) {
    return refusal('5 targets', error instanceof Error ? error.message : `${text} is no set of hosts`);
  }
  const hosts = [...new Set(names)];
  const stranger = hosts.find(
    (name) => site.resolve('host', name)?.id !== name || site.host(name)?.roles.includes('iperf') !== true,
  );
  if (stranger !== undefined)
    return refusal('5 targets', `${stranger} does not have the role iperf in the site file`);
  if (hosts.length < 3 || hosts.length > mostHosts)
    return refusal('5 targets', `a sweep takes 3 to ${mostHosts} hosts, not ${hosts.length}`);
  return hosts;
};

/** Tools and free ports are still those that the plan was made with. */
const sameTools = (sweep: SweepPlan): Guard => ({
  id: '3 tools',
  text: 'each pair has a tool in common, and free ports',
  reads: rereads('iperf.tools', ...sweep.hosts),
  absolute: true,
  check: (live) => {
    const now = sweepPlan(sweep.id, sweep.hosts, sweep.seconds, live);
    return 'problem' in now ? failGuard(now.problem) : passGuard('as planned');
  },
});

/** All hosts are armed before the first is given the word: one that can't stops all of it, and nothing was sent. */
const targetOf = (subject: Subject, sweep: SweepPlan, judgement: Judgement): PlanTarget => {
  const { hosts, rounds, slot } = sweep;
  return {
    subject,
    steps: [...hosts.map((host) => armStep(host, sweep)), ...hosts.map((host) => runStep(host, sweep))],
    guards: [sameTools(sweep), oneTest(hosts, judgement), idleNodes(hosts, judgement)],
    whyAlreadyDone: () => undefined,
    verify: {
      text: `${rounds.flat().length} results are read back`,
      reads: rereads('iperf.results', ...hosts),
      deadlineMs: (rounds.length * slot + 60) * 1000,
      check: (live) => {
        const state = sweepOf(live, sweep.id);
        if (!state) return { state: 'wait', text: 'the hosts have not started' };
        if (state.state === 'running')
          return { state: 'wait', text: `${sweepBar(state, live.now)}, ${sweepProgress(state)}` };
        return { state: state.state === 'done' ? 'yes' : 'no', text: sweepConclusion(state) };
      },
    },
    before: [sweep.id],
    undo: null,
    lockGroups: locksOf(hosts, judgement),
  };
};
