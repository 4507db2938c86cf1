import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import type { TableBlock } from '../../src/model/view.ts';
import type { CreatesReading } from '../../probes/lustre/readings.ts';
import type { Judgement } from '../../src/model/system.ts';
import { World } from './world.ts';

const said = (judgement: Judgement) =>
  findings(judgement).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

const groups = (judgement: Judgement) => {
  const block = lustre.view(judgement).blocks.find(({ id }) => id === 'groups') as TableBlock;
  // Pictures stand in columns of their own, without text.
  const isPicture = (id: string): boolean => id === 'fill' || id === 'course';
  return block.rows.map(({ cells, sign }) => [
    sign,
    ...Object.entries(cells).flatMap(([id, { text }]) => (isPicture(id) ? [] : [text])),
  ]);
};

const nextId = (judgement: Judgement, mdt: string, ost: string) =>
  Number(
    judgement.readings
      .sources<CreatesReading>('lustre.creates')
      .flatMap(({ good }) => good?.value.osps ?? [])
      .find((one) => one.mdt === mdt && one.ost === ost)?.nextId,
  );

describe('the simulated file system, asked through the probes', () => {
  it('is well on a quiet night', async () => {
    const judgement = await new World('quiet').poll();
    expect(findings(judgement)).toEqual([]);
    const pane = lustre.view(judgement);
    expect(pane).toMatchObject({
      sign: 'fine',
      wall: '36/36 OST',
      summary: 'scratch 2.15.8 · 36 OSTs · 2 MDTs',
    });
    expect(groups(judgement)).toEqual([
      ['fine', '00-23', '', '60-62 %', 'act', 'act', '-', '30-34 %', 'yes'],
    ]);
    for (const probe of lustre.probes)
      for (const source of judgement.readings.sources(probe.id))
        expect(source.state, source.failure?.message).toBe('fresh');
  });

  it('degraded-ignored: new files keep landing there, and the finding says why', async () => {
    const world = new World('degraded-ignored');
    const before = await world.poll();
    expect(said(before)[0]).toBe(
      'warning flag-ignored: scratch-OST001e is degraded but still receives files: Lustre 2.7 ignores the flag (QOS in use)',
    );
    expect(findings(before)[0]?.evidence[0]?.text).toMatch(
      /^MDT0000 will still allocate: degraded is ignored because Lustre 2\.7 and free space is unbalanced \(min 6\d % of max free, QOS in use: used below 83 %\)$/,
    );
    expect(groups(before)[0]).toEqual([
      'warning',
      '1e',
      'oss4',
      '37 %',
      'act',
      'act',
      'D',
      expect.any(String),
      'yes: QOS ignores D',
    ]);
    const was = nextId(before, 'scratch-MDT0000', 'scratch-OST001e');
    const after = await world.poll(60_000);
    expect(nextId(after, 'scratch-MDT0000', 'scratch-OST001e')).toBeGreaterThan(was);
  });

  it('max_create_count=0 does not stop 2.7, active=0 does; threshold 100 makes the flag count', async () => {
    const world = new World('degraded-ignored');
    const moved = async (): Promise<number> => {
      const before = nextId(await world.poll(1_000), 'scratch-MDT0001', 'scratch-OST001e');
      return nextId(await world.poll(60_000), 'scratch-MDT0001', 'scratch-OST001e') - before;
    };
    const set = (text: string) => world.run('mds2', `lctl set_param '${text}'`);
    await set('osp.scratch-OST001e-osc-MDT0001.max_create_count=0');
    expect(await moved()).toBeGreaterThan(0);
    await set('osp.scratch-OST001e-osc-MDT0001.active=0');
    expect(await moved()).toBe(0);
    await set('osp.scratch-OST001e-osc-MDT0001.active=1');
    expect(await moved()).toBeGreaterThan(0);
    await set('lod.*.qos_threshold_rr=100');
    expect(await moved()).toBe(0);
  });

  it('refuses values out of range as the kernel does, and what is not there', async () => {
    const world = new World('quiet');
    const refused = await world.run(
      'mds1',
      'lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=5',
    );
    expect(refused).toMatchObject({ exitCode: 34, stdout: '' });
    expect(refused.stderr).toContain('Numerical result out of range');
    expect(await world.run('mds1', 'lctl set_param osp.scratch-OST0077-osc-MDT0000.active=0')).toMatchObject({
      exitCode: 2,
    });
    await world.run('mds1', 'lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=0');
    await world.run('mds1', 'lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=20000');
    const [fs] = lustreOf(await world.poll()).systems;
    expect(fs?.osts[7]?.mdts[0]?.osp).toMatchObject({ maxCreateCount: 20_000, createCount: 32 });
  });

  it('lock-depletion names the OSS, its pools and what clients must do', async () => {
    const world = new World('lock-depletion');
    await world.poll();
    const judgement = await world.poll(10_000);
    expect(said(judgement)).toEqual([
      expect.stringMatching(
        /^critical locks: oss3 out of LDLM locks \(SLV collapsed, \+\d+ timeouts\): clients stall$/,
      ),
    ]);
    // No fine row of the pane holds them.
    expect(groups(judgement).map(([sign, set, oss]) => [sign, set, oss])).toEqual([
      ['warning', '12-1a', 'oss3'],
      ['fine', '00-11,1b-23', ''],
    ]);
  });

  it('oss-recovery runs with its time left, ends, and tells of those who did not come back', async () => {
    const world = new World('oss-recovery');
    expect(said(await world.poll())).toEqual([
      'warning recovery: oss2: 9 OSTs in recovery, 187 s left, 1,389 of 1,412 clients back, 23 missing',
    ]);
    expect(said(await world.poll(200_000))).toEqual([
      expect.stringMatching(
        /^warning evicted: oss2: 3 of 1,412 clients evicted at the end of recovery of 9 targets at /,
      ),
    ]);
  });

  it('ost-drain is announced by the flag; lists and migrations move files', async () => {
    const world = new World('ost-drain');
    expect(said(await world.poll())).toEqual([
      'notice flags: scratch-OST0007 kept from new objects: degraded',
    ]);
    const listed = await world.run('login1', 'lfs find --ost scratch-OST0007 -type f /scratch');
    expect(listed.stdout.trim().split('\n')).toHaveLength(60);
    const moved = await world.run(
      'login1',
      'lfs find --ost scratch-OST0007 -type f -print0 /scratch | lfs_migrate -0 -y',
    );
    expect(moved.stdout.match(/: done$/gm)).toHaveLength(60);
    expect((await world.run('login1', 'lfs find --ost scratch-OST0007 -type f /scratch')).stdout).toBe('');
    expect(lustreOf(await world.poll()).byOst.get('scratch-OST0007')?.used).toBeLessThan(0.01);
  });

  it('night: each incident under its own finding, summaries in their columns', async () => {
    const judgement = await new World('night').poll();
    const kinds = findings(judgement).map(({ kind }) => kind);
    for (const kind of ['flag-ignored', 'locks', 'recovery']) expect(kinds).toContain(kind);
    for (const { summary } of findings(judgement)) expect(summary.length).toBeLessThanOrEqual(100);
    expect(new Set(findings(judgement).map(({ id }) => id)).size).toBe(kinds.length);
  });

  it('details: an OST, a folded set, a server; nothing for what is none', async () => {
    const judgement = await new World('degraded-ignored').poll();
    const ids = (kind: 'ost' | 'host' | 'volume', id: string) =>
      lustre.detail({ kind, id }, judgement).map((block) => block.id);
    expect(ids('ost', 'scratch-OST001e')).toEqual(['ost', 'verdict', 'imports', 'clients']);
    expect(ids('ost', 'scratch-OST[0000-001d,001f-0023]')).toEqual(['set', 'osts']);
    expect(ids('host', 'oss4')).toEqual(['servers', 'osts']);
    expect(ids('volume', 'scratch')).toEqual(['servers']);
    expect(ids('ost', 'other-OST0001')).toEqual([]);
    expect(ids('host', 'node1')).toEqual([]);
  });
});
