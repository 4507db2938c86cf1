import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Terminal } from '../smoke/terminal.ts';
import { openLab, type OpenLab } from './open.ts';
import { end, until } from './processes.ts';
import {
  breakCheck,
  freeze,
  mendCheck,
  nodeState,
  pidFileOf,
  slurm,
  startController,
  thaw,
} from './slurm.ts';
import { killSshd, startSshd } from './sshd.ts';

/** How often the nodes are asked by default, and what a busy machine may add. */
const POLL_MS = 10_000;
const SLACK_MS = 40_000;

describe('the console on real daemons', () => {
  let lab: OpenLab;
  let screen: Terminal;
  beforeAll(async () => {
    lab = await openLab();
    screen = lab.screen();
    await screen.until(/Slurm.* 8 nodes/, 60_000);
  });
  afterAll(async () => {
    screen.kill();
    await lab.close();
  });

  const is = (node: string, state: string): Promise<void> =>
    until(`${node} ${state}`, () => nodeState(lab.folder, node).startsWith(state));

  it('shows a node that the health check drained within one poll, and resumes it once it passes', async () => {
    breakCheck(lab.folder, 'node3');
    await is('node3', 'drain');
    await screen.until(/slurm +node3 drained by the health check, "HDFS mount lost"/, POLL_MS + SLACK_MS);
    mendCheck(lab.folder, 'node3');
    await screen.until(/"HDFS mount lost": passes it now/, 90_000);
    screen.type('a');
    await screen.until(/>\s+resume/);
    screen.type('\r');
    await screen.until(/will run +scontrol update nodename=node3 state=resume[^]*y {2}resume/, 60_000);
    expect(nodeState(lab.folder, 'node3')).toMatch(/^drain/);
    // The dialog is deaf for a moment after it opened: nobody has read it yet.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    screen.type('y');
    await screen.until(/verified/, 60_000);
    expect(nodeState(lab.folder, 'node3')).toBe('idle');
    screen.type('\u001B');
    await screen.until(/nothing found: all fine/, POLL_MS + SLACK_MS);
  });

  it('names a host that can’t be reached and stays live', async () => {
    await killSshd(lab.folder, 'node6');
    await screen.until(/hosts +node6 unreachable by SSH/, 90_000);
    slurm(lab.folder, 'scontrol', 'update', 'nodename=node1', 'state=drain', 'reason=still live');
    await screen.until(/still live/, POLL_MS + SLACK_MS);
    await startSshd(lab.folder, 'node6');
  });

  it('says since when the controller is down, keeps the rows, and never shows an empty cluster', async () => {
    await end(pidFileOf(lab.folder, 'slurmctld'));
    await screen.until(/slurmctld.*down/, 60_000);
    // Stale rows keep their place under the stale sign.
    const text = await screen.until(/[⏸=] node1 +drain/, 90_000);
    expect(text).toContain('still live');
    expect(text).not.toMatch(/no nodes out of service|all fine/);
    await startController(lab.folder);
    await until('slurmctld answers', () => nodeState(lab.folder, 'node2') === 'idle');
    await screen.until(/(?<![⏸=]) node2 +idle/, 60_000);
  });

  it('tells a controller that hangs from one that is down', async () => {
    freeze(lab.folder, 'slurmctld');
    await screen.until(/slurmctld.*(hung|hangs)/, 90_000);
    expect(screen.text()).not.toMatch(/no nodes out of service|all fine/);
    thaw(lab.folder, 'slurmctld');
    slurm(lab.folder, 'scontrol', 'update', 'nodename=node1', 'state=resume');
    await screen.until(/no nodes out of service/, 90_000);
  });

  it('leaves the terminal as it was', async () => {
    screen.type('q');
    await screen.until(/Leave faultline\?/);
    screen.type('y');
    expect(await screen.ended).toBe(0);
    const bytes = screen.written();
    expect(bytes.lastIndexOf('\u001B[?1049l')).toBeGreaterThan(bytes.lastIndexOf('\u001B[?1049h'));
  });
});
