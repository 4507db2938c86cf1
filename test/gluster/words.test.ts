import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirePeersAnswer } from '../../probes/gluster/act/parts.ts';
import { bricksOf, findWithoutSelfHeal } from '../../probes/gluster/judge/bricks.ts';
import { requireNotLocked } from '../../probes/gluster/act/dump-parts.ts';
import {
  requireBricksStay,
  requireNothingMoves,
  requireQuorum,
} from '../../probes/gluster/act/guards-restart.ts';
import { parseHeal } from '../../probes/gluster/read/parse-heal.ts';
import { parsePool } from '../../probes/gluster/read/parse-peers.ts';
import { peersOf, volumesOf } from '../../probes/gluster/judge/pool.ts';
import { glusterProbes } from '../../probes/gluster/ask/probes.ts';
import type { HealReading, PeerReading, UnitReading, VolumesReading } from '../../probes/gluster/readings.ts';
import { anyWord } from '../helpers/words.ts';
import { ready } from './plans.ts';
import type { Pool } from './world.ts';

const change = <T>(pool: Pool, probe: string, host: string, edit: (value: T) => T): void => {
  const at = pool.readings.source(probe, host)?.good?.at;
  pool.readings.good(probe, host, edit(pool.readings.copyOf<T>(probe, host)), at);
  pool.now += 1;
};

const uuid = '878bc80a-506a-4a17-aa9d-f50396b6c7c6';

describe('for any state of a peer', () => {
  const peers = [
    'Peer in Cluster',
    'Peer Rejected',
    'Accepted peer request',
    'Sent and Received peer request',
    'Probe Sent to Peer',
    'Peer detach in progress',
  ];

  it('it takes part only as "Peer in Cluster", and is connected only as "Connected"', async () => {
    const pool = await ready('quiet');
    fc.assert(
      fc.property(fc.option(anyWord(peers), { nil: undefined }), fc.boolean(), (state, connected) => {
        change<PeerReading>(pool, 'gluster.peer', 'gl1', (value) => ({
          ...value,
          pool: (value.pool ?? []).map(({ state: _was, ...peer }) =>
            peer.uuid === value.uuid ? peer : { ...peer, connected, ...(state !== undefined && { state }) },
          ),
        }));
        const guard = requirePeersAnswer(pool.judgement());
        expect(guard.check(pool.judgement()).ok).toBe(connected && state === 'Peer in Cluster');
      }),
    );
    fc.assert(
      fc.property(anyWord(['Connected', 'Disconnected']), (word) => {
        const { peers: found } = parsePool({ stdout: `UUID\tHostname\tState\n${uuid}\tgl2\t${word}\n` });
        expect(found[0]?.connected ?? false).toBe(word === 'Connected');
      }),
    );
  });

  it('a glusterd that was not asked for its pool does not count as answering', async () => {
    const pool = await ready('quiet');
    const pulse = glusterProbes.find(({ id }) => id === 'gluster.peer')?.pulse;
    expect(pulse?.works(pool.readings.source('gluster.peer', 'gl2')?.good?.value)).toBe(true);
    change<PeerReading>(pool, 'gluster.peer', 'gl2', ({ pool: _was, ...value }) => value);
    expect(pulse?.works(pool.readings.source('gluster.peer', 'gl2')?.good?.value)).toBe(false);
    expect(peersOf(pool.judgement()).map(({ state }) => state)).not.toEqual(['up', 'up', 'up']);
    expect(requirePeersAnswer(pool.judgement()).check(pool.judgement()).ok).toBe(false);
  });
});

describe('for any state letter of a process', () => {
  it('a brick is up, and a self-heal daemon there, only with the letters of the table', async () => {
    const pool = await ready('quiet');
    const [volume] = volumesOf(pool.judgement())?.volumes ?? [];
    if (!volume) throw new Error('no volume');
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z?][<Nsl+]{0,2}$/), (stat) => {
        change<PeerReading>(pool, 'gluster.peer', 'gl1', (value) => ({
          ...value,
          processes: value.processes.map((one) => ({ ...one, state: stat })),
        }));
        const runs = /^[RSDIWP]/.test(stat);
        const here = bricksOf(volume, pool.judgement()).filter(({ host }) => host === 'gl1');
        expect(here.length).toBeGreaterThan(0);
        for (const { state } of here) expect(state === 'up').toBe(runs);
        expect(findWithoutSelfHeal(volume, pool.judgement()).includes('gl1')).toBe(!runs);
      }),
    );
  });
});

describe('before a restart of glusterd, for any word', () => {
  it('of KillMode: the bricks stay only with process and none, of a unit that is loaded', async () => {
    const pool = await ready('quiet');
    const guard = requireBricksStay('gl1', pool.judgement());
    const modes = ['process', 'none', 'control-group', 'mixed'];
    fc.assert(
      fc.property(anyWord(modes), fc.boolean(), (killMode, loaded) => {
        const unit: UnitReading = { killMode, loaded, text: '' };
        pool.readings.good('gluster.unit', 'gl1', unit);
        pool.now += 1;
        expect(guard.check(pool.judgement()).ok).toBe(loaded && ['process', 'none'].includes(killMode));
      }),
    );
  });

  it('of a volume: nothing waits to be healed only where that is known of every brick', async () => {
    const pool = await ready('quiet');
    const guard = requireNothingMoves(pool.judgement());
    expect(guard.check(pool.judgement()).ok).toBe(true);
    const types = ['Replicate', 'Distributed-Replicate', 'Disperse', 'Distribute', 'Stripe', 'Tier'];
    fc.assert(
      fc.property(
        anyWord(['Started', 'Stopped', 'Created']),
        fc.option(anyWord(types), { nil: undefined }),
        fc.option(fc.constantFrom(0, 3), { nil: undefined }),
        (status, type, pending) => {
          for (const { host, good } of pool.readings.sources<VolumesReading>('gluster.volumes'))
            if (good)
              change<VolumesReading>(pool, 'gluster.volumes', host, (value) => ({
                volumes: value.volumes.map(({ type: _was, ...volume }) => ({
                  ...volume,
                  status,
                  ...(type !== undefined && { type }),
                })),
              }));
          for (const { host, good } of pool.readings.sources<HealReading>('gluster.heal'))
            if (good)
              change<HealReading>(pool, 'gluster.heal', host, (value) => ({
                volumes: value.volumes.map((volume) => ({
                  ...volume,
                  bricks: volume.bricks.map(({ pending: _was, ...brick }, at) => ({
                    ...brick,
                    ...(at > 0 ? { pending: 0 } : pending !== undefined && { pending }),
                  })),
                })),
              }));
          const healsNothing =
            ['Stopped', 'Created'].includes(status) ||
            ['Distribute', 'Stripe', 'Distributed-Stripe'].includes(type ?? '');
          expect(guard.check(pool.judgement()).ok).toBe(healsNothing || pending === 0);
        },
      ),
    );
  });

  it('of server quorum: only none, and none said, is without; volumes that were not read are not', async () => {
    const pool = await ready('quiet');
    const guard = requireQuorum('gl1', pool.judgement());
    fc.assert(
      fc.property(anyWord(['none', 'server']), (word) => {
        for (const { host, good } of pool.readings.sources<VolumesReading>('gluster.volumes'))
          if (good)
            change<VolumesReading>(pool, 'gluster.volumes', host, (value) => ({
              volumes: value.volumes.map((volume) => ({
                ...volume,
                options: { ...volume.options, 'cluster.server-quorum-type': word },
              })),
            }));
        expect(guard.check(pool.judgement()).text.startsWith('no volume')).toBe(word === 'none');
      }),
    );
    for (const { host } of pool.readings.sources('gluster.volumes'))
      pool.readings.forget('gluster.volumes', host);
    pool.now += 1;
    expect(guard.check(pool.judgement()).ok).toBe(false);
    expect(requireNothingMoves(pool.judgement()).check(pool.judgement()).ok).toBe(false);
  });

  it("of a brick's heal status: what is not a number was not counted", () => {
    fc.assert(
      fc.property(
        anyWord(['Connected', 'Transport endpoint is not connected']),
        anyWord(['0', '-']),
        (status, entries) => {
          const { bricks } = parseHeal({
            stdout: `<healInfo><brick hostUuid="-"><name>gl1:/b</name><status>${status}</status><totalNumberOfEntries>${entries}</totalNumberOfEntries></brick></healInfo>`,
          });
          expect(bricks[0]?.connected).toBe(status === 'Connected');
          expect(bricks[0]?.pending).toBe(/^\d+$/.test(entries) ? Number(entries) : undefined);
        },
      ),
    );
  });
});

describe('whether a volume is locked', () => {
  it('is not known while a peer that takes part shows no dump; one that is cut off hinders nobody', async () => {
    const pool = await ready('quiet');
    const guard = requireNotLocked('home0', pool.judgement());
    expect(guard.check(pool.judgement())).toEqual({ ok: true, text: 'free' });
    pool.readings.good('gluster.lock', 'gl2', { skipped: 'denied', locks: [], peers: [] });
    pool.now += 1;
    expect(guard.check(pool.judgement())).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^whether home0 is locked is not known: gl2: no dump: denied/),
    });
    pool.readings.forget('gluster.lock', 'gl2');
    pool.readings.fail('gluster.peer', 'gl2', { kind: 'connect', message: 'gl2: no route to host' });
    pool.now += 1;
    expect(guard.check(pool.judgement()).ok).toBe(false);
    const lost = peersOf(pool.judgement()).find(({ host }) => host === 'gl2')?.reading?.uuid;
    for (const host of ['gl1', 'gl3'])
      change<PeerReading>(pool, 'gluster.peer', host, (value) => ({
        ...value,
        pool: (value.pool ?? []).map((peer) => (peer.uuid === lost ? { ...peer, connected: false } : peer)),
      }));
    expect(guard.check(pool.judgement())).toEqual({
      ok: true,
      text: 'free where it counts; gl2 is not connected to the others',
    });
  });
});
