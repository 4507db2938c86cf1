import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/slurm/judge/findings.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { start } from '../helpers/judging.ts';
import { cluster, drainedBy, node, sick } from './make.ts';

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `n${from + at}`);
const firstOf = (nodes: readonly SlurmNode[], location?: (name: string) => Record<string, string>) =>
  findings(cluster(nodes, { total: 48, ...(location && { location }) }).judgement())[0];

describe('nodes drained by no person', () => {
  it('root, that something failed, a figure for each: a program wrote it', () => {
    const found = firstOf(
      names(31, 36).map((name, at) =>
        drainedBy(name, 'root', `HC: gpu${at} uncorrectable ECC errors: ${at * 37}`),
      ),
    );
    expect(found).toMatchObject({ severity: 'warning', kind: 'drained-group' });
    expect(found?.deliberate).toBeUndefined();
    expect(found?.advice).toMatch(/^A program took them out, no person/);
  });
  it("the daemon's own user, whatever it says", () => {
    expect(
      firstOf(names(1, 4).map((name) => drainedBy(name, 'slurm', 'switch plugin: no VNI left'))),
    ).toMatchObject({
      severity: 'warning',
    });
  });
  it("the user of the site's SlurmUser, and no other", () => {
    const world = cluster(
      names(1, 4).map((name) => drainedBy(name, 'slurmd', 'no VNI left')),
      { total: 48 },
    );
    world.readings.good('slurm.config', 'ctl1', { slurmUser: 'slurmd' });
    expect(findings(world.judgement())[0]?.severity).toBe('warning');
    world.readings.good('slurm.config', 'ctl1', { slurmUser: 'slurm' });
    expect(findings(world.judgement())[0]?.severity).toBe('notice');
  });
  it.each([
    ['one text for all', names(1, 6).map((name) => drainedBy(name, 'root', 'PSU failed, RMA 4711'))],
    [
      'a ticket for each, and nothing that failed',
      names(1, 6).map((name, at) => drainedBy(name, 'root', `CHG-${at}: new cables`)),
    ],
    ['two texts', names(1, 2).map((name, at) => drainedBy(name, 'root', `fan ${at} failed`))],
    ['a person by name', names(1, 6).map((name, at) => drainedBy(name, 'ops', `fan ${at} failed`))],
  ])('not %s', (_what, nodes) => {
    expect(firstOf(nodes)).toMatchObject({ severity: 'notice', deliberate: true });
  });
  it.each([
    'SlurmdSpoolDir is full',
    "gres/gpu GRES core specification 0-31 for node n14 doesn't match socket boundaries. (Socket 0 is cores 0-15)",
    'NO NETWORK ADDRESS FOUND',
  ])("Slurm's own: %s", (reason) => {
    const found = firstOf(names(1, 3).map((name) => drainedBy(name, 'root', reason)));
    expect(found?.severity).toBe('warning');
    expect(found?.summary).toContain('drained by Slurm');
    expect(found?.remedies?.map(({ action }) => action) ?? []).not.toContain('slurm.resume');
  });
});

describe('the place of nodes whose moment tells nothing', () => {
  const rack = (name: string): Record<string, string> => ({
    rack: `r${Math.ceil(Number(name.slice(1)) / 16)}`,
  });
  const silentYet = (name: string): SlurmNode =>
    node(name, { state: 'ALLOCATED', flags: ['NOT_RESPONDING'] });

  it('of those that the health check drained: most of one rack', () => {
    const found = firstOf(
      names(17, 30).map((name) => sick(name)),
      rack,
    );
    expect(found?.summary).toContain('all in rack r2');
    expect(found?.advice).toMatch(/^They are 14 of 16 nodes of rack r2: look at what these share/);
  });
  it('of those that are silent and not down yet', () => {
    expect(firstOf(names(33, 48).map(silentYet), rack)?.advice).toMatch(
      /^They are 16 of 16 nodes of rack r3/,
    );
  });
  it.each<[string, SlurmNode[], (name: string) => Record<string, string>]>([
    ['a few of a rack', names(17, 22).map((name) => sick(name)), rack],
    ['of two racks', names(10, 23).map((name) => sick(name)), rack],
    ['in the only rack', names(1, 30).map((name) => sick(name)), () => ({ rack: 'r1' })],
    ['by a person', names(17, 30).map((name) => drainedBy(name, 'ops', 'new cables')), rack],
    [
      'in maintenance',
      names(17, 30).map((name) => sick(name, { flags: ['DRAIN', 'MAINTENANCE'], reasonAt: start })),
      rack,
    ],
  ])('not %s', (_what, nodes, location) => {
    expect(firstOf(nodes, location)?.advice ?? '').not.toMatch(/They are \d+ of/);
  });
});
