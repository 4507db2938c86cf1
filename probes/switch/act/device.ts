import type { Guard, GuardResult } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { deviceStep, portNow, shutSteps, type Target } from './parts.ts';
import { deviceReads, checkStaysDown, type Undo } from './reads.ts';
import type { CandidateReading, CommitsReading } from '../read/commits.ts';
import type { ConfirmedChange } from '../platforms/contracts.ts';

const commitsOf = ({ host }: Target, { readings }: Judgement) =>
  readings.source<CommitsReading>('switch.commits', host.name);

/** Sessions of a device are numbered: the first of ours that is free. */
const freeSession = (target: Target, live: Judgement): string => {
  const taken = new Set<string>(commitsOf(target, live)?.good?.value.sessions);
  for (let number = 1; ; number++) if (!taken.has(`faultline-${number}`)) return `faultline-${number}`;
};

/** Guard 9: no commit waits there already (the device takes back one at a time), and a commit saves nothing. */
const nothingWaits = (target: Target): Guard => ({
  id: '9 armed undo',
  text: `no commit waits to be confirmed on ${target.host.name} (one that waits would show)${target.platform.shutLasts === undefined ? ', and a commit leaves the startup configuration as it is' : ''}`,
  reads: [{ probe: 'switch.commits', host: target.host.name }],
  absolute: true,
  check: (live) => {
    const source = commitsOf(target, live);
    if (source?.state !== 'fresh' || !source.good)
      return failGuard(
        `what waits to be confirmed there is not known: ${source?.failure?.message ?? 'not asked yet'}`,
      );
    const { waiting, saves, missing } = source.good.value;
    if (waiting !== undefined) return failGuard(`a commit waits to be confirmed there already: ${waiting}`);
    // Without it a shutdown would never be seen to be armed, and never be kept: it is said now, not after the port is down.
    if (missing !== undefined)
      return failGuard(
        `whether a commit waits on ${target.host.name} is not known, so this one could not be confirmed: ${missing}`,
      );
    return saves
      ? failGuard('a commit there writes the startup configuration too')
      : passGuard('no other commit waits');
  },
});

/** Guard 9: what others changed and have not committed is not ours to commit. */
const cleanCandidate = (target: Target): Guard => ({
  id: '9 open changes',
  text: 'nobody has uncommitted changes open there',
  reads: [{ probe: 'switch.candidate', host: target.host.name }],
  absolute: true,
  check: ({ readings }): GuardResult => {
    const source = readings.source<CandidateReading>('switch.candidate', target.host.name);
    if (source?.state !== 'fresh' || !source.good)
      return failGuard(`its configuration was not tried: ${source?.failure?.message ?? 'not asked yet'}`);
    const { open, said } = source.good.value;
    return open
      ? passGuard('it opens')
      : failGuard(`${target.host.name} refuses to open its configuration: ${said}`);
  },
});

/** What speaks against a commit on a device that takes commits back by itself: ours would confirm or lose somebody else's. */
export const commitGuards = (target: Target): readonly Guard[] =>
  target.change.confirmed
    ? [nothingWaits(target), ...(target.platform.tryConfigure ? [cleanCandidate(target)] : [])]
    : [];

/** A second commit on the device would confirm the one that waits there. */
export const commitLocks = ({ change, host }: Target): readonly string[] =>
  change.confirmed ? [`commit ${host.name}`] : [];

/** Undone by the device itself unless it is confirmed. The journal tells of it only when it is kept: nobody else ends it. */
export const planDeviceUndo = (
  target: Target,
  confirmed: ConfirmedChange,
  wanted: number,
  judgement: Judgement,
  operator: string,
): Undo => {
  const { host, port, subject } = target;
  const { unitSeconds } = confirmed;
  const seconds = Math.ceil(wanted / unitSeconds) * unitSeconds;
  const session = freeSession(target, judgement);
  const commits = { probe: 'switch.commits', host: host.name };
  const isOurs = (live: Judgement): boolean =>
    commitsOf(target, live)?.good?.value.waiting?.includes('faultline') ?? false;
  return {
    by: 'device',
    seconds,
    text: `${host.name} itself takes it back after ${seconds} s`,
    guards: commitGuards(target),
    steps: [deviceStep(target, confirmed.shut(seconds, session))],
    arm: [],
    armed: {
      text: `the commit waits to be confirmed on ${host.name}`,
      reads: [commits],
      deadlineMs: 15_000,
      check: (live) =>
        isOurs(live)
          ? { state: 'yes', text: 'the commit waits' }
          : { state: 'wait', text: `${host.name} shows no commit that waits` },
    },
    keep: [deviceStep(target, confirmed.keep(session)), ...shutSteps(judgement, subject.id, operator)],
    kept: {
      text: `no commit waits any more and ${port} reads down`,
      reads: [commits, ...deviceReads(target)],
      deadlineMs: 30_000,
      check: (live) =>
        isOurs(live)
          ? { state: 'wait', text: 'the commit still waits' }
          : checkStaysDown(portNow(live, host.name, port), target),
    },
    restore: [deviceStep(target, confirmed.restore(session))],
  };
};
