import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, CONTROLLER, places } from './folder.ts';
import { openLab, type OpenLab } from './open.ts';
import { end } from './processes.ts';
import { nodeState, pidFileOf, slurm } from './slurm.ts';

/** The second cluster's controller under the name that the common site file gives it. */
const SECOND = 'ctl2';

/** Not asked in a lab without slurmdbd. */
const SILENT: ReadonlySet<string> = new Set(['slurm.accounting']);

/** One site file and one ssh_config for both: the first cluster's, and the second one's controller beside it. */
const joinSites = (first: OpenLab, second: OpenLab): string => {
  const at = places(first.folder);
  const other = places(second.folder);
  const block = readFileSync(other.sshConfig, 'utf8').replace(/^[\s\S]*^Host \*$/m, '');
  const sshConfig = join(first.folder, 'both_ssh_config');
  writeFileSync(
    sshConfig,
    `Host ${SECOND}\n  HostName ${addressOf(CONTROLLER)}${block}\n${readFileSync(at.sshConfig, 'utf8')}`,
    { mode: 0o600 },
  );
  const siteFile = join(first.folder, 'both.yaml');
  const text = readFileSync(at.siteFile, 'utf8')
    .replace(at.sshConfig, sshConfig)
    .replace('hosts:\n', `hosts:\n  - {names: ${SECOND}, roles: [slurm-controller]}\n`);
  writeFileSync(siteFile, text, { mode: 0o600 });
  return siteFile;
};

describe('two clusters of real daemons in one site file, with the same names of nodes', () => {
  let first: OpenLab;
  let second: OpenLab;
  let siteFile: string;
  beforeAll(async () => {
    first = await openLab();
    second = await openLab({ cluster: 'other', controller: SECOND });
    siteFile = joinSites(first, second);
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });
  /** Without the star of nodes that have not answered for a moment. */
  const stateOf = (lab: OpenLab, node: string): string => nodeState(lab.folder, node).replace('*', '');
  const program = (...words: string[]) => first.program(...words, '--site', siteFile);
  const drain = (...words: string[]) => program('act', 'slurm.drain', ...words, '--reason', 'lab');

  it('both are told, and each has its findings', { timeout: 120_000, retry: 0 }, async () => {
    slurm(second.folder, 'scontrol', 'update', 'nodename=node3', 'state=drain', 'reason=broken fan');
    const { stdout, stderr } = await program('status', '--system', 'slurm');
    expect(stdout, stderr).toContain(
      `two clusters in one site file: other on ${SECOND}; lab on ${CONTROLLER}`,
    );
    expect(stdout).toMatch(/other: node3 drained .*broken fan/);
    slurm(second.folder, 'scontrol', 'update', 'nodename=node3', 'state=resume');
  });

  it(
    'act refuses a name that both have, and takes it with its cluster',
    { timeout: 240_000, retry: 0 },
    async () => {
      const plain = await drain('node1', '--confirm', 'y');
      expect(plain.code, plain.stdout + plain.stderr).toBe(4);
      expect(plain.stdout + plain.stderr).toContain(
        '2 clusters have a node node1: which is meant? other/node1 or lab/node1',
      );
      expect([stateOf(first, 'node1'), stateOf(second, 'node1')]).toEqual(['idle', 'idle']);
      const done = await drain('other/node1', '--confirm', 'y');
      expect(done.code, done.stdout + done.stderr).toBe(0);
      expect([stateOf(first, 'node1'), stateOf(second, 'node1')]).toEqual(['idle', 'drained']);
      const back = await program(
        'act',
        'slurm.undrain',
        'other/node1',
        '--set',
        'takeOver=lab',
        '--confirm',
        'other/node1',
      );
      expect(back.code, back.stdout + back.stderr).toBe(0);
      expect(stateOf(second, 'node1')).toBe('idle');
    },
  );

  it(
    'one controller that is stopped hurts nothing of the other',
    { timeout: 240_000, retry: 0 },
    async () => {
      await end(pidFileOf(second.folder, 'slurmctld'));
      const { stdout } = await program('status', '--json', '--system', 'slurm');
      const { findings, readings } = JSON.parse(stdout) as {
        findings: { kind: string; subject: { id: string } }[];
        readings: { probe: string; host: string; state: string }[];
      };
      expect(
        readings.filter(
          ({ probe, host, state }) => host === CONTROLLER && !SILENT.has(probe) && state !== 'fresh',
        ),
      ).toEqual([]);
      expect(findings.map(({ subject }) => subject.id)).not.toContain(CONTROLLER);
      expect(
        findings.some(({ kind, subject }) => kind.startsWith('controller-') && subject.id === SECOND),
      ).toBe(true);
      const done = await drain('lab/node2', '--confirm', 'y');
      expect(done.code, done.stdout + done.stderr).toBe(0);
      expect(stateOf(first, 'node2')).toBe('drained');
    },
  );
});
