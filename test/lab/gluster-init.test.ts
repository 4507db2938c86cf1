import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { knowledge } from '../../src/commands/open-site.ts';
import { parseSite } from '../../src/site/parse.ts';
import { NODES } from './folder.ts';
import type { OpenGluster } from './gluster-open.ts';
import { PEERS } from './gluster-peer.ts';
import { emptyHome } from './gluster-slurm-init.ts';
import { describeGluster, withGluster } from './gluster-suite.ts';
import { openLab } from './open.ts';
import { until } from './processes.ts';
import { breakCheck, nodeState } from './slurm.ts';

describeGluster('init pointed at a controller of Slurm and one of three real glusterd', () => {
  let lab: OpenGluster;
  withGluster((open) => (lab = open));

  it('from an empty home to the findings: two commands, under two minutes, no line edited', async () => {
    const slurm = await openLab();
    try {
      breakCheck(slurm.folder, 'node3');
      await until('node3 drained', () => nodeState(slurm.folder, 'node3').startsWith('drain'));
      const home = emptyHome(slurm, lab);
      const began = performance.now();
      const init = await home.program('init', 'ctl1', 'gl1', '--yes', '--ssh-config', home.sshConfig);
      const screen = home.screen();
      await screen.until(/node3.*(?:drained|HDFS)/, 60_000).finally(() => screen.kill());
      const tookMs = performance.now() - began;
      process.stderr.write(`init and console on Slurm and three glusterd: ${(tookMs / 1000).toFixed(1)} s\n`);
      expect(init.code, init.stdout + init.stderr).toBe(0);
      // It ends with doctor.
      expect(init.stdout).toContain('nothing to mend');
      expect(tookMs).toBeLessThan(120_000);

      const { site } = parseSite(readFileSync(home.found, 'utf8'), home.found, knowledge);
      const withRole = (role: string): string[] =>
        site.hosts.filter(({ roles }) => roles.includes(role)).map(({ name }) => name);
      expect(withRole('slurm-controller')).toEqual(['ctl1']);
      expect(withRole('compute')).toEqual([...NODES]);
      expect(withRole('gluster').toSorted()).toEqual([...PEERS]);

      const later = performance.now();
      const all = async (...more: string[]) => {
        const { code, stdout } = await home.program('status', '--json', ...more);
        const { findings } = JSON.parse(stdout) as { findings: { id: string; severity: string }[] };
        return { code, findings: findings.map(({ id, severity }) => `${severity} ${id}`).toSorted() };
      };
      const found = await all();
      expect(found.findings.join()).toContain('slurm:drained-group');
      expect(found).toEqual(await all('--site', home.writeByHand()));
      process.stderr.write(`two status: ${((performance.now() - later) / 1000).toFixed(1)} s\n`);
    } finally {
      await slurm.close();
    }
  }, 420_000);
});
