import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knowledge } from '../../src/commands/open-site.ts';
import { parseSite } from '../../src/site/parse.ts';
import type { OpenGluster } from './gluster-open.ts';
import { PEERS } from './gluster-peer.ts';
import { describeGluster, withGluster } from './gluster-suite.ts';

describeGluster('init pointed at one of three real glusterd', () => {
  let lab: OpenGluster;
  withGluster((open) => (lab = open));

  it('finds the pool and writes a file with which status says what it says with the one by hand', async () => {
    const byHand = parseSite(readFileSync(lab.siteFile, 'utf8'), lab.siteFile, knowledge).site;
    const file = join(lab.folder, 'found.yaml');
    const began = performance.now();
    const init = await lab.program(
      'init',
      'gl1',
      '--yes',
      ...(byHand.sshConfig === undefined ? [] : ['--ssh-config', byHand.sshConfig]),
      '--output',
      file,
    );
    const found = await lab.program('status', '--json', '--system', 'gluster', '--site', file);
    const tookMs = performance.now() - began;
    process.stderr.write(`init and status on three glusterd: ${(tookMs / 1000).toFixed(1)} s\n`);
    expect(init.code, init.stdout + init.stderr).toBe(0);
    expect(tookMs).toBeLessThan(120_000);

    const { site } = parseSite(readFileSync(file, 'utf8'), file, knowledge);
    const peers = site.hosts.filter(({ roles }) => roles.includes('gluster')).map(({ name }) => name);
    expect(peers.toSorted()).toEqual([...PEERS]);
    const hand = await lab.program('status', '--json', '--system', 'gluster');
    const findingsOf = (stdout: string): string[] =>
      (JSON.parse(stdout) as { findings: { id: string }[] }).findings.map(({ id }) => id).toSorted();
    expect(findingsOf(found.stdout)).toEqual(findingsOf(hand.stdout));
    expect(found.code).toBe(hand.code);
  }, 240_000);
});
