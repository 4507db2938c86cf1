import { globSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Fleet, RawAnswer, Transport, Transports } from '../../src/model/answer.ts';
import type { Reader } from '../../src/model/ports.ts';
import { siteOf } from '../helpers/judging.ts';
import { rig } from './helpers/fake-collector.ts';
import { answerOf, host, probeOf, systemOf, unreachable } from './helpers/fake-site.ts';

const names = ['n1', 'n2', 'n3', 'n4'];
const site = siteOf(names.map((name) => host(name)));

/** A fleet that answers as `say` says, and who was asked through it when. */
const fleetOf = (say: (host: string) => RawAnswer | 'hang', now: () => number) => {
  const asked: { host: string; at: number; script: string }[] = [];
  const fleet: Fleet = {
    has: () => true,
    read: async (name, { script }, _readAlone, signal) => {
      asked.push({ host: name, at: now(), script });
      const answer = say(name);
      if (answer !== 'hang') return answer;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      return answerOf('', { cancelled: true });
    },
  };
  return { fleet, asked };
};

const start = (
  say: (host: string) => RawAnswer | 'hang' = () => answerOf('x'),
  probes = [probeOf('sys.a')],
) => {
  let mono = () => 0;
  const { fleet, asked } = fleetOf(say, () => mono());
  const found = rig(site, [systemOf('sys', probes)], () => answerOf('direct'), { fleet });
  mono = () => found.clock.mono();
  return { ...found, asked };
};

const reads = names.map((name) => ({ probe: 'sys.a', host: name }));

describe('hosts that are asked together', () => {
  it('are due at the same moments, also a host that was away and one that was asked by hand', async () => {
    let away = true;
    const { clock, collector, asked } = start((name) =>
      name === 'n3' && away ? unreachable('n3') : answerOf('x'),
    );
    collector.start();
    await clock.advance(25_000);
    collector.refresh({ host: 'n2' });
    away = false;
    await clock.advance(120_000);
    asked.length = 0;
    await clock.advance(100_000);
    const moments = [...Map.groupBy(asked, ({ at }) => at).values()].map((some) =>
      some.map(({ host: name }) => name).toSorted(),
    );
    expect(moments.length).toBeGreaterThanOrEqual(9);
    for (const moment of moments) expect(moment).toEqual(names);
    await collector.close();
  });

  it('what a guard reads, and what a person asks of one host, goes to the host itself', async () => {
    const { clock, collector, transports, asked } = start();
    const reading = collector.readNow(reads);
    await clock.advance(1000);
    await reading;
    expect(transports.calls.map((call) => call.host)).toEqual(names);
    collector.refresh({ host: 'n2' });
    await clock.advance(1000);
    expect(transports.calls.at(-1)?.host).toBe('n2');
    expect(asked).toEqual([]);
    expect(collector.store.source('sys.a', 'n2')).toMatchObject({ good: { value: 'direct' } });
    await collector.close();
  });

  it('what a pane or a status wants of all goes through it', async () => {
    const { clock, collector, transports, asked } = start();
    const reading = collector.readNow(reads, undefined, 'together');
    await clock.advance(1000);
    await reading;
    collector.refresh({ system: 'sys' });
    await clock.advance(1000);
    expect(asked).toHaveLength(8);
    expect(transports.calls).toEqual([]);
    await collector.close();
  });

  it('a guard does not wait for the end of a run', async () => {
    const { clock, collector, transports } = start(() => 'hang');
    collector.start();
    await clock.advance(2000);
    const reading = collector.readNow([{ probe: 'sys.a', host: 'n2' }]);
    await clock.advance(1000);
    await reading;
    expect(transports.calls.map((call) => call.host)).toEqual(['n2']);
    expect(collector.store.source('sys.a', 'n2')).toMatchObject({
      state: 'fresh',
      good: { value: 'direct' },
    });
    await collector.close();
  });

  it('what touches files, signals or traffic never goes through it, nor does what asks a device', async () => {
    const { clock, collector, transports, asked } = start(undefined, [
      probeOf('sys.a', { touches: 'files' }),
    ]);
    collector.start();
    await clock.advance(30_000);
    expect(asked).toEqual([]);
    expect(transports.calls.length).toBeGreaterThan(4);
    await collector.close();
  });

  it('are asked less often where that keeps the admin host busy for more than a fifth of the time, and together all the same', async () => {
    const { clock, collector, asked } = start(() => answerOf('x', { relayMs: 5000 }));
    collector.start();
    await clock.advance(120_000);
    expect(collector.store.source('sys.a', 'n1')?.slowedToMs).toBe(25_000);
    asked.length = 0;
    await clock.advance(90_000);
    const moments = [...Map.groupBy(asked, ({ at }) => at).entries()];
    expect(moments).toHaveLength(3);
    for (const [, some] of moments) expect(some).toHaveLength(4);
    await collector.close();
  });

  it('why nothing came through is the failure of each source, which is never taken for empty', async () => {
    const what = 'ClusterShell not found on admin1';
    const { clock, collector } = start(() => ({
      ...answerOf(''),
      lost: true,
      notRelayed: { what, next: 'install it' },
    }));
    collector.start();
    await clock.advance(1000);
    for (const name of names)
      expect(collector.store.source('sys.a', name)).toMatchObject({
        state: 'failed',
        failure: { kind: 'lost', message: `${name}: ${what}; install it` },
      });
    await collector.close();
  });
});

describe('who acts', () => {
  it('has no way to it, by type', () => {
    expectTypeOf<Fleet>().not.toExtend<Transport>();
    expectTypeOf<Transports>().not.toHaveProperty('fleet');
    expectTypeOf<Parameters<Reader['readNow']>['length']>().toEqualTypeOf<1 | 2>();
  });

  it('nor by name', () => {
    const files = [...globSync('src/remedy/**/*.ts'), 'src/assemble/remedy.ts', 'src/assemble/audit.ts'];
    expect(files.length).toBeGreaterThan(30);
    for (const file of files)
      expect(readFileSync(file, 'utf8'), file).not.toMatch(/\bFleet\b|clush|'together'/);
  });
});
