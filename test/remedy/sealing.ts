import { expect } from 'vitest';
import { sealAuditLog } from '../../src/remedy/audit-seal.ts';
import { run } from './acting.ts';
import { lostAnswer, obey, operator, realTime, self, type World } from './world.ts';

/** `audit seal` of this log, after the disk was restored. */
export const sealLog = (file: string, over: { whole?: boolean; reason?: string } = {}) =>
  sealAuditLog({
    file,
    site: 'test',
    operator,
    console: self,
    clock: realTime,
    reason: 'the disk was restored',
    whole: false,
    ...over,
  });

/** What the log holds of n3: it was begun and nobody knows what came of it. */
export const leaveOpen = async (world: World): Promise<void> => {
  world.act = () => {
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    return lostAnswer();
  };
  expect((await run(world.engine(), ['n3'])).state).toBe('unknown');
  world.broken = undefined;
  world.act = (script) => obey(world.nodes, script);
};
