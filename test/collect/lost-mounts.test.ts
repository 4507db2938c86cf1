import { describe, expect, it } from 'vitest';
import { lustre } from '../../probes/lustre/index.ts';
import { findings as lustreFindings } from '../../probes/lustre/judge/findings.ts';
import type { ClientReading as LustreClient } from '../../probes/lustre/readings.ts';
import { nfs } from '../../probes/nfs/index.ts';
import type { ClientMount, ClientReading } from '../../probes/nfs/readings.ts';
import { findings as slurmFindings } from '../../probes/slurm/judge/findings.ts';
import { pathsIn } from '../../probes/slurm/judge/group-cause.ts';
import { explain } from '../../src/collect/explain.ts';
import type { Finding, FindingDraft } from '../../src/model/finding.ts';
import type { Fact } from '../../src/model/fact.ts';
import { factsOf, judgementOf, siteOf, Sources } from '../helpers/judging.ts';
import { call, clientOf, mountOf, Nfs, outstanding, waiter } from '../nfs/make.ts';
import { cluster, sick } from '../slurm/make.ts';

/** Three nodes, drained for these reasons in turn. */
const drainedFor = (...reasons: readonly string[]): FindingDraft[] =>
  slurmFindings(
    cluster(
      ['n1', 'n2', 'n3'].map((name, at) => sick(name, { reason: reasons[at % reasons.length] ?? '' })),
    ).judgement(),
  ).filter(({ kind }) => kind === 'drained-group');

interface Target {
  kind: 'MDT' | 'OST';
  index: number;
  mount: string;
}

/** Clients of the file system `work`, whose MDT0000 or OST0001 is out of their reach. */
const lustreSite = (lost: 'MDT0000' | 'OST0001', targets: readonly Target[]) => {
  const readings = new Sources();
  for (const host of ['login1', 'login2'])
    readings.good('lustre.client', host, {
      version: '2.15.8',
      mgcs: [],
      denied: [],
      failed: [],
      mdts: [{ name: 'work-MDT0000', state: lost === 'MDT0000' ? 'DISCONN' : 'FULL', active: true }],
      osts: ['work-OST0000', 'work-OST0001'].map((name) => ({
        name,
        listed: true,
        active: true,
        state: name.endsWith(lost) ? 'DISCONN' : 'FULL',
      })),
    } satisfies LustreClient);
  readings.good('lustre.df', 'login1', {
    targets: targets.map(({ kind, index, mount }) => ({
      name: `work-${kind}000${index}`,
      kind,
      index,
      mount,
      state: 'ok',
    })),
  });
  const site = siteOf(['login1', 'login2'].map((name) => ({ name, roles: ['lustre-client'] })));
  return { readings, judgement: judgementOf({ readings, site }) };
};

/** What explains the drained nodes. */
const causeOf = (
  effects: readonly FindingDraft[],
  causes: readonly FindingDraft[],
  facts: readonly Fact[],
) => {
  const all = [...causes, ...effects] as unknown as Finding[];
  const found = explain(all, [], { facts: factsOf(facts) });
  return effects.map(({ id }) => found.get(id));
};

const onWork = (path = '/work'): Target[] =>
  (['MDT', 'OST'] as const).map((kind) => ({ kind, index: 0, mount: path }));

describe('nodes drained for a mount that the reason names by its path alone', () => {
  const withLustre = (lost: 'MDT0000' | 'OST0001', reason: string, targets = onWork()) => {
    const { judgement } = lustreSite(lost, targets);
    return causeOf(drainedFor(reason), lustreFindings(judgement), lustre.facts(judgement));
  };

  it('are explained by the lost root of what is mounted there', () => {
    expect(withLustre('MDT0000', 'NHC: check_fs_mount: /work not mounted')).toEqual([
      { cause: 'lustre:mdt-unreachable:work-MDT0000', why: '/work hangs on mdt work-MDT0000' },
    ]);
    // The path of a program beside it is another one.
    expect(withLustre('MDT0000', 'NHC: /usr/sbin/check: mount /work stale')).toMatchObject([
      { cause: 'lustre:mdt-unreachable:work-MDT0000' },
    ]);
  });

  it.each([
    ['another path', 'MDT0000', 'NHC: check_fs_mount: /home not mounted', onWork()],
    ['a path below it', 'MDT0000', 'NHC: check_fs_mount: /work/scratch not mounted', onWork()],
    ['a reason that names no path', 'MDT0000', 'NHC: HDFS mount lost', onWork()],
    ['an OST, without which the mount stays', 'OST0001', 'NHC: check_fs_mount: /work not mounted', onWork()],
    ['a file system that is mounted elsewhere', 'MDT0000', 'NHC: /work not mounted', onWork('/lustre/work')],
  ] as const)('silent: %s', (_, lost, reason, targets) => {
    expect(withLustre(lost, reason, targets)).toEqual([undefined]);
  });

  it('silent where reasons that differ in a figure alone name other paths, too', () => {
    const { judgement } = lustreSite('MDT0000', onWork('/work1'));
    const causeOfBoth = (...reasons: readonly string[]) => {
      const effects = drainedFor(...reasons);
      expect(effects).toHaveLength(1);
      return causeOf(effects, lustreFindings(judgement), lustre.facts(judgement));
    };
    expect(causeOfBoth('NHC: /work1 not mounted', 'NHC: /work2 not mounted')).toEqual([undefined]);
    expect(causeOfBoth('NHC: 1 of /work1 not mounted', 'NHC: 2 of /work1 not mounted')).toMatchObject([
      { cause: 'lustre:mdt-unreachable:work-MDT0000' },
    ]);
  });

  it('silent where two file systems were seen under one path', () => {
    const { judgement, readings } = lustreSite('MDT0000', onWork());
    readings.good('lustre.df', 'login2', {
      targets: [{ name: 'home-MDT0000', kind: 'MDT', index: 0, mount: '/work', state: 'ok' }],
    });
    const effects = drainedFor('NHC: check_fs_mount: /work not mounted');
    expect(causeOf(effects, lustreFindings(judgement), lustre.facts(judgement))).toEqual([undefined]);
  });
});

describe('the same of NFS', () => {
  const stuck = (more: Partial<ClientMount>, replies: number) =>
    [30, 37].map((sends) =>
      clientOf({
        mounts: [mountOf({ ...outstanding(sends, replies), ...more })],
        waiting: { all: 2, nfs: [waiter(7)] },
      }),
    ) as [ClientReading, ClientReading];
  const hung = () =>
    new Nfs(['n1', 'n2'])
      .client('n1', ...stuck({}, 28))
      .client('n2', ...stuck({}, 28))
      .calls('n1', [call('nfs', 'timedOut'), call('rpcbind', 'timedOut')]);
  const causesOn = (made: Nfs, reason: string) =>
    causeOf(drainedFor(reason), made.findings(), nfs.facts(made.judgement()));

  it('are explained by the server that hangs, which the reason does not name', () => {
    expect(causesOn(hung(), 'NHC: check_fs_mount: /home not mounted')).toMatchObject([
      { cause: 'nfs:mount-hung:nfs1' },
    ]);
  });

  it('silent on the path of another mount, and where another client has the path from elsewhere', () => {
    expect(causesOn(hung(), 'NHC: check_fs_mount: /work not mounted')).toEqual([undefined]);
    const other = { source: 'nfs2:/export/home', server: 'nfs2', addr: '10.0.0.2' };
    const made = hung().client('n2', ...stuck(other, 28));
    expect(causesOn(made, 'NHC: check_fs_mount: /home not mounted')).toEqual([undefined]);
  });
});

describe('servers that reasons name', () => {
  const suspectsFor = (...reasons: readonly string[]): unknown => {
    const { readings, nodes } = cluster(
      reasons.map((reason, at) => sick(`n${at + 1}`, { reason, reasonUser: 'alice' })),
      { total: 8 },
    );
    const site = siteOf(['ctl1', 'nfs1', 'nfs2', ...nodes.map(({ name }) => name)].map((name) => ({ name })));
    const found = slurmFindings(judgementOf({ site, readings })).filter(
      ({ kind }) => kind === 'drained-group',
    );
    expect(found).toHaveLength(1);
    return found[0]?.suspects?.map(({ subject, cause }) => `${cause} ${subject.id}`);
  };

  it('are suspects, each of them', () => {
    expect(suspectsFor('NFS nfs1:/home stale', 'NFS nfs1:/home stale')).toEqual(['mount-lost nfs1']);
    expect(suspectsFor('NFS nfs1:/home stale', 'NFS nfs2:/home stale')).toEqual([
      'mount-lost nfs1',
      'mount-lost nfs2',
    ]);
  });

  it.each([
    ['no mount is lost', ['reinstalled from nfs1:/images']],
    ['one of the servers is not known here', ['NFS nfs1:/home stale', 'NFS nfs9:/home stale']],
  ])('are none where %s', (_where, reasons) => {
    expect(suspectsFor(...reasons)).toBeUndefined();
  });
});

describe('paths in a reason', () => {
  it.each([
    ['NHC: check_fs_mount:  /work not mounted', ['/work']],
    ['/home: stale NFS file handle.', ['/home']],
    ['mounts /work, /data/b and "/scratch" are gone', ['/work', '/data/b', '/scratch']],
    ['nfs1:/home not mounted', []],
    ['either/or, 1/2 of them', []],
    ['', []],
  ])('%j', (text, found) => {
    expect(pathsIn(text)).toEqual(found);
  });
});
