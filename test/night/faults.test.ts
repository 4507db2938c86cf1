import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostPage } from '../../src/collect/host-page.ts';
import { namesOf } from '../../src/collect/topology.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import type { RankedFinding } from '../../src/model/finding.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { FakeClock } from '../collect/helpers/fake-clock.ts';
import { sequence } from '../collect/helpers/fake-collector.ts';
import { causesOf, createCauses } from './causes.ts';
import { askWith, demoSite } from './whole-site.ts';

/** A fault that an incident injects, by the finding that names it: kinds, and one of the names that it is about. */
interface Fault {
  kinds: readonly string[];
  on: string;
}

const fault = (on: string, ...kinds: string[]): Fault => ({ kinds, on });

/** What each incident breaks, fault by fault. What merely follows from a fault is none. */
const injected: Readonly<Record<string, readonly Fault[]>> = {
  'hdfs-lost': [fault('node12', 'slurm:drained-group'), fault('node140', 'slurm:drained-group')],
  breaker: [fault('node78', 'slurm:lost-together')],
  'controller-slow': [fault('node33', 'slurm:not-responding')],
  sfp: [fault('core3', 'switch:bad-link')],
  'degraded-ignored': [fault('scratch-OST001e', 'lustre:flag-ignored')],
  'ost-drain': [fault('scratch-OST0007', 'lustre:flags', 'lustre:flag-ignored')],
  'lock-depletion': [fault('oss3', 'lustre:locks')],
  'oss-recovery': [fault('oss2', 'lustre:recovery')],
  'quota-stuck': [fault('oss3', 'lustre:quota')],
  bimodal: [fault('wn-d-04', 'iperf:interrupts')],
  'kernel-cap': [fault('wn-d-13', 'iperf:capped')],
  'stuck-lock': [fault('home0', 'gluster:lock-orphaned')],
  'brick-down': [fault('data1', 'gluster:brick-down')],
  'split-brain': [fault('home0', 'gluster:split-brain')],
  'nfs-hung': [fault('nfs2', 'nfs:mount-hung')],
  'ls-slow': [fault('login1', 'nfs:listing-slow')],
  'rpcbind-dead': [fault('nfs1', 'nfs:rpcbind-dead')],
  'statd-dead': [fault('node12', 'nfs:statd-dead')],
  'export-withdrawn': [fault('nfs1', 'nfs:export-withdrawn')],
  'cache-off': [fault('array1', 'storage:battery-end')],
  'disks-failing': [
    fault('array2', 'storage:disks-to-replace'),
    // A volume that rebuilds, whose bad disk is gone already.
    fault('md33', 'storage:redundancy-reduced', 'storage:rebuild'),
    fault('md33', 'storage:rebuild'),
    // A controller of another host: one of its disks, and a volume that is set to write through.
    fault('array1', 'storage:disk-failing'),
    fault('array1', 'storage:cache-off'),
  ],
};

/** What `night` has besides: single nodes drained by hand or by Slurm, and planned work. */
const besides = ['node60', 'node181', 'node160', 'node50'].map((name) => fault(name, 'slurm:drained-group'));

const isOf = (finding: RankedFinding, { kinds, on }: Fault): boolean =>
  kinds.includes(`${finding.system}:${finding.kind}`) &&
  (namesOf(finding).has(on) || finding.id.split(':').includes(on));

const isTop = ({ explainedBy }: RankedFinding): boolean => explainedBy === undefined;

const lines = (findings: readonly RankedFinding[]): string =>
  findings.map(({ id, explainedBy = '' }) => `${id} < ${explainedBy}`).join('\n');

/** None of the faults is folded away or missing, and no more lines than faults stand on top. */
const check = (findings: readonly RankedFinding[], faults: readonly Fault[], what: string): void => {
  const top = findings.filter(isTop);
  for (const one of faults)
    expect(
      top.some((finding) => isOf(finding, one)),
      `${one.on} of ${what}\n${lines(findings)}`,
    ).toBe(true);
  expect(top.length, `${what}\n${lines(findings)}`).toBeLessThanOrEqual(faults.length);
};

describe('with many things wrong at once', () => {
  let site: SiteView;
  const causes = createCauses();
  beforeAll(async () => {
    site = await demoSite();
  });
  afterAll(() => causes.write());

  /** What explains what is as it was written down; `npm run causes` writes it down anew, for a look at what changed. */
  const compareCauses = (findings: readonly RankedFinding[], night: string): void => {
    causes.found(night, findings);
    expect(causesOf(findings), `causes of ${night}: argue what changed, then npm run causes`).toEqual(
      causes.of(night),
    );
  };

  it('every incident that the demo knows is one of those looked for here', () => {
    const known = createSimulators().flatMap(({ incidents }) => incidents.map(({ name }) => name));
    const all = new Set(known.filter((name) => name !== 'quiet' && name !== 'night'));
    expect(new Set(Object.keys(injected)), 'a new incident: say above what it breaks').toEqual(all);
  });

  it('nothing is found when nothing is wrong', async () => {
    expect((await askWith(site, [])).findings()).toEqual([]);
  });

  it('night: the first line explains most of what is explained, and every fault stands on top', async () => {
    const findings = (await askWith(site, ['night'])).findings();
    const night = Object.entries(injected)
      // The night's file system has three faults as it is.
      .filter(([name]) => name !== 'ost-drain' && name !== 'quota-stuck')
      .flatMap(([, faults]) => faults);
    check(findings, [...night, ...besides], 'night');
    compareCauses(findings, 'night');
    const [first, ...rest] = findings.filter(isTop);
    expect(first?.id).toBe('slurm:lost-together:breaker=b7');
    // Counted in the hosts and things that the effects name: a finding may stand for 23 hosts.
    const breadthOf = (some: readonly RankedFinding[]): number =>
      some.reduce((sum, { members }) => sum + (members?.length ?? 1), 0);
    const effects = findings.filter((one) => !isTop(one));
    const ownOf = (cause: RankedFinding | undefined): RankedFinding[] =>
      effects.filter((one) => one.explainedBy === cause?.id);
    const own = ownOf(first);
    expect(own.length).toBe(first?.explains);
    expect(breadthOf(own)).toBeGreaterThan(breadthOf(effects) / 2);
    for (const one of rest) expect(breadthOf(ownOf(one))).toBeLessThan(breadthOf(own));
  });

  it('what the kernels say on demand leads to findings, below the bad link where that is the reason', async () => {
    const collector = await askWith(site, ['night']);
    const read = (name: string): Promise<unknown> => collector.askOnDemand(name);
    const clock = collector.clock as FakeClock;
    const asking = Promise.all(['node1', 'node2', 'node3'].map(read));
    await clock.advance(1000);
    await asking;
    expect(JSON.stringify(hostPage(collector, 'node2'))).toContain(
      'none of the known kinds in 4 lines of dmesg',
    );
    collector.update();
    const found = collector.findings().filter(({ kind }) => kind === 'lockd' || kind === 'nfs');
    expect(found.map(({ id, explainedBy }) => [id, explainedBy])).toEqual([
      ['nfs:lockd:node3', undefined],
      ['nfs:nfs:node1', 'switch:bad-link:core3:te3/46'],
    ]);
    const page = JSON.stringify(hostPage(collector, 'node3'));
    expect(page).toContain('lockd: cannot monitor nfs2');
    expect(page).toMatch(/node3: NFS locks refused, last at .*\d\d:\d\d/);
  });

  it.each(Array.from({ length: 10 }, (_, ten) => ten * 10))(
    'seeds from %i on: a random subset of all incidents hides no fault and shows no more lines than faults',
    async (from) => {
      for (let seed = from; seed < from + 10; seed += 1) {
        const random = sequence(seed);
        const chosen = Object.keys(injected).filter(() => random() < 0.5);
        const findings = (await askWith(site, chosen)).findings();
        check(
          findings,
          chosen.flatMap((name) => injected[name] ?? []),
          `seed ${seed}: ${chosen.join(', ')}`,
        );
        compareCauses(findings, `seed${seed}`);
      }
    },
    120_000,
  );
});
