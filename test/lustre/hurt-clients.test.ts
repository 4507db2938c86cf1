import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { hurtClients, hurtMounts } from '../../probes/lustre/judge/hurt-clients.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import { mdt, osts } from './printed-findings.ts';
import { PrintedSite } from './printed-site.ts';
import { World } from './world.ts';

const OST = 'scratch-OST0012';

describe('whom a fault of an OST hurts', () => {
  it('the clients that its server counts, without the MDTs and the OST itself', async () => {
    const world = new World('lock-depletion');
    await world.poll();
    const judgement = await world.poll(10_000);
    const locks = findings(judgement).find(({ kind }) => kind === 'locks');
    // 1,415 exports: 1,412 clients, two MDTs, the OST.
    expect(locks?.hurt).toEqual({ clients: 1412 });
  });

  it('is not known for an OST that nobody named, nor when one of several is not', async () => {
    const world = new World('lock-depletion');
    const judgement = await world.poll();
    expect(hurtClients(['scratch-OST0077'], judgement)).toEqual({ hurt: {} });
    expect(hurtClients([], judgement)).toEqual({ hurt: {} });
  });

  it('is not known where an MDT was not read: exports count it, too', async () => {
    const world = new World('lock-depletion');
    await world.pollOne('lustre.oss');
    expect(lustreOf(world.judgement()).systems[0]?.osts.some(({ own }) => own?.exports === 1415)).toBe(true);
    expect(hurtClients([OST], world.judgement())).toEqual({ hurt: {} });
  });

  it('is not known from a server that does not answer now', async () => {
    const world = new World('lock-depletion');
    expect(hurtClients([OST], await world.poll())).toEqual({ hurt: { clients: 1412 } });
    world.readings.fail('lustre.oss', 'oss3', { kind: 'timeout', message: 'no answer' }, world.now);
    expect(hurtClients([OST], world.judgement())).toEqual({ hurt: {} });
  });
});

describe('whom targets hurt that are away', () => {
  const mountsOf = (world: World) => lustreOf(world.judgement()).systems.map((fs) => hurtMounts(fs).hurt);
  const noAnswer = { kind: 'timeout', message: 'no answer' } as const;

  it('the clients that the other OSTs of the file system count', async () => {
    const world = new World('quiet');
    await world.poll();
    expect(mountsOf(world)).toEqual([{ clients: 1412 }]);
    world.readings.fail('lustre.oss', 'oss3', noAnswer, world.now);
    expect(mountsOf(world)).toEqual([{ clients: 1412 }]);
  });
  it('not known where no OST answers now, nor before any was read', async () => {
    const world = new World('quiet');
    expect(mountsOf(world)).toEqual([]);
    await world.poll();
    for (const { host } of world.readings.sources('lustre.oss'))
      world.readings.fail('lustre.oss', host, noAnswer, world.now);
    expect(mountsOf(world)).toEqual([{}]);
  });
  it('stands with OSTs and with an MDT out of reach', () => {
    const hurtOf = (kind: string, printed: ConstructorParameters<typeof PrintedSite>[0]): unknown =>
      findings(new PrintedSite(printed).judgement()).find((one) => one.kind === kind)?.hurt;
    const away = osts(8, (at) =>
      at > 5 ? { states: { 0: 'DISCONN' }, client: 'DISCONN', mounted: false } : { exports: 414 - at },
    );
    // The most that one OST counts, without the MDT and itself.
    expect(hurtOf('unreachable', { mdts: [mdt()], osts: away })).toEqual({ clients: 412 });
    const counted = osts(8, () => ({ exports: 414 }));
    expect(hurtOf('mdt-unreachable', { mdts: [mdt({ client: 'DISCONN' })], osts: counted })).toEqual({
      clients: 412,
    });
  });
});
