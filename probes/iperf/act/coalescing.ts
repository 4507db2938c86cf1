import * as z from 'zod';
import type { Action, Plan, PlanContext, Refusal, Step, Refusals } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { failGuard, passGuard, refusal, rereads } from '../../../src/kit/guards.ts';
import { hostPlan, requireReading } from './host.ts';
import { type CoalescingParameters, coalescingParameters } from './parameters.ts';
import { factsOf } from '../judge/pairs.ts';

/** ethtool -C sets all that it was given with one request (SIOCETHTOOL or netlink), or none of it. */
export const ethtoolRefusals: Refusals = {
  tool: 'ethtool -C',
  lines: [
    {
      text: '(?:Cannot (?:get|set) device coalesce (?:settings|parameters)|netlink error): (?:Operation not supported|Operation not permitted|No such device)',
      source: 'ethtool.c do_scoalesce, netlink/coalesce.c: the driver turned the request down',
    },
    {
      text: 'no coalesce parameters changed, aborting',
      exit: 80,
      source: 'ethtool.c do_scoalesce: nothing differs',
    },
    {
      text: String.raw`ethtool: bad command line argument\(s\)`,
      exit: 1,
      source: 'ethtool.c: before any request',
    },
  ],
  beside: ['For more information run ethtool -h'],
};

/** Interrupt coalescing of the NIC: adaptive-rx off and a fixed rx-usecs are what cured a link of 9.47 or 2.33 Gbit/s. */
export const coalescingAction: Action<CoalescingParameters> = {
  id: 'host.coalescing',
  verb: 'coalesce',
  title: 'set interrupt coalescing',
  subject: 'host',
  danger: 'service',
  users: 'latency and CPU load of its network change',
  parameters: coalescingParameters,
  prompts: [
    { name: 'adaptiveRx', label: 'adaptive-rx (on, off)', required: false, initial: 'off' },
    { name: 'rxUsecs', label: 'rx-usecs (0-1000)', required: false },
  ],
  menu: { note: ({ because }) => because[0] ?? '' },
  plan: (subjects, given, context) => planCoalescing(subjects, given, context),
  undoOf: (subject, was, context) => {
    const found = requireReading([subject], context);
    if ('refused' in found) return found;
    const old = recordedCoalescing.safeParse(was).data;
    if (old === undefined)
      return refusal('3 preconditions', 'its run did not record the old adaptive-rx and rx-usecs');
    const { host, facts } = found;
    return old.nic === facts.nic
      ? { steps: [coalescingStep(host, old)] }
      : refusal('3 preconditions', `the NIC of ${host} is ${facts.nic || 'not known'} now, not ${old.nic}`);
  },
};

/** What the undo has to know: the NIC's coalescing before. */
const recordedCoalescing = z.object({
  nic: z.string(),
  adaptiveRx: z.boolean(),
  rxUsecs: z.int().min(0).exactOptional(),
});

const coalescingStep = (
  host: string,
  { nic, adaptiveRx, rxUsecs }: z.infer<typeof recordedCoalescing>,
): Step => ({
  host,
  argv: [
    'sudo',
    '-n',
    'ethtool',
    '-C',
    nic,
    'adaptive-rx',
    adaptiveRx ? 'on' : 'off',
    ...(rxUsecs === undefined ? [] : ['rx-usecs', String(rxUsecs)]),
  ],
  refusals: ethtoolRefusals,
});

const planCoalescing = (
  subjects: readonly Subject[],
  given: CoalescingParameters,
  context: PlanContext,
): Plan | Refusal => {
  const found = requireReading(subjects, context);
  if ('refused' in found) return found;
  const { host, facts } = found;
  if (facts.adaptiveRx === undefined)
    return refusal('3 preconditions', `${facts.nic || 'the NIC'} of ${host} does not report its coalescing`);
  const adaptive = given.adaptiveRx ?? 'off';
  const usecs = given.rxUsecs ?? facts.rxUsecs;
  const { nic, adaptiveRx, rxUsecs } = facts;
  const was = dropUndefined({ nic, adaptiveRx, rxUsecs });
  return hostPlan(coalescingAction, host, {
    title: `Set coalescing of ${facts.nic} on ${host}`,
    because: [
      `${host}: adaptive-rx is ${facts.adaptiveRx ? 'on' : 'off'}, rx-usecs ${facts.rxUsecs ?? 'not known'}`,
    ],
    afterwards: `adaptive-rx reads ${adaptive}${usecs === undefined ? '' : `, rx-usecs ${usecs}`}`,
    undoText: 'the old adaptive-rx and rx-usecs',
    parameters: { ...given },
    step: coalescingStep(host, dropUndefined({ nic, adaptiveRx: adaptive === 'on', rxUsecs: usecs })),
    undo: coalescingStep(host, was),
    was,
    guards: [
      {
        id: '3 preconditions',
        text: `adaptive-rx on ${host} is as it was read`,
        reads: rereads('iperf.facts', host),
        absolute: true,
        check: (live) => {
          const now = factsOf(live.readings, host);
          return now !== undefined && now.adaptiveRx === facts.adaptiveRx && now.rxUsecs === facts.rxUsecs
            ? passGuard('unchanged')
            : failGuard('plan is stale: the setting was changed meanwhile');
        },
      },
    ],
    whyAlreadySet: (live) =>
      live.adaptiveRx === (adaptive === 'on') && (usecs === undefined || live.rxUsecs === usecs)
        ? `adaptive-rx ${adaptive}, rx-usecs ${live.rxUsecs ?? 'not known'}`
        : undefined,
  });
};
