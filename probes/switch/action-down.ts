import type { Verification } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { farMember, withoutLacp } from './action-guards.ts';
import { portNow, type Target } from './action-parts.ts';
import { deviceReads } from './action-reads.ts';
import { lagOf } from './lags.ts';
import { isDown } from './link-words.ts';
import { unclear } from './port-states.ts';

/** A static LAG goes on sending into a dead member until the far side has dropped it too. */
export const readsDown = (target: Target, before: Judgement): Verification => {
  const far = withoutLacp(target, before) ? farMember(target, before) : undefined;
  return {
    text: `${target.port} reads down${far ? `, and ${far.host} has dropped ${far.port}` : ''}`,
    reads: [...deviceReads(target), ...(far ? [{ probe: 'switch.lags', host: far.host }] : [])],
    deadlineMs: 30_000,
    check: (live) => {
      const { host, port } = target;
      const now = portNow(live, host.name, port);
      if (!now) return { state: 'unread', text: `${port} was not read` };
      if (now.state === undefined) return { state: 'unread', text: `${port} ${unclear(now)}` };
      const activeAt = (at: string, member: string): boolean | undefined =>
        (lagOf(live, at, member)?.members.find((one) => one.port === member) ?? { active: false }).active;
      const out = isDown(now) && activeAt(host.name, port) !== true;
      const text = `${port} reads ${now.link ?? 'no state'}`;
      if (!out || !far) return { state: out ? 'yes' : 'wait', text };
      // A word that is not understood is no "dropped".
      return activeAt(far.host, far.port) !== false
        ? { state: 'wait', text: `${far.host} still uses ${far.port}` }
        : { state: 'yes', text };
    },
  };
};
