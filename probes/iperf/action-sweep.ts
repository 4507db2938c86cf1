import type { Action, Plan, PlanContext, PlanTarget, Refusal, Step } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { expand, fold } from '../../src/text/nodeset.ts';
import { jobsProblem, chooseTool, freePorts, idleNodes, locksOf, oneTest, refusal } from './action-guards.ts';
import { type SweepParameters, sweepParameters } from './action-parameters.ts';
import { clientStep, type Order, serverStep, waitStep } from './action-scripts.ts';
import { allRuns } from './pairs.ts';
import { addressOf } from './settings.ts';
import { type Meeting, roundsOf } from './sweep-rounds.ts';
import { sweepOf } from './sweep-state.ts';

/** Finds the one bad host among many: tests in rounds, each host in one test at a time. */
export const sweepAction: Action<SweepParameters> = {
  id: 'iperf.sweep',
  verb: 'sweep',
  title: 'sweep hosts for the slow one',
  subject: 'site',
  danger: 'service',
  repeatable: true,
  parameters: sweepParameters,
  prompts: [
    { name: 'hosts', label: 'hosts, like wn-d-[01-16]', required: true },
    { name: 'seconds', label: 'seconds of each test (1-7)', required: false },
    { name: 'takeOver', label: 'nodes with jobs: why all the same', required: false },
  ],
  offer: (_subjects, { judgement }) => {
    const count = judgement.site.withRole('iperf').length;
    return count < 3
      ? { available: false, reason: 'a sweep needs three hosts with the role iperf' }
      : { available: true, note: `among up to ${count} hosts` };
  },
  plan: (subjects, given, context) => planSweep(subjects, given, context),
};

const mostHosts = 64;

const planSweep = (
  subjects: readonly Subject[],
  given: SweepParameters,
  context: PlanContext,
): Plan | Refusal => {
  const { judgement } = context;
  const [subject] = subjects;
  if (!subject) return refusal('5 targets', 'no site is chosen');
  const hosts = hostsOf(given.hosts, judgement);
  if ('refused' in hosts) return hosts;
  const rounds = roundsOf(hosts);
  const name = fold(hosts);
  const orders: Order[][] = [];
  for (const round of rounds) {
    const made: Order[] = [];
    for (const meeting of round) {
      const order = orderOf(meeting, name, given.seconds ?? 4, judgement);
      if ('refused' in order) return order;
      made.push(order);
    }
    orders.push(made);
  }
  const takeOver = given.takeOver ?? context.exceed?.['4'];
  const tests = orders.flat().length;
  return {
    action: 'iperf.sweep',
    title: `Sweep ${hosts.length} hosts`,
    verb: 'sweep',
    danger: 'service',
    targets: [targetOf(subject, hosts, orders, judgement)],
    leftOut: [],
    because: [`${tests} tests in ${orders.length} rounds; each host sends and receives, one test at a time`],
    afterwards: 'the results are read back and the slow host is named, with how sure that is',
    undoText: 'a test changes nothing',
    parameters: { ...given },
    exceeded:
      takeOver !== undefined && jobsProblem(hosts, judgement) !== undefined
        ? [{ guard: '4 ownership', reason: takeOver }]
        : [],
  };
};

const hostsOf = (text: string, { site }: Judgement): string[] | Refusal => {
  let names: string[];
  try {
    names = expand(text);
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

const orderOf = (
  { from, to }: Meeting,
  sweep: string,
  seconds: number,
  judgement: Judgement,
): Order | Refusal => {
  const chosen = chooseTool(from, to, 'forward', judgement);
  if ('problem' in chosen) return refusal('3 tools', chosen.problem);
  const ports = freePorts(to, judgement);
  if (ports.length === 0) return refusal('3 tools', `no port of the range is free on ${to}`);
  return {
    client: from,
    server: to,
    address: addressOf(judgement.site, to),
    tool: chosen.tool,
    seconds,
    streams: 1,
    mode: 'forward',
    ports,
    sweep,
    watched: false,
  };
};

/** A round: servers, then clients, which run at the same time, then each is waited for by its state file. */
const stepsOf = (round: readonly Order[]): Step[] => [
  ...round.map(serverStep),
  ...round.map(clientStep),
  ...round.map(({ client, seconds }) => waitStep(client, seconds)),
];

const targetOf = (
  subject: Subject,
  hosts: readonly string[],
  rounds: readonly (readonly Order[])[],
  judgement: Judgement,
): PlanTarget => {
  const name = rounds[0]?.[0]?.sweep;
  const before = new Set(allRuns(judgement).map(({ id, client }) => `${client} ${id}`));
  const wanted = rounds.flat().length;
  return {
    subject,
    steps: rounds.flatMap(stepsOf),
    guards: [oneTest(hosts), idleNodes(hosts, judgement)],
    already: () => undefined,
    verify: {
      text: `${wanted} results are read back`,
      reads: hosts.map((host) => ({ probe: 'iperf.results', host })),
      deadlineMs: 30_000,
      check: (live) => {
        const fresh = allRuns(live).filter(
          (run) => run.sweep === name && !before.has(`${run.client} ${run.id}`),
        );
        const ended = fresh.filter(({ status }) => status !== 'running');
        if (ended.length < wanted) return { state: 'wait', text: `${ended.length} of ${wanted} results` };
        const answer = sweepOf(live)?.answer;
        if (answer?.kind === 'host')
          return { state: 'yes', text: `${answer.host} is ${answer.text}: ${answer.sure} sure` };
        return { state: 'yes', text: answer ? `${answer.text}: ${answer.sure} sure` : 'read' };
      },
    },
    undo: null,
    lockGroups: locksOf(hosts, judgement),
  };
};
