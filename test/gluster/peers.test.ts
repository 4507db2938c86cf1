import { describe, expect, it } from 'vitest';
import { causes } from '../../probes/gluster/causes.ts';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type { PeerReading, VolumesReading } from '../../probes/gluster/readings.ts';
import { explain } from '../../src/collect/explain.ts';
import type { Finding } from '../../src/model/finding.ts';
import { answerOf } from '../helpers/answer.ts';
import { start } from '../helpers/judging.ts';
import { Pool } from './world.ts';

const quiet = async (): Promise<Pool> => {
  const pool = new Pool('quiet');
  await pool.poll();
  return pool;
};

const change = <T>(pool: Pool, probe: string, host: string, edit: (value: T) => T): void => {
  pool.readings.good(probe, host, edit(pool.readings.copyOf<T>(probe, host)));
};

/** What `peer status` of one peer says of another. */
const see = (pool: Pool, from: string, to: string, more: { state?: string; connected?: boolean }): void => {
  const uuid = pool.readings.source<PeerReading>('gluster.peer', to)?.good?.value.uuid;
  change<PeerReading>(pool, 'gluster.peer', from, (value) => ({
    ...value,
    pool: value.pool?.map((one) => (one.uuid === uuid ? { ...one, ...more } : one)),
  }));
};

const said = (pool: Pool): string[] =>
  findings(pool.judgement()).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

const rejected = { state: 'Peer Rejected' };

describe('peers that reject each other', () => {
  it('one finding, about the one that all others reject', async () => {
    const pool = await quiet();
    for (const other of ['gl1', 'gl2']) {
      see(pool, other, 'gl3', rejected);
      see(pool, 'gl3', other, rejected);
    }
    expect(said(pool)).toEqual([
      'warning peer-rejected: gl3 rejected by gl1, gl2: its copy of the volumes differs from theirs',
    ]);
  });

  it('the odd one is silent: the words of the others are enough', async () => {
    const pool = await quiet();
    see(pool, 'gl1', 'gl2', rejected);
    see(pool, 'gl3', 'gl2', rejected);
    expect(said(pool)[0]).toMatch(/^warning peer-rejected: gl2 rejected by gl1, gl3/);
  });

  it('a single pair: which is right is not said', async () => {
    const pool = await quiet();
    see(pool, 'gl1', 'gl2', rejected);
    see(pool, 'gl2', 'gl1', rejected);
    expect(said(pool)).toEqual([
      'warning peer-rejected: gl1 and gl2 reject each other: their copies of the volumes differ',
    ]);
  });

  it('a peer that is joining is told as that; one in the cluster and one whose state was not read are not told', async () => {
    const pool = await quiet();
    see(pool, 'gl1', 'gl3', { state: 'Accepted peer request' });
    expect(said(pool)).toEqual(['warning peer-rejected: gl3: "Accepted peer request" for gl1']);
    see(pool, 'gl1', 'gl3', { state: 'Peer in Cluster' });
    expect(said(pool)).toEqual([]);
  });
});

describe('server quorum', () => {
  const withQuorum = async (options: Record<string, string>): Promise<Pool> => {
    const pool = await quiet();
    change<VolumesReading>(pool, 'gluster.volumes', 'gl1', ({ volumes }) => ({
      volumes: volumes.map((one) => (one.name === 'home0' ? { ...one, options } : one)),
    }));
    return pool;
  };
  const down = (pool: Pool, ...hosts: string[]): void => {
    for (const host of hosts) {
      change<PeerReading>(pool, 'gluster.peer', host, ({ pool: _pool, ...value }) => ({
        ...value,
        daemon: { state: 'down' },
      }));
      for (const other of ['gl1', 'gl2', 'gl3'])
        if (other !== host) see(pool, other, host, { connected: false });
    }
  };
  const endBricks = (pool: Pool): void =>
    change<PeerReading>(pool, 'gluster.peer', 'gl1', (value) => ({
      ...value,
      processes: value.processes.filter(({ path }) => path !== '/data/brick1/home0'),
    }));

  it('two of three glusterd down: quorum is named, with who is away; the bricks that ended are its work', async () => {
    const pool = await withQuorum({ 'cluster.server-quorum-type': 'server' });
    down(pool, 'gl2', 'gl3');
    endBricks(pool);
    const found = findings(pool.judgement());
    const quorum = found.find(({ kind }) => kind === 'server-quorum');
    expect(quorum).toMatchObject({
      severity: 'critical',
      summary: 'home0: server quorum lost: glusterd of gl2, gl3 away, 1 of 3 left; bricks stop',
    });
    const brick = found.find(({ kind }) => kind === 'brick-down');
    expect(brick?.remedies).toEqual([]);
    const explained = explain(found as unknown as Finding[], [{ system: 'gluster', causes }]);
    expect(explained.get(brick?.id ?? '')?.cause).toBe(quorum?.id);
  });

  it.each([
    ['the others do not run: it need not wait for them', ['gl2', 'gl3'], /^critical server-quorum: home0/],
    ['one of them runs: it may be seen in a moment', ['gl2'], undefined],
  ] as const)('a glusterd of 20 s, and %s', async (_what, gone, expected) => {
    const pool = await withQuorum({ 'cluster.server-quorum-type': 'server' });
    down(pool, ...gone);
    see(pool, 'gl1', 'gl3', { connected: false });
    change<PeerReading>(pool, 'gluster.peer', 'gl1', (value) => ({
      ...value,
      daemon: { ...value.daemon, ageS: 20 },
    }));
    const quorum = said(pool).filter((line) => line.includes('server-quorum: home0'));
    expect(quorum).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
  });

  it('one of three down, or no quorum asked for: silent of quorum', async () => {
    const one = await withQuorum({ 'cluster.server-quorum-type': 'server' });
    down(one, 'gl3');
    expect(said(one).filter((line) => /quorum/.test(line))).toEqual([]);
    const none = await withQuorum({});
    down(none, 'gl2', 'gl3');
    expect(said(none).filter((line) => /quorum/.test(line))).toEqual([]);
  });

  const home0 = '/data/brick1/home0';
  /** gl3 sees nobody, and nobody sees gl3. */
  const cutOff = async (ageS: number): Promise<Pool> => {
    const pool = await withQuorum({ 'cluster.server-quorum-type': 'server' });
    for (const other of ['gl1', 'gl2']) {
      see(pool, other, 'gl3', { connected: false });
      see(pool, 'gl3', other, { connected: false });
    }
    change<PeerReading>(pool, 'gluster.peer', 'gl3', (value) => ({
      ...value,
      daemon: { ...value.daemon, ageS },
    }));
    return pool;
  };
  const endBrick = (pool: Pool, host: string): void =>
    change<PeerReading>(pool, 'gluster.peer', host, (value) => ({
      ...value,
      processes: value.processes.filter(({ path }) => path !== home0),
    }));
  const judged = (pool: Pool) => {
    const found = findings(pool.judgement());
    const explained = explain(found as unknown as Finding[], [{ system: 'gluster', causes }]);
    const brick = found.find(({ kind }) => kind === 'brick-down');
    const quorum = found.find(({ kind }) => kind === 'server-quorum');
    return { brick, quorum, why: explained.get(brick?.id ?? '')?.cause };
  };

  it('Gluster of one host is stopped: its bricks are the work of its glusterd, those of another host are not', async () => {
    const explainedBy = (pool: Pool): (string | undefined)[] => {
      const found = findings(pool.judgement());
      const explained = explain(found as unknown as Finding[], [{ system: 'gluster', causes }]);
      const brick = found.find(({ kind }) => kind === 'brick-down');
      expect(brick).toBeDefined();
      return [explained.get(brick?.id ?? '')?.cause];
    };
    const all = await withQuorum({});
    down(all, 'gl3');
    endBrick(all, 'gl3');
    expect(explainedBy(all)).toEqual([expect.stringMatching(/^gluster:glusterd-down:.*gl3/)]);
    // A brick of another host died; it runs, and a brick of it died.
    const other = await withQuorum({});
    down(other, 'gl3');
    endBrick(other, 'gl2');
    expect(explainedBy(other)).toEqual([undefined]);
    const alone = await withQuorum({});
    endBrick(alone, 'gl3');
    expect(explainedBy(alone)).toEqual([undefined]);
  });

  it('one peer that is cut off: a warning of it, that explains its own bricks', async () => {
    const pool = await cutOff(4000);
    endBrick(pool, 'gl3');
    const { brick, quorum, why } = judged(pool);
    expect(quorum).toMatchObject({
      severity: 'warning',
      subject: { kind: 'host', id: 'gl3' },
      summary: 'gl3: its glusterd sees 1 of 3 (not gl1, gl2) and ends its own bricks: no server quorum there',
    });
    expect(quorum?.suspects).toBeUndefined();
    expect(why).toBe(quorum?.id);
    expect(brick?.remedies).toEqual([]);
  });

  it('a brick that is down where the others have quorum is no work of the one that is cut off, and is started', async () => {
    const pool = await cutOff(4000);
    endBrick(pool, 'gl1');
    const { brick, why } = judged(pool);
    expect(why).toBeUndefined();
    expect(brick?.remedies).toMatchObject([
      { action: 'gluster.start-brick', subjects: [{ id: `gl1:${home0}` }] },
    ]);
  });

  it('a glusterd that was started 40 s ago, or that the others see again: silent of quorum', async () => {
    const young = await cutOff(40);
    expect(said(young).filter((line) => /quorum/.test(line))).toEqual([]);
    endBrick(young, 'gl3');
    expect(judged(young).brick?.remedies).toEqual([]);
    const again = await cutOff(4000);
    see(again, 'gl3', 'gl1', { connected: true });
    expect(said(again).filter((line) => /quorum/.test(line))).toEqual([]);
  });

  it('the ratio of the site counts', async () => {
    const pool = await withQuorum({
      'cluster.server-quorum-type': 'server',
      'cluster.server-quorum-ratio': '80%',
    });
    down(pool, 'gl3');
    expect(said(pool)).toContain(
      'critical server-quorum: home0: server quorum lost: glusterd of gl3 away, 2 of 3 left; bricks stop',
    );
  });
});

describe('clocks', () => {
  /** The clock as the script prints it, in an answer that took so long. */
  const clockAt = async (offS: number, durationMs: number): Promise<string[]> => {
    const pool = await quiet();
    pool.take(
      'gluster.peer',
      'gl2',
      answerOf(
        `@@faultline clock ${Math.floor(start / 1000) + offS}\n@@faultline glusterd 18 S 4888 260\n@@faultline end\n`,
        { durationMs },
      ),
    );
    return said(pool).filter((line) => /clock/.test(line));
  };

  it('an answer that took 12 s is no clock that is 10 s ahead', async () => {
    expect(await clockAt(10, 12_000)).toEqual([]);
    expect(await clockAt(-3, 12_000)).toEqual([]);
  });

  it('what the delay can not explain is told', async () => {
    expect(await clockAt(30, 12_000)).toEqual([
      'notice clock: the clock of gl2 is 18 s ahead: times of its log are corrected',
    ]);
    expect(await clockAt(-30, 200)).toEqual([
      'notice clock: the clock of gl2 is 29 s behind: times of its log are corrected',
    ]);
  });
});
