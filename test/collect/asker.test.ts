import { describe, expect, it } from 'vitest';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, broken, host, probeOf, systemOf, unreachable } from './helpers/fake-site.ts';
import { siteOf } from '../helpers/judging.ts';
import { ParseError } from '../../src/model/errors.ts';
import { hosts } from '../../probes/hosts/index.ts';

const one = siteOf([host('h1')]);
const plain = systemOf('sys', [probeOf('sys.a')]);

describe('asking', () => {
  it('turns an answer into a reading with host, time and duration, and grows stale when none follows', async () => {
    let silent = false;
    const { clock, collector } = rig(one, [plain], () =>
      silent ? 'hang' : answerOf('hello', { durationMs: 12 }),
    );
    expect(collector.store.source('sys.a', 'h1')?.state).toBe('never');
    collector.start();
    await clock.advance(100);
    const source = collector.store.source<string>('sys.a', 'h1');
    expect(source).toMatchObject({
      state: 'fresh',
      durations: [12],
      good: { value: 'hello', durationMs: 12 },
    });
    expect(source?.nextAt).toBeGreaterThan(clock.now());
    silent = true;
    await clock.advance(25_000);
    expect(collector.store.source('sys.a', 'h1')).toMatchObject({ state: 'stale', good: { value: 'hello' } });
    await collector.close();
  });

  it('a host that hangs delays no other', async () => {
    const site = siteOf([host('dead'), host('alive')]);
    const { clock, collector, transports } = rig(site, [plain], (name) =>
      name === 'dead' ? 'hang' : answerOf('x'),
    );
    collector.start();
    await clock.advance(60_000);
    expect(transports.calls.filter((call) => call.host === 'alive').length).toBeGreaterThanOrEqual(6);
    expect(transports.calls.filter((call) => call.host === 'dead')).toHaveLength(1);
    await collector.close();
  });

  it('keeps the last good reading beside the failure, and since when it fails', async () => {
    let fails = false;
    const { clock, collector } = rig(one, [plain], () =>
      fails ? broken({ timedOut: true, durationMs: 8000, exitCode: 124 }) : answerOf('good'),
    );
    collector.start();
    await clock.advance(1_000);
    fails = true;
    await clock.advance(30_000);
    const source = collector.store.source('sys.a', 'h1');
    expect(source).toMatchObject({ state: 'failed', good: { value: 'good' }, failure: { kind: 'timeout' } });
    expect(source?.failure?.message).toBe('h1: show sys.a timed out after 8 s');
    const since = source?.failingSince;
    await clock.advance(30_000);
    expect(collector.store.source('sys.a', 'h1')?.failingSince).toBe(since);
    fails = false;
    await clock.advance(11_000);
    expect(collector.store.source('sys.a', 'h1')).toMatchObject({ state: 'fresh' });
    expect(collector.store.source('sys.a', 'h1')).not.toHaveProperty('failure');
    await collector.close();
  });

  it('keeps as many earlier readings as the probe wants', async () => {
    let n = 0;
    const system = systemOf('sys', [probeOf('sys.a', { keep: 2 })]);
    const { clock, collector } = rig(one, [system], () => answerOf(String((n += 1))));
    collector.start();
    await clock.advance(45_000);
    const source = collector.store.source<string>('sys.a', 'h1');
    const values = [source?.good, ...(source?.before ?? [])].map((reading) => Number(reading?.value));
    expect(values).toHaveLength(3);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    await collector.close();
  });

  it('asks nothing that touches anything when read-only, and says so', async () => {
    const system = systemOf('sys', [
      probeOf('sys.a'),
      probeOf('sys.files', { touches: 'files' }),
      probeOf('sys.traffic', { touches: 'traffic', everyMs: 0 }),
    ]);
    const { clock, collector, transports } = rig(one, [system], () => answerOf('x'), { readOnly: true });
    collector.start();
    await collector.readNow([
      { probe: 'sys.files', host: 'h1' },
      { probe: 'sys.traffic', host: 'h1' },
    ]);
    collector.refresh({});
    await clock.advance(30_000);
    expect(new Set(transports.calls.map((call) => call.request.script))).toEqual(new Set(['show sys.a']));
    expect(collector.store.source('sys.files', 'h1')).toMatchObject({
      state: 'notAsked',
      failure: { kind: 'readOnly', message: 'not asked: read-only' },
    });
    await collector.close();
  });

  it('r asks what is asked on demand again when it failed or was not understood, and never what touches anything', async () => {
    let spoiled = true;
    const read = (): { value: string; notUnderstood: number } => ({
      value: 'x',
      notUnderstood: spoiled ? 2 : 0,
    });
    const fail = (): { value: string } => {
      if (spoiled) throw new ParseError('not understood', 'line 1', '');
      return { value: 'x' };
    };
    const onDemand = { everyMs: 0, touches: 'nothing' } as const;
    const probes = [
      probeOf('sys.odd', { ...onDemand, read }),
      probeOf('sys.broken', { ...onDemand, read: fail }),
      probeOf('sys.fine', onDemand),
      probeOf('sys.never', onDemand),
      probeOf('sys.files', { everyMs: 0, touches: 'files', read }),
    ];
    const { clock, collector, transports } = rig(one, [systemOf('sys', probes)], () => answerOf('x'));
    collector.start();
    const ask = ['odd', 'broken', 'fine', 'files'].map((name) => ({ probe: `sys.${name}`, host: 'h1' }));
    const asking = collector.readNow(ask);
    await clock.advance(100);
    await asking;
    const asked = (): string[] =>
      transports.calls
        .splice(0)
        .map(({ request }) => request.script ?? '')
        .toSorted();
    expect(asked()).toHaveLength(4);
    spoiled = false;
    expect(collector.refresh({ system: 'other' })).toBe(0);
    expect(collector.refresh({ system: 'sys' })).toBe(2);
    await clock.advance(100);
    expect(asked()).toEqual(['show sys.broken', 'show sys.odd']);
    expect(collector.store.source('sys.odd', 'h1')?.good?.notUnderstood).toBe(0);
    expect(collector.store.source('sys.broken', 'h1')).toMatchObject({ state: 'fresh' });
    expect(collector.refresh({})).toBe(0);
    await collector.close();
  });

  it('gives probes that may hang a channel of their own', async () => {
    const system = systemOf('sys', [probeOf('sys.a', { mayHang: true }), probeOf('sys.b')]);
    const { clock, collector, transports } = rig(one, [system], () => answerOf('x'));
    collector.start();
    await clock.advance(10);
    const fresh = transports.calls.map(({ request }) => [request.script, request.fresh]);
    expect(fresh).toContainEqual(['show sys.a', true]);
    expect(fresh).toContainEqual(['show sys.b', undefined]);
    await collector.close();
  });

  it('stops asking what hung twice, says so, and asks again when the connection was the cause', async () => {
    let hung = true;
    const { clock, collector, transports } = rig(one, [plain], () =>
      hung ? broken({ timedOut: true, durationMs: 10_000 }) : answerOf('x'),
    );
    collector.start();
    await clock.advance(120_000);
    expect(transports.calls).toHaveLength(2);
    const source = collector.store.source('sys.a', 'h1');
    expect(source).toMatchObject({ state: 'failed', failure: { kind: 'abandoned' } });
    expect(source?.failure?.message).toContain('2 commands of ours hang there');
    hung = false;
    const connection = { host: 'h1', kind: 'ssh2', state: 'up', badges: [] } as const;
    transports.connect({ ...connection, since: clock.now() });
    await clock.advance(3_000);
    expect(collector.store.source('sys.a', 'h1')?.state).toBe('fresh');
    await collector.close();
  });

  it('a command killed by its remote time limit left nothing behind: it is asked again', async () => {
    const { clock, collector, transports } = rig(one, [plain], () =>
      answerOf('', { timedOut: true, exitCode: 124, durationMs: 8_000 }),
    );
    collector.start();
    await clock.advance(60_000);
    expect(transports.calls.length).toBeGreaterThanOrEqual(6);
    await collector.close();
  });

  it('asks what is worth asking only now soon after the answer that makes it so', async () => {
    const system = systemOf('sys', [
      probeOf('sys.nodes'),
      probeOf('sys.jobs', {
        everyMs: 20_000,
        when: (_host, { readings }) => readings.source<string>('sys.nodes', 'h1')?.good?.value === 'draining',
      }),
    ]);
    const { clock, collector } = rig(one, [system], (_name, request) =>
      answerOf(request.script === 'show sys.nodes' ? 'draining' : 'job 1'),
    );
    collector.start();
    await clock.advance(1_000);
    expect(collector.store.source('sys.jobs', 'h1')).toMatchObject({ state: 'fresh' });
    await collector.close();
  });

  it('never asks more hosts at once than the probe allows, also on demand', async () => {
    const site = siteOf(Array.from({ length: 30 }, (_, n) => host(`n${n}`)));
    const system = systemOf('sys', [probeOf('sys.check', { parallel: 8, everyMs: 0 })]);
    let most = 0;
    const made = rig(site, [system], () => answerOf('ok', { durationMs: 500 }));
    const { clock, collector, transports } = made;
    const reading = collector.readNow(site.hosts.map(({ name }) => ({ probe: 'sys.check', host: name })));
    for (let n = 0; n < 60; n += 1) {
      await clock.advance(50);
      most = Math.max(most, transports.open());
    }
    await reading;
    expect(most).toBe(8);
    expect(transports.calls).toHaveLength(30);
    await collector.close();
  });
});

describe('reading now', () => {
  it('waits for an answer to a question asked after the call, also when one is on its way', async () => {
    let n = 0;
    const { clock, collector } = rig(one, [plain], () => answerOf(String((n += 1)), { durationMs: 100 }));
    collector.start();
    await clock.advance(10);
    let done = false;
    const waiting = collector.readNow([{ probe: 'sys.a', host: 'h1' }]).then(() => {
      done = true;
    });
    await clock.advance(95);
    expect(collector.store.source('sys.a', 'h1')?.good?.value).toBe('1');
    expect(done).toBe(false);
    await clock.advance(120);
    await waiting;
    expect(collector.store.source('sys.a', 'h1')?.good?.value).toBe('2');
    await collector.close();
  });

  it('goes before back-off and ends the back-off of the connection', async () => {
    let up = false;
    const { clock, collector, transports } = rig(one, [plain], (name) =>
      up ? answerOf('x') : unreachable(name),
    );
    collector.start();
    await clock.advance(200_000);
    up = true;
    const waiting = collector.readNow([{ probe: 'sys.a', host: 'h1' }]);
    await clock.advance(20);
    await waiting;
    expect(collector.store.source('sys.a', 'h1')?.state).toBe('fresh');
    expect(transports.retries).toEqual(['h1']);
    await collector.close();
  });

  it('leaves a failure behind when it is given up, never an old reading that looks new', async () => {
    let hang = false;
    const { clock, collector } = rig(one, [plain], () => (hang ? 'hang' : answerOf('old')));
    collector.start();
    await clock.advance(100);
    hang = true;
    const stop = new AbortController();
    const waiting = collector.readNow([{ probe: 'sys.a', host: 'h1' }], stop.signal);
    await clock.advance(100);
    stop.abort();
    await waiting;
    await clock.advance(10);
    expect(collector.store.source('sys.a', 'h1')).toMatchObject({
      state: 'failed',
      failure: { kind: 'cancelled' },
    });
    await collector.close();
  });

  it('rejects for what is asked nowhere', async () => {
    const { collector } = rig(one, [plain], () => answerOf('x'));
    await expect(collector.readNow([{ probe: 'sys.a', host: 'nobody' }])).rejects.toThrow(
      'sys.a is not asked on nobody',
    );
  });

  it('nobody waits in vain when the collector closes', async () => {
    const { clock, collector } = rig(one, [plain], () => 'hang');
    const waiting = collector.readNow([{ probe: 'sys.a', host: 'h1' }]);
    await clock.advance(10);
    await collector.close();
    await waiting;
  });
});

describe('hosts that come and go', () => {
  it('marks the other probes of an unreachable host failed too, and recovers within a minute', async () => {
    let up = true;
    const system = systemOf('sys', [probeOf('sys.a'), probeOf('sys.b')]);
    const { clock, collector } = rig(one, [system, hosts], (name) =>
      up ? answerOf('x') : unreachable(name),
    );
    collector.start();
    await clock.advance(15_000);
    up = false;
    await clock.advance(300_000);
    for (const probe of ['sys.a', 'sys.b']) {
      expect(collector.store.source(probe, 'h1')).toMatchObject({
        state: 'failed',
        failure: { kind: 'connect', connect: 'unreachable' },
      });
    }
    collector.update();
    expect(collector.findings().map(({ id }) => id)).toEqual(['hosts:host-unreachable:h1']);
    up = true;
    await clock.advance(67_000);
    for (const probe of ['sys.a', 'sys.b']) expect(collector.store.source(probe, 'h1')?.state).toBe('fresh');
    collector.update();
    expect(collector.findings()).toEqual([]);
    await collector.close();
  });

  it.each([
    ['a suspend', 'suspend' as const],
    ['being stopped', 'freeze' as const],
  ])('after %s all connections are dropped and polls are spread', async (_name, how) => {
    const site = siteOf(Array.from({ length: 100 }, (_, n) => host(`n${n}`)));
    const { clock, collector, transports } = rig(site, [plain], () => answerOf('x', { durationMs: 50 }));
    collector.start();
    await clock.advance(20_000);
    const before = transports.calls.length;
    clock[how](300_000);
    await clock.advance(1_100);
    expect(transports.resets).toBe(1);
    expect(transports.calls.length - before).toBeLessThan(60);
    await clock.advance(10_000);
    expect(transports.calls.length - before).toBeGreaterThanOrEqual(100);
    await collector.close();
  });
});
