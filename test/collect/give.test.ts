import { describe, expect, it } from 'vitest';
import type { Given } from '../../src/model/system.ts';
import { siteOf } from '../helpers/judging.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf, unreachable } from './helpers/fake-site.ts';
import { readLive } from '../../src/remedy/live.ts';

const site = siteOf([host('admin', 'asks'), host('sw1'), host('sw2')]);

/** `sw1 1000 5` between semicolons: a sample of sw1 with its time in ms and its age in s. Of sw2 nothing is said unless it stands there. */
const giver = probeOf('sys.query', {
  role: 'asks',
  everyMs: 30_000,
  gives: (value) =>
    [...Map.groupBy(String(value).split(';'), (line) => line.split(' ')[0] ?? '')].map(
      ([name, lines]): Given => ({
        probe: 'sys.given',
        host: name,
        samples: lines.map((line) => {
          const [, at = '0', ago = '0'] = line.split(' ');
          const sample = { by: 'Prometheus', at: Number(at) };
          return { sample, ageMs: Number(ago) * 1000, value: line, notUnderstood: 0 };
        }),
      }),
    ),
});
const given = probeOf('sys.given', { everyMs: 60_000, keep: 3, givenBy: 'sys.query' });
const direct = probeOf('sys.own', { onDemand: new Set(['sw1', 'sw2']) });
const system = systemOf('sys', [giver, given, direct]);

describe('one answer that speaks of many hosts', () => {
  it('is asked once, and brings each its samples with their own age; nobody else is asked', async () => {
    const { clock, collector, transports } = rig(site, [system], () => answerOf('sw1 1000 50;sw1 31000 20'));
    collector.start();
    await clock.advance(100);
    const source = collector.store.source('sys.given', 'sw1');
    expect(source).toMatchObject({ state: 'fresh', good: { sample: { by: 'Prometheus', at: 31_000 } } });
    expect(Math.round((clock.mono() - (source?.good?.mono ?? 0)) / 1000)).toBe(20);
    expect(source?.before).toHaveLength(1);
    expect((source?.good?.mono ?? 0) - (source?.before[0]?.mono ?? 0)).toBe(30_000);
    expect(collector.store.source('sys.given', 'sw2')).toMatchObject({
      state: 'failed',
      failure: { kind: 'command', message: 'sw2: sys.query says nothing of it' },
    });
    expect(transports.calls.map((call) => call.host)).toEqual(['admin']);
    await collector.close();
  });

  it('a sample that is told again and again grows old: a clock that stands still is no fresh truth', async () => {
    const { clock, collector } = rig(site, [system], () => answerOf('sw1 1000 5'));
    collector.start();
    await clock.advance(100_000);
    expect(collector.store.source('sys.given', 'sw1')).toMatchObject({ state: 'fresh', before: [] });
    await clock.advance(30_000);
    expect(collector.store.source('sys.given', 'sw1')).toMatchObject({
      state: 'stale',
      old: true,
      before: [],
    });
    await collector.close();
  });

  it('without an answer all fail with its reason, as unread and never as unreachable themselves', async () => {
    let gone = false;
    const { clock, collector } = rig(site, [system], (name) =>
      gone ? unreachable(name) : answerOf('sw1 1000 5;sw2 1000 5'),
    );
    collector.start();
    await clock.advance(100);
    gone = true;
    await clock.advance(32_000);
    const failed = collector.store.source('sys.given', 'sw2');
    expect(failed).toMatchObject({ state: 'failed', good: { value: 'sw2 1000 5' } });
    expect(failed?.failure).toMatchObject({ kind: 'command', code: 'notGiven' });
    expect(failed?.failure?.message).toBe(
      'sw2: sys.query through admin: connection refused; is sshd running there?',
    );
    expect([...collector.store.listUnreached()]).toEqual(['admin']);
    gone = false;
    await clock.advance(61_000);
    expect(collector.store.source('sys.given', 'sw2')).not.toHaveProperty('failure');
    await collector.close();
  });

  it('a command that fails, and a `gives` that throws, are told the same way', async () => {
    const odd = systemOf('sys', [
      probeOf('sys.query', {
        role: 'asks',
        gives: () => {
          throw new Error('no such field');
        },
      }),
      given,
    ]);
    const failing = rig(site, [system], () => broken({ timedOut: true, exitCode: 124, durationMs: 8000 }));
    failing.collector.start();
    await failing.clock.advance(9000);
    expect(failing.collector.store.source('sys.given', 'sw1')?.failure?.message).toBe(
      'sw1: sys.query through admin: show sys.query timed out after 8 s',
    );
    await failing.collector.close();
    const throwing = rig(site, [odd], () => answerOf('x'));
    throwing.collector.start();
    await throwing.clock.advance(100);
    expect(throwing.collector.store.source('sys.given', 'sw1')?.failure?.message).toBe(
      "sw1: sys.query can't be dealt out: no such field",
    );
    await throwing.collector.close();
  });

  it('who wants such a reading now has its giver asked; who acts asks the machine, and sees no sample', async () => {
    const { clock, collector, transports } = rig(site, [system], (name) =>
      answerOf(name === 'admin' ? `sw1 ${clock.now()} 0` : 'its own word'),
    );
    const asking = collector.readNow([{ probe: 'sys.given', host: 'sw1' }]);
    await clock.advance(100);
    await asking;
    expect(transports.calls.map((call) => call.host)).toEqual(['admin']);
    expect(collector.judgement().readings.source('sys.given', 'sw1')).toMatchObject({ state: 'fresh' });
    const reading = readLive({ reader: collector, clock }, [{ probe: 'sys.own', host: 'sw1' }]);
    await clock.advance(100);
    const live = await reading;
    expect(live.ok).toBe(true);
    expect(live.judgement.readings.source('sys.own', 'sw1')?.good?.value).toBe('its own word');
    expect(live.judgement.readings.source('sys.given', 'sw1')).toBeUndefined();
    const sampled = readLive({ reader: collector, clock }, [{ probe: 'sys.given', host: 'sw1' }], {
      limitMs: 500,
    });
    await clock.advance(1000);
    expect(await sampled).toMatchObject({ ok: false });
    await collector.close();
  });
});
