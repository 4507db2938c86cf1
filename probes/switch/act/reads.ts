import { waitUnless } from '../../../src/kit/guards.ts';
import type { Guard, Reread, Step, Verification } from '../../../src/model/action.ts';
import type { Hold } from '../../../src/model/hold.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { portNow, type Target } from './parts.ts';
import { lagOf, findMemberAcross } from '../links/lags.ts';
import { isLacp } from '../read/member-states.ts';
import { isDown } from '../read/link-words.ts';
import type { Port } from '../readings.ts';
import { isDark, describeUnclear } from '../read/port-states.ts';

/** Counters and LAG table of the device, asked again. */
export const deviceReads = ({ counters, host }: Target): readonly Reread[] => [
  { probe: counters, host: host.name },
  { probe: 'switch.lags', host: host.name },
];

/** How a shutdown is undone unless it is kept, and what that needs. */
export interface Undo extends Pick<
  Hold,
  'by' | 'seconds' | 'text' | 'arm' | 'armed' | 'keep' | 'kept' | 'restore' | 'failure'
> {
  guards: readonly Guard[];
  /** The shutdown itself. */
  steps: readonly Step[];
}

/** How long a shutdown that is kept stays: a Junos commit is the configuration, elsewhere the one that a restart reads is not touched. */
const lastingOf = ({ shutLasts }: Target['platform']): string =>
  shutLasts === 'restart' ? 'committed: a restart of the switch keeps it' : 'not saved on the switch';

/** A port that was not read, or whose words say neither up nor down. */
const unreadVerdict = (port: string, now: Port | undefined): ReturnType<Verification['check']> => ({
  state: 'unread',
  text: now ? `${port} ${describeUnclear(now)}` : `${port} was not read`,
});

/** What was kept must still read down: shut, not switched on again and waiting for its light. */
export const checkStaysDown = (
  now: Port | undefined,
  { port, platform }: Pick<Target, 'port' | 'platform'>,
): ReturnType<Verification['check']> => {
  if (now?.state === undefined) return unreadVerdict(port, now);
  if (isDark(now)) return { state: 'no', text: `${port} is switched on again, without a link yet` };
  return isDown(now)
    ? { state: 'yes', text: `${port} stays ${now.link ?? 'down'}, ${lastingOf(platform)}` }
    : { state: 'no', text: `${port} reads ${now.link ?? 'up'}` };
};

/** LACP lets a member back in after up to three of its slow periods of 30 s (IEEE 802.1AX). */
const backInMs = 100_000;

/** Up, and back in its LAG where the device says which members are. */
export const verifyUp = (target: Target): Verification => ({
  text: `${target.port} reads up`,
  reads: deviceReads(target),
  deadlineMs: backInMs,
  check: (live) => {
    const { host, port } = target;
    const now = portNow(live, host.name, port);
    if (now?.state === undefined) return unreadVerdict(port, now);
    const text = `${port} reads ${now.link ?? 'nothing'}`;
    if (now.state !== 'up') return { state: 'wait', text };
    const lag = lagOf(live, host.name, port);
    if (lag?.guessed) return { state: 'yes', text: `${text}; whether it is back in ${lag.lag} is not known` };
    // A word that is not understood is no "back".
    const member = lag?.members.find((one) => one.port === port);
    const isOut = lag !== undefined && member?.active !== true && member?.standing !== 'standby';
    return waitUnless(!isOut, isOut ? `${text}, not yet back in ${lag.lag}` : text);
  },
});

/** A static LAG goes on sending into a dead member until the far side has dropped it too. */
export const verifyDown = (target: Target, before: Judgement): Verification => {
  const { host, port, subject } = target;
  const hasLacp = isLacp(lagOf(before, host.name, port)?.protocol);
  const far = hasLacp ? undefined : findMemberAcross(subject.id, before);
  const isActive = (live: Judgement, at: string, member: string): boolean | undefined =>
    (lagOf(live, at, member)?.members.find((one) => one.port === member) ?? { active: false }).active;
  return {
    text: `${port} reads down${far ? `, and ${far.lag.host} has dropped ${far.port}` : ''}`,
    reads: [...deviceReads(target), ...(far ? [{ probe: 'switch.lags', host: far.lag.host }] : [])],
    deadlineMs: 30_000,
    check: (live) => {
      const now = portNow(live, host.name, port);
      if (now?.state === undefined) return unreadVerdict(port, now);
      const out = isDown(now) && isActive(live, host.name, port) !== true;
      const text = `${port} reads ${now.link ?? 'no state'}`;
      // A word that is not understood is no "dropped".
      return out && far && isActive(live, far.lag.host, far.port) !== false
        ? { state: 'wait', text: `${far.lag.host} still uses ${far.port}` }
        : waitUnless(out, text);
    },
  };
};
