import { describe, expect, it } from 'vitest';
import { checks } from '../../probes/checks/index.ts';
import { checksOf } from '../../probes/checks/definitions.ts';
import { checkActions } from '../../probes/checks/act/actions.ts';
import { standings } from '../../probes/checks/judge/states.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import type { Fact, Facts } from '../../src/model/fact.ts';
import type { Told } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { resolveOutside } from '../../src/site/groups.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { factsOf, judgementOf, Sources } from '../helpers/judging.ts';
import { said } from './make.ts';

/** As loading does: Slurm tells later, ClusterShell knows one rack. */
const told = (name: string): Told =>
  name.startsWith('slurm:')
    ? { later: 'Slurm' }
    : name === 'rack:r7'
      ? ['node7']
      : { why: 'ClusterShell has none of that name', known: [] };

const load = async (...lines: readonly string[]) => {
  const text = [
    'site: test',
    'groups: {new: "@slurm:batch!node1", four: "node[1-4]"}',
    'hosts:',
    '  - {names: ctl1, roles: [slurm-controller]}',
    '  - {names: "node[1-8]", roles: [compute]}',
    ...lines,
  ].join('\n');
  const { site } = await resolveOutside(
    (outside) => parseSite(text, 'site.yaml', knowledge, outside),
    async (names) => new Map(names.map((name) => [name, told(name)])),
  );
  return viewOf(site);
};

const group = (name: string, ...members: string[]): Fact => ({
  name: 'group',
  subject: { kind: 'partition', id: name },
  value: { name: `slurm:${name}`, members },
});

/** What was read before it is judged. */
const readingsWith = (read: (readings: Sources) => void): Sources => {
  const readings = new Sources();
  read(readings);
  return readings;
};

const asking = [{ probe: 'slurm.nodes', host: 'ctl1' }];

describe('checks on groups that a system tells of', () => {
  const judged = async (on: string, facts: Facts, readings = new Sources()): Promise<Judgement> => ({
    ...judgementOf({
      readings,
      site: await load('checks:', `  x: {run: "true", on: ${on}, every: 1min}`),
    }),
    facts,
  });
  const hostsOf = (judgement: Judgement): readonly string[] => standings(judgement).map(({ host }) => host);

  it('are asked on hosts of the site that are in the group now, and nowhere before', async () => {
    const one = await judged(
      '"@slurm:batch"',
      factsOf([group('batch', 'node2', 'NODE3', 'stranger')], asking),
    );
    expect(hostsOf(one)).toEqual(['node2', 'node3']);
    const [probe] = checks.onSite?.(one.site).probes ?? [];
    const wants = (facts: Facts | undefined) =>
      one.site.hosts.filter((host) =>
        probe?.when?.(host, {
          site: one.site,
          readings: new Sources(),
          now: 0,
          ...(facts && { facts: () => facts }),
        }),
      );
    expect(wants(one.facts).map(({ name }) => name)).toEqual(['node2', 'node3']);
    expect(wants(factsOf([], asking))).toEqual([]);
    expect(wants(undefined)).toEqual([]);
    expect(checks.onSite?.(one.site).needs).toEqual(['group']);
    // Another partition: asked elsewhere from now on.
    expect(hostsOf({ ...one, facts: factsOf([group('batch', 'node5')], asking) })).toEqual(['node5']);
  });

  it('take operators, own groups and roles along', async () => {
    const facts = factsOf([group('batch', 'node1', 'node2', 'node6'), group('gpu', 'node6')], asking);
    expect(hostsOf(await judged('"@slurm:batch!@slurm:gpu"', facts))).toEqual(['node1', 'node2']);
    expect(hostsOf(await judged('"@new&@four"', facts))).toEqual(['node2']);
    expect(hostsOf(await judged('[slurm-controller, "@slurm:gpu"]', facts))).toEqual(['ctl1', 'node6']);
  });

  it('what is taken away and not known leaves nobody, rather than all', async () => {
    const read = readingsWith((all) => all.good('slurm.nodes', 'ctl1', {}));
    const one = await judged('"node[1-8]!@slurm:maint"', factsOf([group('batch', 'node1')], asking), read);
    expect(hostsOf(one)).toEqual([]);
    expect(checks.findings(one).map(({ summary }) => String(summary))).toEqual([
      'x is asked on no host: there is no group "@slurm:maint"; unknown there, or empty; known: new, four,…',
    ]);
  });

  it('say that they wait while Slurm was not read, as a row and no finding', async () => {
    const one = await judged('"@slurm:batch"', factsOf([], asking));
    expect(checks.findings(one)).toEqual([]);
    const pane = checks.view(one);
    expect(pane).toMatchObject({ sign: 'unknown', summary: '1 check: 1 asked nowhere' });
    expect(JSON.stringify(pane.blocks)).toContain(
      'not asked: \\"@slurm:batch\\" is known only once Slurm was read',
    );
  });

  it('are a finding once Slurm failed, or where nobody is asked for it', async () => {
    const failed = readingsWith((all) =>
      all.fail('slurm.nodes', 'ctl1', { kind: 'timeout', message: 'ctl1: no answer' }),
    );
    const kinds = async (facts: Facts, readings?: Sources) =>
      checks.findings(await judged('"@slurm:batch"', facts, readings)).map(({ id }) => id);
    expect(await kinds(factsOf([], asking), failed)).toEqual(['checks:check-unknown:x:nowhere']);
    expect(await kinds(factsOf([], []))).toEqual(['checks:check-unknown:x:nowhere']);
  });

  it('are no finding while one of two clusters was not read, and one that says so once it failed', async () => {
    const two = factsOf([group('gpu', 'node1')], [...asking, { probe: 'slurm.nodes', host: 'ctl2' }]);
    const read = readingsWith((all) => all.good('slurm.nodes', 'ctl1', {}));
    expect(checks.findings(await judged('"@slurm:batch"', two, read))).toEqual([]);
    read.fail('slurm.nodes', 'ctl2', { kind: 'timeout', message: 'ctl2: no answer' });
    const [found] = checks.findings(await judged('"@slurm:batch"', two, read));
    expect(JSON.stringify(found?.evidence)).toContain('slurm.nodes on ctl2, which was not read');
    expect(JSON.stringify(found?.evidence)).not.toContain('ctl1, which');
  });

  it('are a finding where Slurm answered in part, or without any partition', async () => {
    const both = [...asking, { probe: 'slurm.config', host: 'ctl1' }];
    const kinds = async (read: (readings: Sources) => void) =>
      checks
        .findings(await judged('"@slurm:batch"', factsOf([], both), readingsWith(read)))
        .map(({ id }) => id);
    const config = (all: Sources): void => all.good('slurm.config', 'ctl1', {});
    expect(await kinds(config)).toEqual([]);
    expect(
      await kinds((all) => {
        config(all);
        all.fail('slurm.nodes', 'ctl1', { kind: 'parse', message: 'ctl1: not understood' });
      }),
    ).toEqual(['checks:check-unknown:x:nowhere']);
    expect(
      await kinds((all) => {
        config(all);
        all.good('slurm.nodes', 'ctl1', {});
      }),
    ).toEqual(['checks:check-unknown:x:nowhere']);
  });

  it('hang on their hosts as others do', async () => {
    const readings = readingsWith((all) => all.good('checks.x', 'node2', said('critical')));
    const one = await judged('"@slurm:batch"', factsOf([group('batch', 'node2')], asking), readings);
    expect(checks.facts({ ...one, facts: factsOf([]) })).toMatchObject([
      { name: 'depends', value: { on: { id: 'node2' } } },
    ]);
    expect(checks.findings(one).map(({ id }) => id)).toEqual(['checks:check-critical:x:node2']);
  });
});

describe('actions of such checks', () => {
  const acting = async (guard: string, facts: Facts) => {
    const site = await load(
      'checks:',
      '  x:',
      '    run: "true"',
      '    on: "@slurm:batch"',
      '    actions: {mend: {run: "true", users: none, guards: [y], verify: x, undo: none}}',
      `  y: {run: "true", on: ${guard}}`,
    );
    const readings = readingsWith((all) => all.good('checks.x', 'node2', said('critical')));
    const judgement = { ...judgementOf({ readings, site }), facts };
    const [action] = checkActions.onSite?.(site) ?? [];
    return action?.plan([{ kind: 'check', id: 'x@node2' }], {}, { judgement } as never);
  };

  it('are had where the host is known to be in the group, and refused where it is not', async () => {
    expect(await acting('"@slurm:batch"', factsOf([group('batch', 'node2')], asking))).toMatchObject({
      targets: [{ subject: { id: 'x@node2' } }],
    });
    for (const facts of [factsOf([], asking), factsOf([group('batch', 'node3')], asking)])
      expect(JSON.stringify(await acting('"@slurm:batch"', facts))).toContain('x is not asked on node2');
  });

  it('want guards that are asked by the very same words', async () => {
    await expect(acting('compute', factsOf([]))).rejects.toThrow(
      'y is to have the same "on" as x, since one of them names a group that is known only later',
    );
  });
});

describe('groups of ClusterShell', () => {
  it('are known while the console runs as they were when the file was read', async () => {
    const site = await load('checks: {x: {run: "true", on: "@rack:r7"}}');
    expect([...(checksOf(site).get('x')?.places.hosts ?? [])]).toEqual(['node7']);
    expect(site.expand('@rack:r7,node1')).toEqual(['node7', 'node1']);
  });
});
