import { describe, expect, it } from 'vitest';
import { slurm } from '../../../probes/slurm/index.ts';
import { facts, partitionGroups } from '../../../probes/slurm/judge/facts.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { concluded, judged } from './judge-printed.ts';
import { type Printed } from './printed-cluster.ts';

const killed = { state: 'IDLE+DRAIN', why: ['Kill task failed', 'root', 900] } as const;
const gpu: Printed = { name: 'gpu', prefix: 'g', total: 16, partitions: ['batch UP g[1-16] default'] };
const told = (clusters: Record<string, Printed>): string[] =>
  concluded(judged(clusters)).map(({ severity, summary }) => `${severity}: ${summary}`);
const both = 'notice: two clusters in one site file: hpc on ctl1; gpu on gctl';
const down = { err: 'slurm_load_node error: Unable to contact slurm controller (connect failure)', exit: 1 };
const allDown = Object.fromEntries(
  ['nodes', 'jobs', 'sdiag', 'partitions', 'reservations', 'config'].map((one) => [`slurm.${one}`, down]),
);

describe('two clusters in one site file', () => {
  it.each<[string, Record<string, Printed>, string[]]>([
    ['both are well', { ctl1: {}, gctl: gpu }, [both]],
    [
      'half of the second one is drained',
      { ctl1: {}, gctl: { ...gpu, nodes: { 'g1-g8': killed } } },
      ['critical: gpu: g[1-8] drained by Slurm, "Kill task failed"', both],
    ],
    [
      'half of the first one is',
      { ctl1: { nodes: { 'n1-n20': killed } }, gctl: gpu },
      ['critical: n[1-20] drained by Slurm, "Kill task failed"', both],
    ],
    [
      'of each two, with the same name and reason',
      { ctl1: { nodes: { 'n1-n2': killed } }, gctl: { ...gpu, prefix: 'n', nodes: { 'n1-n2': killed } } },
      [
        'warning: hpc: n[1-2] drained by Slurm, "Kill task failed"',
        'warning: gpu: n[1-2] drained by Slurm, "Kill task failed"',
        both,
      ],
    ],
    [
      'the second is in maintenance by its own reservation, the first is not by it',
      {
        ctl1: { nodes: { 'n1-n3': { state: 'DOWN+NOT_RESPONDING', why: ['Not responding', 'slurm', 900] } } },
        gctl: {
          ...gpu,
          prefix: 'n',
          nodes: { 'n1-n16': { state: 'DOWN+NOT_RESPONDING', why: ['Not responding', 'slurm', 900] } },
          reservations: ['fw 3600 -3600 n[1-16] MAINT'],
        },
      },
      ['warning: hpc: n[1-3] not responding', 'notice: gpu: n[1-16] not responding', both],
    ],
    [
      'the slurmctld of the second has gone since',
      {
        ctl1: {},
        gctl: {
          ...gpu,
          answers: { ...allDown, 'slurm.config': {} },
          ping: 'Slurmctld(primary) at gctl is DOWN\n',
        },
      },
      ['critical: slurmctld on gctl down since 02:21: nothing listens'],
    ],
    [
      'the clock of the second only',
      { ctl1: {}, gctl: { ...gpu, ahead: 7200 } },
      ["warning: slurmctld on gctl: clock 2 h ahead of this console's", both],
    ],
    [
      'the records of the second only',
      { ctl1: {}, gctl: { ...gpu, sdiag: { 'DBD Agent queue size': 30_000 } } },
      [expect.stringMatching(/^critical: slurmdbd .* gctl: 30,000/) as unknown as string, both],
    ],
  ])('%s', (_name, clusters, wanted) => {
    expect(told(clusters)).toEqual(wanted);
  });

  it('ids differ, and the pane shows both, with the worse sign', () => {
    const judgement = judged({
      ctl1: { nodes: { n1: killed } },
      gctl: { ...gpu, prefix: 'n', nodes: { n1: killed } },
    });
    const ids = slurm.findings(judgement).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const well = slurm.view(judged({ ctl1: {}, gctl: gpu }));
    expect(well).toMatchObject({ sign: 'fine', wall: '40/40 nodes up + 16/16 nodes up' });
    const pane = slurm.view(judgement);
    expect(pane.sign).toBe('warning');
    expect(pane.summary).toBe('hpc: 40 nodes, 1 out of service; gpu: 16 nodes, 1 out of service');
    const blocks = pane.blocks.map((block) => block.id);
    expect(new Set(blocks).size).toBe(6);
    expect(slurm.detail?.({ kind: 'node', id: 'g3' }, judged({ ctl1: {}, gctl: gpu }))).not.toEqual([]);
  });

  it('what others go by is published of both', () => {
    const list = facts(judged({ ctl1: { nodes: { n1: killed } }, gctl: { ...gpu, nodes: { g4: killed } } }));
    const drained = list.filter(({ name }) => name === 'node.drained').map(({ subject }) => subject.id);
    expect(drained).toEqual(['n1', 'g4']);
  });

  it('partitions are groups of nodes; one that both have is named with its cluster', () => {
    const named = (clusters: Record<string, Printed>): string[] =>
      [...partitionGroups(judged(clusters))].map(([name, nodes]) => `${name} ${fold(nodes)}`);
    expect(named({ ctl1: {} })).toEqual(['batch n[1-40]']);
    expect(named({ ctl1: {}, gctl: gpu })).toEqual(['hpc/batch n[1-40]', 'gpu/batch g[1-16]']);
    expect(named({ ctl1: { answers: allDown } })).toEqual([]);
  });
});
