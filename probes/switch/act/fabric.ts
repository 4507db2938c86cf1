import { planOf } from '../../../src/kit/offers.ts';
import type {
  Action,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Step,
  Verification,
  WayBack,
} from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, refusal, waitUnless } from '../../../src/kit/guards.ts';
import {
  fabricFailure,
  fabricPortNow,
  fabricReads,
  type FabricTarget,
  requireLinked,
  requireUnneeded,
  requireNotOurFabricWay,
} from './fabric-guards.ts';
import { journalSteps, shutNote } from './parts.ts';
import { type FabricPort, type FabricReading, isCarrying } from '../platforms/infiniband/fabric.ts';
import { platformOf } from '../platforms/index.ts';
import { ownerOf, type TakeOver } from './ownership.ts';
import { timerHold, requireUndoPossible } from './timer.ts';
import type { UndoWords } from './undo-script.ts';
import { ibportstateRefusals } from './refusals.ts';
import { settingsOf } from '../settings.ts';
import { splitId } from '../read/port-states.ts';

/** What a plan takes from its action. */
type PlannedAction = Pick<Action, 'id' | 'verb' | 'danger' | 'users'>;

/** Whether a port is one of a fabric: told by a host in it, not by the switch itself. */
export const isOfFabric = (subject: Subject | undefined, { judgement }: PlanContext): boolean =>
  subject !== undefined &&
  platformOf(judgement.site.host(splitId(subject.id).host)?.platform)?.fabric !== undefined;

const fabricTarget = (subject: Subject, { judgement }: PlanContext): FabricTarget | Refusal => {
  if (judgement.site.resolve('port', subject.id)?.id !== subject.id)
    return refusal('5 targets', `${subject.id} is not a port of this site`);
  const { host, port } = splitId(subject.id);
  const found = fabricPortNow(judgement, { undoHost: host, port });
  if (!found)
    return refusal(
      '3 preconditions',
      fabricFailure(judgement, host) ?? `${port} is not in the last reading of the fabric of ${host}`,
    );
  // ibportstate(8): the port of a host is only switched off by the host itself, which then can't switch it on again.
  if (found.type !== 'SW')
    return refusal('5 targets', `${port} is a host's own port: shut the switch port it is on`);
  return { subject, undoHost: host, port, guid: found.guid, number: found.number };
};

const deadlineMs = 20_000;

/** By GUID: a LID may be another port's tomorrow. */
const state = ({ guid, number }: FabricTarget, verb: 'disable' | 'enable' | 'speed 0'): string =>
  `ibportstate -G ${guid} ${number} ${verb}`;

const step = (target: FabricTarget, verb: 'disable' | 'enable'): Step => ({
  host: target.undoHost,
  argv: ['sudo', '-n', ...state(target, verb).split(' ')],
  deadlineMs,
  refusals: ibportstateRefusals,
});

/**
 * The undo on the host that asks the fabric. It looks at the port's own PortInfo only: `ibportstate query` asks the peer too, across the
 * link that is to be shut, and fails where that loses the question. Everything but `Disabled` is switched on (names of libibmad).
 */
const undoOf = (target: FabricTarget): UndoWords => ({
  reach: 'here',
  host: target.undoHost,
  refuses: '',
  prompt: '',
  on: '^PhysLinkState:[.]*(Sleep|Polling|PortConfigurationTraining|LinkUp|LinkErrorRecovery|PhyTest)',
  undo: [state(target, 'enable')],
  look: [`smpquery -G portinfo ${target.guid} ${target.number}`],
});

/**
 * `enable` would send a link that is up to Polling, so it would train anew: a change. `speed 0` is the same SubnSet(PortInfo) to the same
 * port, with the same M_Key, in which every field that could change something says "no change" (ibportstate(8); IBA volume 1, PortInfo).
 */
const proofOf = (target: FabricTarget): UndoWords => ({
  ...undoOf(target),
  undo: [state(target, 'speed 0')],
});

const reads = (target: FabricTarget, wanted: 'up' | 'down', limitMs: number): Verification => ({
  text: `${target.port} reads ${wanted}`,
  reads: fabricReads(target),
  deadlineMs: limitMs,
  check: (live) => {
    const now = fabricPortNow(live, target);
    if (!now) return { state: 'unread', text: `${target.port} was not read` };
    const is = !now.peer ? 'down' : isCarrying(now) ? 'up' : (now.link ?? 'in a state that is not known');
    return waitUnless(is === wanted, `${target.port} reads ${is}`);
  },
});

const verifyUp = (target: FabricTarget): Verification => reads(target, 'up', 60_000);
const verifyDown = (target: FabricTarget): Verification => reads(target, 'down', 45_000);

/** Links between the same two nodes as the port's. */
const linksBetween = (
  own: FabricPort | undefined,
  { readings }: Judgement,
  { undoHost }: FabricTarget,
): number =>
  readings
    .source<FabricReading>('switch.fabric', undoHost)
    ?.good?.value.ports.filter(
      (one) => isCarrying(one) && one.guid === own?.guid && one.peer?.guid === own.peer?.guid,
    ).length ?? 0;

const enableSteps = (
  target: FabricTarget,
  { judgement: { site }, operator }: PlanContext,
): readonly Step[] => [
  step(target, 'enable'),
  ...journalSteps(site, { kind: 'restored', port: target.subject.id, by: operator }),
];

/** `Action.undoOf` of a port of a fabric's switch. */
export const undoFabricShut = (subject: Subject, context: PlanContext): WayBack | Refusal => {
  const target = fabricTarget(subject, context);
  return 'refused' in target ? target : { steps: enableSteps(target, context) };
};

const holdOf = (target: FabricTarget, context: PlanContext): NonNullable<PlanTarget['hold']> => {
  const { judgement } = context;
  const { site } = judgement;
  // Readings change under a judgement that is kept: what was so is taken now.
  const was = fabricPortNow(judgement, target);
  const before = linksBetween(was, judgement, target);
  const textBeside = (live: Judgement): string =>
    `links between ${was?.node ?? '?'} and ${was?.peer?.node ?? '?'}   before ${before}, now ${linksBetween(was, live, target)}`;
  return {
    ...timerHold(target, {
      seconds: settingsOf(site).hold,
      site,
      proof: proofOf(target),
      undo: undoOf(target),
      reads: fabricReads(target),
      stays: verifyDown(target).check,
    }),
    restore: enableSteps(target, context),
    restored: verifyUp(target),
    watch: [...fabricReads(target), { probe: 'switch.counters', host: target.undoHost }],
    watching: (live) => [textBeside(live)],
    checkKeeping: (live) =>
      was?.peer?.type === 'SW' && linksBetween(was, live, target) === 0
        ? failGuard(textBeside(live))
        : passGuard(textBeside(live)),
  };
};

/** Of both switches: parallel links are counted between two. */
const locksOf = ({ guid }: FabricTarget, peer: string | undefined): readonly string[] =>
  [guid, ...(peer === undefined ? [] : [peer])].toSorted().map((one) => `fabric ${one}`);

/** Shuts one port of a fabric's switch, undone by a timer on the host that asks the fabric. */
export const planFabricShut = (
  action: PlannedAction,
  subject: Subject,
  context: PlanContext,
): Plan | Refusal => {
  const target = fabricTarget(subject, context);
  if ('refused' in target) return target;
  const { judgement, operator, self } = context;
  const { port, undoHost } = target;
  const peer = fabricPortNow(judgement, target)?.peer;
  const hold = holdOf(target, context);
  return planOf(action, {
    title: `Shut ${port} in the fabric of ${undoHost}`,
    targets: [
      {
        subject,
        steps: [step(target, 'disable'), ...shutNote(judgement.site, subject.id, operator, '')],
        guards: [
          requireLinked(target),
          requireNotOurFabricWay(target, self, judgement),
          requireUnneeded(target, judgement),
          requireUndoPossible(target),
        ],
        whyAlreadyDone: (live) => {
          const now = fabricPortNow(live, target);
          return now && !now.peer ? `${port} has no link already` : undefined;
        },
        verify: verifyDown(target),
        undo: hold.restore,
        hold,
        lockGroups: locksOf(target, peer?.guid),
      },
    ],
    because: [peer ? `it leads to ${peer.node} port ${peer.number}` : `${port} has no link now`],
    afterwards: `${port} must read down within 45 s, then the links beside it are watched`,
    undoText: `${hold.text} unless it is kept`,
  });
};

/** Puts a port of a fabric's switch back. */
export const planFabricRestore = (
  action: PlannedAction,
  subject: Subject,
  given: TakeOver,
  context: PlanContext,
): Plan | Refusal => {
  const target = fabricTarget(subject, context);
  if ('refused' in target) return target;
  const { port, undoHost } = target;
  const owner = ownerOf(target, context, given.takeOver);
  return planOf(action, {
    title: `Restore ${port} in the fabric of ${undoHost}`,
    targets: [
      {
        subject,
        steps: enableSteps(target, context),
        guards: [
          {
            id: '5 targets',
            text: `${port} is in the last reading of the fabric of ${undoHost}`,
            reads: fabricReads(target),
            absolute: true,
            check: (live) =>
              fabricPortNow(live, target) ? passGuard('it is') : failGuard(`${undoHost} lists no ${port}`),
          },
          owner.guard,
        ],
        whyAlreadyDone: (live) => {
          const now = fabricPortNow(live, target);
          return now && isCarrying(now) ? `${port} is up already` : undefined;
        },
        verify: verifyUp(target),
        undo: null,
        lockGroups: locksOf(target, fabricPortNow(context.judgement, target)?.peer?.guid),
      },
    ],
    because: [owner.because],
    afterwards: `${port} must read up within 60 s`,
    undoText: 'none of its own: switch.shut, which is held',
    parameters: { ...given },
    exceeded: owner.exceeded,
  });
};
