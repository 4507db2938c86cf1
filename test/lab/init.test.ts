import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { knowledge } from '../../src/commands/open-site.ts';
import { parseSite } from '../../src/site/parse.ts';
import { NODES, places } from './folder.ts';
import { openLab, type OpenLab } from './open.ts';
import { until } from './processes.ts';
import { breakCheck, nodeState } from './slurm.ts';

let lab: OpenLab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

interface Findings {
  findings: { id: string; severity: string; summary: string }[];
}

/** What Slurm's part of a site finds, without the times in it. */
const slurmFindings = (stdout: string): string[] =>
  (JSON.parse(stdout) as Findings).findings
    .filter(({ id }) => id.startsWith('slurm:'))
    .map(({ id, severity }) => `${severity} ${id}`)
    .toSorted();

it('from an empty home to the findings: two commands, under two minutes, no line edited', async () => {
  breakCheck(lab.folder, 'node3');
  await until('node3 drained', () => nodeState(lab.folder, 'node3').startsWith('drain'));
  const file = join(lab.folder, 'home/found.yaml');
  const { sshConfig, check } = places(lab.folder);
  const began = performance.now();
  const init = await lab.program('init', 'ctl1', '--yes', '--ssh-config', sshConfig, '--output', file);
  const status = await lab.program('status', '--json', '--site', file);
  const tookMs = performance.now() - began;
  process.stderr.write(`init and status on the lab: ${(tookMs / 1000).toFixed(1)} s\n`);
  expect(init.code, init.stdout + init.stderr).toBe(0);
  expect(init.stdout).toContain('nothing to mend');
  expect(tookMs).toBeLessThan(120_000);

  const byHand = await lab.status();
  expect(slurmFindings(byHand.stdout).join()).toContain('drained');
  expect(slurmFindings(status.stdout)).toEqual(slurmFindings(byHand.stdout));
  expect(status.code).toBe(byHand.code);

  const { site } = parseSite(readFileSync(file, 'utf8'), file, knowledge);
  const withRole = (role: string): string[] =>
    site.hosts.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
  expect(withRole('slurm-controller')).toEqual(['ctl1']);
  expect(withRole('compute')).toEqual([...NODES]);
  expect(site.name).toBe('lab');
  expect(site.settings['slurm']).toMatchObject({ check: { command: [check], env: { MARK_OFFLINE: '0' } } });
}, 240_000);

it('the check that was found out is the one that keeps a node from being resumed', async () => {
  const file = join(lab.folder, 'home/found.yaml');
  const refused = await lab.program('act', 'slurm.resume', 'node3', '--confirm', 'y', '--site', file);
  expect(refused.code, refused.stdout + refused.stderr).toBe(4);
  expect(refused.stdout + refused.stderr).toMatch(/check/i);
  expect(nodeState(lab.folder, 'node3')).toMatch(/^drain/);
}, 120_000);
