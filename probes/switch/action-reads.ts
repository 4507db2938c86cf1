import type { Guard, Hold, Reread, Step, Verification } from '../../src/model/action.ts';
import { portNow, type Target } from './action-parts.ts';
import { isDown } from './links.ts';
import type { Port } from './readings.ts';

/** Counters and LAG table of the device, asked again. */
export const deviceReads = ({ counters, host }: Target): readonly Reread[] => [
  { probe: counters, host: host.name },
  { probe: 'switch.lags', host: host.name },
];

/** How a shutdown is undone unless it is kept, and what that needs. */
export interface Undo extends Pick<
  Hold,
  'by' | 'seconds' | 'text' | 'arm' | 'armed' | 'keep' | 'kept' | 'restore'
> {
  guards: readonly Guard[];
  /** The shutdown itself. */
  steps: readonly Step[];
}

/** What was kept must still read down. */
export const staysDown = (now: Port | undefined, port: string): ReturnType<Verification['check']> => {
  if (!now) return { state: 'wait', text: `${port} was not read` };
  return isDown(now)
    ? { state: 'yes', text: `${port} stays ${now.link ?? 'down'}, not saved on the switch` }
    : { state: 'no', text: `${port} reads ${now.link ?? 'up'}` };
};

export const readsUp = (target: Target): Verification => ({
  text: `${target.port} reads up`,
  reads: deviceReads(target),
  deadlineMs: 45_000,
  check: (live) => {
    const port = portNow(live, target.host.name, target.port);
    const up = port !== undefined && !isDown(port);
    return { state: up ? 'yes' : 'wait', text: `${target.port} reads ${port?.link ?? 'nothing'}` };
  },
});
