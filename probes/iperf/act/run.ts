import type {
  Action,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Verification,
} from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { refusal, rereads, exceededGuard } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { requireBothTools, idleNodes, locksOf, oneTest } from './guards.ts';
import { type RunParameters, runParameters, runToParameters, type RunToParameters } from './parameters.ts';
import { clientStep, serverStep } from './scripts.ts';
import { chooseTool, freePorts, type Order } from '../judge/order.ts';
import { flowsOf, runsReading } from '../judge/pairs.ts';
import { progressText, silenceMs } from '../view/progress.ts';
import type { IperfRun } from '../readings.ts';
import { count } from '../../../src/text/units.ts';
import { addressOf, settingsOf } from '../settings.ts';

/** Runs one test: server at one end, client at the other, both bounded, the result left on the client's host. */
export const runAction: Action<RunParameters> = {
  id: 'iperf.run',
  verb: 'test',
  title: 'run a test',
  subject: 'pair',
  danger: 'service',
  users: 'the link is full while the test runs',
  repeatable: true,
  parameters: runParameters,
  prompts: [
    { name: 'seconds', label: 'seconds (1-300)', required: false },
    { name: 'streams', label: 'streams (1-64)', required: false },
    { name: 'mode', label: 'forward, reverse or both', required: false },
    { name: 'window', label: 'window, like 512K', required: false },
    { name: 'rate', label: 'Mbit/s per stream', required: false },
    { name: 'takeOver', label: 'nodes run jobs: why test anyway', required: false },
  ],
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: (subjects, given, context) => planRun(subjects, given, context),
};

/** The same from a host's row, to any other host: how a pair that was never tested is reached. */
export const runToAction: Action<RunToParameters> = {
  ...runAction,
  id: 'iperf.run-to',
  title: 'run a test to another host',
  subject: 'host',
  parameters: runToParameters,
  prompts: [{ name: 'to', label: 'to which host', required: true }, ...runAction.prompts],
  menu: {
    note: '',
    askTyped: ([subject], { judgement }) =>
      subject !== undefined && judgement.site.host(subject.id)?.roles.includes('iperf') === true
        ? `from ${subject.id}`
        : refusal('5 targets', 'its role in the site file is not iperf'),
  },
  plan: (subjects, { to, ...given }, context) => {
    const [subject] = subjects;
    if (!subject || subjects.length > 1) return refusal('5 targets', 'one host at a time');
    const server = context.judgement.site.resolve('host', to)?.id;
    if (server === undefined) return refusal('5 targets', `${to} is no host of the site`);
    const plan = planRun([{ kind: 'pair', id: `${subject.id}:${server}` }], given, context);
    return 'refused' in plan
      ? plan
      : {
          ...plan,
          action: 'iperf.run-to',
          targets: plan.targets.map((target) => ({ ...target, subject })),
          parameters: { to, ...given },
        };
  },
};

const planRun = (
  subjects: readonly Subject[],
  given: RunParameters,
  context: PlanContext,
): Plan | Refusal => {
  const { judgement } = context;
  if (subjects.length === 0)
    return refusal('5 targets', 'no pair is chosen; an empty choice never means all');
  const targets: PlanTarget[] = [];
  const lines: { pair: string; text: string }[] = [];
  for (const subject of subjects) {
    const order = orderOf(subject, given, judgement);
    if ('refused' in order) return order;
    targets.push(targetOf(subject, order, context));
    lines.push({
      pair: `${order.client} → ${order.server}`,
      text: `${order.tool}, ${order.seconds} s, ${count(order.streams, 'stream')}, ${order.mode}`,
    });
  }
  const last = subjects.flatMap(({ id }) => {
    const text = flowsOf(judgement).find((flow) => flow.id === id)?.verdict.text;
    return text === undefined ? [] : [{ pair: id.replace(':', ' → '), text: `last result: ${text}` }];
  });
  return planOf(runAction, {
    title: subjects.length === 1 ? `Test ${subjects[0]?.id ?? ''}` : `Test ${subjects.length} pairs`,
    targets,
    because: [...sayOnce(lines), ...sayOnce(last)],
    afterwards:
      'the result is read back from the client; nothing of iperf is left running, also when this console dies',
    undoText: 'a test changes nothing; "end its tests" on the host stops it',
    parameters: { ...given },
    exceeded: exceededGuard('4', targets, given.takeOver, context),
  });
};

/** What is the same of several pairs stands there once. */
const sayOnce = (lines: readonly { pair: string; text: string }[]): string[] =>
  [...Map.groupBy(lines, ({ text }) => text)].map(([text, of]) =>
    of.length === 1 ? `${of[0]?.pair ?? ''}: ${text}` : `${count(of.length, 'pair')}: ${text}`,
  );

const orderOf = (subject: Subject, given: RunParameters, judgement: Judgement): Order | Refusal => {
  const [client = '', server = '', ...more] = subject.id.split(':');
  const { site } = judgement;
  if (subject.kind !== 'pair' || client === '' || server === '' || more.length > 0)
    return refusal('5 targets', `${subject.id} is no pair of hosts`);
  if (client === server)
    return refusal('5 targets', `${client} can't be tested against itself: that says nothing of the network`);
  const stranger = [client, server].find((name) => site.host(name)?.roles.includes('iperf') !== true);
  if (stranger !== undefined)
    return refusal('5 targets', `${stranger} does not have the role iperf in the site file`);
  const mode = given.mode ?? 'forward';
  const chosen = chooseTool(client, server, mode, judgement.readings);
  if ('problem' in chosen) return refusal('3 tools', chosen.problem);
  const ports = freePorts(server, judgement);
  if (ports.length === 0) return refusal('3 tools', `no port of the range is free on ${server}`);
  return {
    client,
    server,
    address: addressOf(site, server),
    tool: chosen.tool,
    seconds: given.seconds ?? settingsOf(site).seconds,
    streams: given.streams ?? 1,
    mode,
    ...(given.window !== undefined && { window: given.window }),
    ...(given.rate !== undefined && { rate: given.rate }),
    ports,
    watched: true,
  };
};

const targetOf = (subject: Subject, order: Order, { judgement, looksBack }: PlanContext): PlanTarget => {
  const hosts = [order.client, order.server];
  const before = looksBack?.before ?? runsOf(order, judgement).map(({ id }) => id);
  return {
    subject,
    steps: [serverStep(order), clientStep(order)],
    guards: [requireBothTools(order), oneTest(hosts, judgement), idleNodes(hosts, judgement)],
    whyAlreadyDone: () => undefined,
    verify: verification(order, before),
    before,
    undo: null,
    lockGroups: locksOf(hosts, judgement),
  };
};

const runsOf = ({ client, server }: Order, { readings }: Judgement): IperfRun[] =>
  (runsReading(readings, client)?.value.runs ?? []).filter(
    (run) => run.client === client && run.server === server,
  );

/** Seconds without a byte after which the link counts as gone: both ends then end their sides by themselves. */
const silenceS = 4;
/** Seconds without a byte after which nobody waits for that any more. */
const endlessS = 14;

/** A run that was not there when the plan was made has ended, at both ends. Asking keeps the test alive; not asking ends it. */
const verification = (order: Order, known: readonly string[]): Verification => {
  const before = new Set(known);
  return {
    text: `the result of ${order.client} → ${order.server} is read back`,
    reads: rereads('iperf.watch', order.client, order.server),
    deadlineMs: order.seconds * 1000 + 25_000,
    check: (live) => {
      const run = runsOf(order, live).find(({ id }) => !before.has(id));
      if (!run) return { state: 'wait', text: 'the client has not started' };
      const end = endOf(order, run, live);
      // Whoever reads that a test is over may begin the next one: its server must be gone, too.
      return end.state !== 'wait' && isServing(order, live)
        ? { state: 'wait', text: `${end.text}; its server on ${order.server} is ending` }
        : end;
    },
  };
};

/** Whether the server of this test still stands, by the file that goes with it. */
const isServing = ({ client, server }: Order, { readings }: Judgement): boolean =>
  runsReading(readings, server)?.value.servers.some(({ pair }) => pair === `${client}:${server}`) === true;

/** How far the client is, or how it ended. */
const endOf = (order: Order, run: IperfRun, live: Judgement): ReturnType<Verification['check']> => {
  if (run.status === 'running') {
    const silent = silenceMs(run);
    const { bar, now, last } = progressText(run, live.now);
    const figures = now === '' ? '' : `, ${now} Gbit/s; intervals ${last}`;
    if (silent < silenceS || order.seconds <= silenceS) return { state: 'wait', text: bar + figures };
    const text = `no byte for ${Math.floor(silent)} s: the link is gone`;
    return silent < endlessS
      ? { state: 'wait', text: `${text}; the test is ending` }
      : { state: 'no', text: `${text}, and the test does not end` };
  }
  const id = order.mode === 'reverse' ? `${order.server}:${order.client}` : `${order.client}:${order.server}`;
  const verdict = flowsOf(live).find((flow) => flow.id === id && flow.run.id === run.id)?.verdict;
  if (run.status === 'ok') return { state: 'yes', text: verdict?.text ?? 'ended' };
  return {
    state: 'no',
    text: run.why === 'cancelled' ? 'cancelled' : (verdict?.text ?? run.error ?? 'no result'),
  };
};
