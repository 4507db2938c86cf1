import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ended } from '../../src/collect/ended.ts';
import { createSchedule, type Schedule } from '../../src/collect/schedule.ts';
import { createSlot, type Slot } from '../../src/collect/slot.ts';
import { sequence } from './helpers/fake-collector.ts';
import { host, probeOf } from './helpers/fake-site.ts';

const make = (seed = 1): { schedule: Schedule; held: Slot[] } => {
  const held: Slot[] = [];
  return { schedule: createSchedule({ random: sequence(seed), onHeld: (slot) => held.push(slot) }), held };
};

const took = (tookMs: number): Ended => ({ kind: 'answered', tookMs, works: true });
const ok = took(10);
const down: Ended = { kind: 'unreachable', why: 'unreachable', untouched: false };

/** Everything that is due, started. */
const drain = (schedule: Schedule, now: number): Slot[] => {
  const taken: Slot[] = [];
  for (let slot = schedule.take(now); slot; slot = schedule.take(now)) taken.push(slot);
  return taken;
};

describe('the schedule', () => {
  it('asks at once, then again within one interval of the start, never earlier than nine tenths of it', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    expect(schedule.take(0)).toBe(slot);
    schedule.noteDone(slot, ok, 50);
    expect(slot.nextAt).toBeLessThanOrEqual(10_000);
    expect(slot.nextAt).toBeGreaterThanOrEqual(9_000);
    expect(schedule.nextWake()).toBe(slot.nextAt);
    expect(schedule.take(slot.nextAt - 1)).toBeUndefined();
    expect(schedule.take(slot.nextAt)).toBe(slot);
  });

  it('at the start the first host of every probe goes before the second of any, the more frequent first', () => {
    const { schedule } = make();
    for (const [id, everyMs, hosts] of [
      ['rare', 600_000, 3],
      ['often', 10_000, 40],
      ['slow', 60_000, 100],
    ] as const) {
      for (let turn = 0; turn < hosts; turn++)
        schedule.add(createSlot(probeOf(id), host(`${id}${turn}`), everyMs, turn), 0);
    }
    expect(
      drain(schedule, 0)
        .slice(0, 7)
        .map((slot) => slot.host.name),
    ).toEqual(['often0', 'slow0', 'rare0', 'often1', 'slow1', 'rare1', 'often2']);
  });

  describe('a daemon that is asked every five minutes', () => {
    const pulse = { of: [], works: (value: unknown) => value === 'UP' };
    const nextAfter = (probe: Parameters<typeof probeOf>[1], ended: Ended, at = 50): number => {
      const { schedule } = make();
      const slot = createSlot(probeOf('a', probe), host('h1'), 300_000);
      schedule.add(slot, 0);
      schedule.take(0);
      schedule.noteDone(slot, ended, at);
      return slot.nextAt;
    };
    const ill: Ended = { kind: 'answered', tookMs: 10, works: false };

    it('and says that it does not work is asked again within the minute', () => {
      const next = nextAfter({ pulse }, ill);
      expect(next).toBeLessThanOrEqual(60_000);
      expect(next).toBeGreaterThanOrEqual(54_000);
    });

    it('keeps its host busy for a fifth of the time at most', () => {
      expect(nextAfter({ pulse }, { ...ill, tookMs: 14_000 }, 14_000)).toBeGreaterThanOrEqual(63_000);
    });

    it.each<[string, number]>([
      ['that works', nextAfter({ pulse }, ok)],
      ['whose command fails and that is nobody’s pulse', nextAfter({}, ill)],
      ['that does not answer in time', nextAfter({ pulse }, { kind: 'failed' })],
    ])('%s: in its own time', (_name, next) => {
      expect(next).toBeGreaterThanOrEqual(270_000);
    });
  });

  it('spreads background probes over their first interval', () => {
    const { schedule } = make();
    const probe = probeOf('b', { background: true });
    const slots = Array.from({ length: 100 }, (_, n) => createSlot(probe, host(`h${n}`), 60_000));
    for (const slot of slots) schedule.add(slot, 0);
    expect(drain(schedule, 6_000).length).toBeLessThan(25);
    expect(drain(schedule, 60_000).length).toBeGreaterThan(60);
  });

  it('slows down a probe whose command takes longer than a fifth of its interval twice in a row, and recovers', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    const paces = [2_100, 2_500, 30_000, 30_000, 100, 9_000, 100, 9_000].map((tookMs) => {
      const at = slot.nextAt;
      expect(schedule.take(at)).toBe(slot);
      schedule.noteDone(slot, took(tookMs), at + tookMs);
      return slot.paceMs;
    });
    // One slow answer is a stall of something; one quick answer ends the slow pace.
    expect(paces).toEqual([10_000, 10_500, 12_500, 100_000, 10_000, 10_000, 10_000, 10_000]);
  });

  it.each([
    ['failed', { kind: 'failed' }],
    ['hung', { kind: 'hung' }],
    ['did not work', { kind: 'answered', tookMs: 10_000, works: false }],
  ] as const)('takes an ask that %s for no slow command, nor the first answer after it', (_how, bad) => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    for (const ended of [took(9_000), bad, took(9_000)]) {
      const at = slot.nextAt;
      schedule.take(at);
      schedule.noteDone(slot, ended, at + 9_000);
      expect(slot.paceMs).toBe(10_000);
      expect(slot.nextAt - at).toBeLessThanOrEqual(10_000);
    }
  });

  it('keeps the interval after a failed command: recovery shows within one poll', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    for (let n = 0; n < 20; n += 1) {
      const at = slot.nextAt;
      expect(schedule.take(at)).toBe(slot);
      schedule.noteDone(slot, { kind: 'failed' }, at + 5);
      expect(slot.nextAt - at).toBeLessThanOrEqual(10_000);
    }
  });

  it('leaves an unreachable host alone ever longer, at most about a minute', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 2_000);
    schedule.add(slot, 0);
    const gaps: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const at = slot.nextAt;
      expect(schedule.take(at)).toBe(slot);
      schedule.noteDone(slot, down, at + 1);
      gaps.push(slot.nextAt - at);
    }
    expect(gaps[0]).toBeLessThan(2_300);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(66_001);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(60_000);
  });

  it('tries a host where nobody listens at least as often as what is asked there, others up to a minute apart', () => {
    const gapsOf = (untouched: boolean): number[] => {
      const { schedule } = make();
      const slot = createSlot(probeOf('a'), host('h1'), 10_000);
      schedule.add(slot, 0);
      return Array.from({ length: 12 }, () => {
        const at = slot.nextAt;
        expect(schedule.take(at)).toBe(slot);
        schedule.noteDone(slot, { kind: 'unreachable', why: 'unreachable', untouched }, at + 1);
        return slot.nextAt - at;
      });
    };
    expect(Math.max(...gapsOf(true))).toBeLessThanOrEqual(11_001);
    expect(Math.max(...gapsOf(false))).toBeGreaterThanOrEqual(60_000);
  });

  it('sends one scout to a host that is down; when it answers, the others follow within a second', () => {
    const { schedule, held } = make();
    const slots = ['a', 'b', 'c'].map((id) => createSlot(probeOf(id), host('h1'), 10_000));
    for (const slot of slots) schedule.add(slot, 0);
    for (const slot of drain(schedule, 0)) schedule.noteDone(slot, down, 5);
    const later = Math.max(...slots.map((slot) => slot.nextAt));
    const scouts = drain(schedule, later);
    expect(scouts).toHaveLength(1);
    expect(held).toHaveLength(2);
    for (const scout of scouts) schedule.noteDone(scout, ok, later + 20);
    expect(drain(schedule, later + 600)).toHaveLength(2);
  });

  it('tries refused logins after 1, 5 and 30 minutes only', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    const gaps = [1, 2, 3, 4].map(() => {
      const at = slot.nextAt;
      schedule.take(at);
      schedule.noteDone(slot, { kind: 'unreachable', why: 'auth', untouched: false }, at);
      return (slot.nextAt - at) / 60_000;
    });
    // Up to a tenth more, never less.
    for (const [at, least] of [1, 5, 30, 30].entries()) {
      expect(gaps[at]).toBeGreaterThanOrEqual(least);
      expect(gaps[at]).toBeLessThanOrEqual(least * 1.1);
    }
  });

  it('asks nothing more for 10 minutes after two commands that hang, and at once when wanted', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a', { mayHang: true }), host('h1'), 10_000);
    schedule.add(slot, 0);
    schedule.take(0);
    schedule.noteDone(slot, { kind: 'hung' }, 10_000);
    expect(slot.nextAt).toBeLessThanOrEqual(11_000);
    schedule.take(slot.nextAt);
    schedule.noteDone(slot, { kind: 'hung' }, 30_000);
    expect(slot.nextAt).toBe(30_000 + 600_000);
    schedule.want(slot, 31_000);
    expect(schedule.take(31_000)).toBe(slot);
    expect(slot.explicit).toBe(true);
  });

  it('asks once more, right after, what is wanted while it runs', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a'), host('h1'), 10_000);
    schedule.add(slot, 0);
    schedule.take(0);
    schedule.want(slot, 1);
    expect(schedule.take(2)).toBeUndefined();
    schedule.noteDone(slot, ok, 3);
    expect(schedule.take(3)).toBe(slot);
    schedule.noteDone(slot, ok, 4);
    expect(schedule.take(5)).toBeUndefined();
  });

  it('never asks on-demand probes by itself', () => {
    const { schedule } = make();
    const slot = createSlot(probeOf('a', { everyMs: 0 }), host('h1'), 0);
    schedule.add(slot, 0);
    expect(schedule.nextWake()).toBe(Infinity);
    schedule.want(slot, 5);
    expect(schedule.take(5)).toBe(slot);
    schedule.noteDone(slot, ok, 6);
    expect(schedule.nextWake()).toBe(Infinity);
  });
});

describe('for any run of events', () => {
  const outcome = fc.constantFrom<Ended>(
    ok,
    took(9_000),
    down,
    { kind: 'hung' },
    { kind: 'failed' },
    { kind: 'skipped' },
  );
  const event = fc.oneof(
    fc.record({ type: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ type: fc.constant('end' as const), which: fc.nat(50), how: outcome }),
    fc.record({ type: fc.constant('want' as const), which: fc.nat(50) }),
    fc.record({ type: fc.constant('spread' as const) }),
  );

  it('never two in flight for a probe and host, never more than `parallel`, and nothing is forgotten', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), fc.nat(), (events, seed) => {
        const { schedule } = make(seed);
        const probes = [probeOf('a'), probeOf('b', { parallel: 2 }), probeOf('c', { everyMs: 0 })];
        const slots = probes.flatMap((probe) =>
          ['h1', 'h2', 'h3', 'h4'].map((name) => createSlot(probe, host(name), probe.everyMs)),
        );
        let now = 0;
        const flying = new Set<Slot>();
        for (const slot of slots) schedule.add(slot, now);
        const takeAll = (): void => {
          for (const slot of drain(schedule, now)) {
            expect(flying.has(slot)).toBe(false);
            flying.add(slot);
          }
          const ofB = [...flying].filter((slot) => slot.probe.id === 'b');
          expect(ofB.length).toBeLessThanOrEqual(2);
        };
        const end = (slot: Slot | undefined, how: Ended): void => {
          if (!slot) return;
          flying.delete(slot);
          schedule.noteDone(slot, how, now);
        };
        for (const one of events) {
          if (one.type === 'pass') now += one.ms;
          if (one.type === 'end') end([...flying][one.which % Math.max(1, flying.size)], one.how);
          if (one.type === 'want') {
            const slot = slots[one.which % slots.length];
            if (slot) schedule.want(slot, now);
          }
          if (one.type === 'spread') schedule.spread(now);
          takeAll();
        }
        // Whatever happened: when hosts answer again, every regular slot is asked again.
        const missing = new Set(slots.filter((slot) => slot.everyMs > 0));
        for (let step = 0; step < 4000 && missing.size > 0; step += 1) {
          takeAll();
          for (const slot of flying) missing.delete(slot);
          for (const slot of flying) end(slot, ok);
          now += 2_000;
        }
        expect([...missing].map((slot) => slot.key)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('what is asked seldom is asked when it is due, where the machine stalls again and again', () => {
    const { schedule } = make(1);
    const seldom = createSlot(probeOf('a'), host('h1'), 600_000);
    schedule.add(seldom, 0);
    for (const slot of drain(schedule, 0)) schedule.noteDone(slot, ok, 100);
    const asked: number[] = [];
    for (let now = 20_000; now < 3_600_000; now += 20_000) {
      for (const slot of drain(schedule, now)) {
        asked.push(now);
        schedule.noteDone(slot, ok, now);
      }
      schedule.spread(now);
    }
    expect(asked.length).toBeGreaterThanOrEqual(5);
    for (const [index, at] of asked.entries())
      expect(at - (asked[index - 1] ?? 0), `${at}`).toBeLessThanOrEqual(620_000);
  });

  it('no burst after a suspend: what is due is spread over the interval', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 100 }), (seed, hours) => {
        const { schedule } = make(seed);
        const slots = Array.from({ length: 200 }, (_, n) => createSlot(probeOf('a'), host(`h${n}`), 10_000));
        for (const slot of slots) schedule.add(slot, 0);
        // Half are in flight when the machine goes to sleep.
        const flying = drain(schedule, 0);
        for (const slot of flying.slice(0, 100)) schedule.noteDone(slot, ok, 100);
        const woken = 100 + hours * 3_600_000;
        schedule.spread(woken);
        for (const slot of flying.slice(100)) schedule.noteDone(slot, { kind: 'failed' }, woken + 5);
        // A tenth of the interval: 20 expected, 200 would be the burst.
        expect(drain(schedule, woken + 1_000).length).toBeLessThan(60);
        expect(drain(schedule, woken + 10_005).length).toBeGreaterThan(100);
      }),
      { numRuns: 50 },
    );
  });
});
