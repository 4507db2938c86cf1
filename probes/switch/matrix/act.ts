import { failGuard, passGuard, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf, noParameters, type NoParameters } from '../../../src/kit/offers.ts';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { matrixText } from './matrix.ts';
import { matrixScript } from './probe.ts';
import type { MatrixReading, PingerReading } from '../readings.ts';
import { serversOf, settingsOf } from '../settings.ts';

/** Runs the jumbo matrix from chosen clients: traffic, but little. */
export const matrixAction: Action<NoParameters> = {
  id: 'switch.matrix',
  verb: 'ping',
  title: 'run the jumbo matrix',
  subject: 'host',
  danger: 'service',
  users: 'nothing: some pings of full size for seconds',
  repeatable: true,
  parameters: noParameters,
  prompts: [],
  menu: {
    note: ({ targets }, { judgement }) =>
      matrixText(
        judgement,
        targets.map(({ subject }) => subject.id),
      ),
  },
  plan: (subjects, _given, context) => planMatrix(subjects, context),
};

const planMatrix = (subjects: readonly Subject[], { judgement }: PlanContext): Plan | Refusal => {
  const { site } = judgement;
  const { servers, count, small, jumbo } = settingsOf(site).matrix;
  const strange = subjects.find(({ id }) => site.host(id)?.roles.includes('ping-client') !== true);
  if (strange || subjects.length === 0)
    return refusal('5 targets', `${strange?.id ?? 'nothing chosen'} does not have the role ping-client`);
  if (servers.length === 0) return refusal('3 preconditions', 'the site file names no switch.matrix.servers');
  const idle = subjects.find(({ id }) => serversOf(site, id).length === 0);
  if (idle) return refusal('5 targets', `no address of switch.matrix.servers is pinged from ${idle.id}`);
  const byScript = Map.groupBy(subjects, ({ id }) => matrixScript(site, id));
  return planOf(matrixAction, {
    title: `Run the jumbo matrix from ${subjects.map(({ id }) => id).join(', ')}`,
    targets: subjects.map((subject) => clientTarget(subject, serversOf(site, subject.id).length)),
    measures:
      'no command of its own: each client pings, by the script below, and the replies are the reading',
    because: [...byScript].flatMap(([script, clients]) => {
      const names = clients.map(({ id }) => id);
      const addresses = serversOf(site, names[0] ?? '').map(({ address }) => address);
      return [
        `${byScript.size === 1 ? 'each client' : names.join(', ')} then sends ${count} pings of ${small} and ${count} of ${jumbo} bytes to ${addresses.join(', ')}`,
        `by this script on ${byScript.size === 1 ? 'each client' : names.join(', ')}:`,
        ...script.split('\n'),
      ];
    }),
    afterwards: 'the replies are counted and shown in the grid',
    undoText: 'nothing to undo',
  });
};

/** Nothing is changed: the pings are a reading, the same that the clock may run; the plan's `because` shows them. */
const clientTarget = (subject: Subject, servers: number): PlanTarget => {
  const { id: host } = subject;
  return {
    subject,
    steps: [],
    guards: [
      {
        id: '3 preconditions',
        text: `${host} has a tool to ping with`,
        // Not the matrix itself: nothing is pinged before it was confirmed.
        reads: rereads('switch.pinger', host),
        absolute: true,
        check: (live) => {
          const source = live.readings.source<PingerReading>('switch.pinger', host);
          return source?.good
            ? passGuard(source.good.value.tool)
            : failGuard(source?.failure?.message ?? 'not asked yet');
        },
      },
    ],
    whyAlreadyDone: () => undefined,
    verify: {
      text: `replies from ${servers} addresses were counted`,
      reads: rereads('switch.matrix', host),
      deadlineMs: 120_000,
      check: (live) => {
        const cells = live.readings.source<MatrixReading>('switch.matrix', host)?.good?.value.cells ?? [];
        return cells.length > 0
          ? { state: 'yes', text: matrixText(live, [host]) }
          : { state: 'wait', text: 'no replies counted yet' };
      },
    },
    undo: null,
    lockGroups: [],
  };
};
