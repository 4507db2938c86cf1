import type { Guard, Hold, Reread, Step, Verification } from '../../src/model/action.ts';
import { portNow, type Target } from './action-parts.ts';
import { lagOf } from './lags.ts';
import { isDown } from './link-words.ts';
import type { PortChange } from './platform.ts';
import type { Port } from './readings.ts';
import { isDark, unclear } from './port-states.ts';

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
const lastingOf = ({ lasts }: PortChange): string =>
  lasts === 'restart' ? 'committed: a restart of the switch keeps it' : 'not saved on the switch';

/** What was kept must still read down: shut, not switched on again and waiting for its light. */
export const staysDown = (
  now: Port | undefined,
  { port, change }: Pick<Target, 'port' | 'change'>,
): ReturnType<Verification['check']> => {
  if (!now) return { state: 'unread', text: `${port} was not read` };
  if (isDark(now)) return { state: 'no', text: `${port} is switched on again, without a link yet` };
  if (now.state === undefined) return { state: 'unread', text: `${port} ${unclear(now)}` };
  return isDown(now)
    ? { state: 'yes', text: `${port} stays ${now.link ?? 'down'}, ${lastingOf(change)}` }
    : { state: 'no', text: `${port} reads ${now.link ?? 'up'}` };
};

/** LACP lets a member back in after up to three of its slow periods of 30 s (IEEE 802.1AX). */
const backInMs = 100_000;

/** Up, and back in its LAG where the device says which members are. */
export const readsUp = (target: Target): Verification => ({
  text: `${target.port} reads up`,
  reads: deviceReads(target),
  deadlineMs: backInMs,
  check: (live) => {
    const { host, port } = target;
    const now = portNow(live, host.name, port);
    const text = now ? `${port} reads ${now.link ?? 'nothing'}` : `${port} was not read`;
    if (now?.state === undefined) return { state: 'unread', text: now ? `${port} ${unclear(now)}` : text };
    if (now.state !== 'up') return { state: 'wait', text };
    const lag = lagOf(live, host.name, port);
    if (lag?.guessed) return { state: 'yes', text: `${text}; whether it is back in ${lag.lag} is not known` };
    // A word that is not understood is no "back".
    const does = lag?.members.find((one) => one.port === port);
    const isOut = lag !== undefined && does?.active !== true && does?.standing !== 'standby';
    return isOut ? { state: 'wait', text: `${text}, not yet back in ${lag.lag}` } : { state: 'yes', text };
  },
});
