import { describe, expect, it } from 'vitest';
import { siteOf } from '../helpers/judging.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf } from './helpers/fake-site.ts';

const MINUTE = 60_000;
const system = systemOf('sys', [probeOf('sys.often'), probeOf('sys.seldom', { everyMs: 10 * MINUTE })]);

describe('the oldest reading', () => {
  const setUp = () => {
    const silent = { seldom: false, often: false };
    const parts = rig(siteOf([host('h1')]), [system], (_, request) => {
      const isSilent = (request.script ?? '').includes('seldom') ? silent.seldom : silent.often;
      return answerOf('x', isSilent ? { timedOut: true } : {});
    });
    const ageS = () => (parts.clock.now() - (parts.collector.store.oldestAt() ?? 0)) / 1000;
    return { ...parts, silent, ageS };
  };

  it('is none of those that are asked every few minutes, as long as they are on time', async () => {
    const { clock, collector, ageS } = setUp();
    collector.start();
    await clock.advance(8 * MINUTE);
    expect(ageS()).toBeLessThan(30);
    await collector.close();
  });

  it('is one of those where nothing is asked more often', async () => {
    const seldom = systemOf('sys', [probeOf('sys.seldom', { everyMs: 10 * MINUTE })]);
    const { clock, collector } = rig(siteOf([host('h1')]), [seldom], () => answerOf('x'));
    collector.start();
    await clock.advance(8 * MINUTE);
    const ageMs = clock.now() - (collector.store.oldestAt() ?? 0);
    expect(ageMs).toBeGreaterThan(5 * MINUTE);
    expect(ageMs).toBeLessThan(9 * MINUTE);
    await collector.close();
  });

  it('is one of those when it is late', async () => {
    const { clock, collector, silent, ageS } = setUp();
    collector.start();
    await clock.advance(2 * MINUTE);
    silent.seldom = true;
    await clock.advance(30 * MINUTE);
    expect(ageS()).toBeGreaterThan(20 * 60);
    await collector.close();
  });

  it('is that of a probe that is asked often and fails', async () => {
    const { clock, collector, silent, ageS } = setUp();
    collector.start();
    await clock.advance(2 * MINUTE);
    silent.often = true;
    await clock.advance(3 * MINUTE);
    expect(ageS()).toBeGreaterThan(170);
    await collector.close();
  });
});
