import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { ADMIN, addressOf, CONTROLLER, NODES, places } from '../lab/folder.ts';
import { down, up } from '../lab/lab.ts';
import { end, livingPid, run, signal, until } from '../lab/processes.ts';
import { nodeState, slurm } from '../lab/slurm.ts';
import { killSshd } from '../lab/sshd.ts';
import { CountedScontrol } from './scontrol.ts';

/** Nodes of which one may be drained: the site's limit is a fifth of a partition. */
export const TARGETS: readonly [string, ...string[]] = ['node1', 'node2', 'node3', 'node4'];

/** What slurmctld itself says of a node, asked past the program. */
interface NodeTruth {
  drained: boolean;
  reason: string;
}

/** A lab whose controller counts what reaches it, and whose shared folder can be taken away. */
export class Cluster {
  readonly folder: string;
  readonly scontrol: CountedScontrol;
  /** How long a Slurm command waits for a slurmctld that hangs, ms, as slurmctld says it. */
  readonly messageTimeoutMs: number;
  private homes = 0;
  private readonly closers: (() => void)[] = [];

  private constructor(folder: string, scontrol: CountedScontrol) {
    this.folder = folder;
    this.scontrol = scontrol;
    const said = /MessageTimeout\s*=\s*(\d+)/.exec(slurm(folder, 'scontrol', 'show', 'config'))?.[1];
    if (said === undefined) throw new Error('scontrol show config tells no MessageTimeout');
    this.messageTimeoutMs = Number(said) * 1000;
  }

  static async open(): Promise<Cluster> {
    const folder = emptyFolder('tr');
    await up(folder);
    const scontrol = new CountedScontrol(folder);
    await startWithin(folder, CONTROLLER, scontrol.mounts);
    await startWithin(folder, ADMIN, 'true');
    return new Cluster(folder, scontrol);
  }

  atClose(closer: () => void): void {
    this.closers.push(closer);
  }

  async close(): Promise<void> {
    for (const closer of this.closers) closer();
    this.thaw();
    await this.mendShared();
    await down(this.folder);
  }

  get siteFile(): string {
    return places(this.folder).siteFile;
  }

  get shared(): string {
    return places(this.folder).shared;
  }

  /** An operator's own machine: a state folder of its own. */
  newHome(name = 'home'): { env: NodeJS.ProcessEnv; state: string } {
    const state = join(this.folder, 'homes', `${(this.homes += 1)}-${name}`);
    mkdirSync(state, { recursive: true });
    const { FAULTLINE_SITE: _, ...rest } = process.env;
    const env = {
      ...rest,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(state, 'config'),
      FAULTLINE_SITE: this.siteFile,
    };
    return { env, state: join(state, 'faultline/lab') };
  }

  truth(node: string): NodeTruth {
    const text = slurm(this.folder, 'scontrol', 'show', 'node', node);
    return {
      drained: /State=\S*DRAIN/.test(text),
      reason: /^\s*Reason=(.*?)(?: \[[^\]]*\])?$/m.exec(text)?.[1] ?? '',
    };
  }

  /** The shared folder as its host sees it, with what is mounted over it there. */
  private get sharedThere(): string {
    const pid = livingPid(places(this.folder).pid(`sshd-${ADMIN}`));
    return pid === undefined ? this.shared : `/proc/${pid}/root${this.shared}`;
  }

  /** Locks in the shared folder. */
  locks(): string[] {
    const folder = join(this.sharedThere, 'locks');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.lock')) : [];
  }

  /** Lines of what was done lately, as colleagues' consoles read them. */
  told(): string[] {
    const file = join(this.sharedThere, 'actions.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  }

  private controller(): number {
    const pid = livingPid(places(this.folder).pid('slurmctld'));
    if (pid === undefined) throw new Error('slurmctld does not run');
    return pid;
  }

  freeze(): void {
    signal(this.controller(), 'SIGSTOP');
  }

  thaw(): void {
    signal(this.controller(), 'SIGCONT');
  }

  /** A fault of the shared folder as its host sees it: lines of sh with `$1` the folder, in the mounts of its sshd. */
  breakShared(lines: string): void {
    run('nsenter', ['-t', String(this.admin()), '-m', '--', 'sh', '-ec', lines, 'sh', this.shared]);
  }

  /** The folder is there again, empty, and its host answers. */
  async mendShared(): Promise<void> {
    if (livingPid(places(this.folder).pid(`sshd-${ADMIN}`)) !== undefined) {
      signal(this.admin(), 'SIGCONT');
      this.breakShared('while umount -l "$1" 2>/dev/null; do :; done; rm -rf "$1"; mkdir -m 2770 "$1"');
    } else rmSync(this.shared, { recursive: true, force: true });
    mkdirSync(this.shared, { recursive: true });
  }

  admin(): number {
    const pid = livingPid(places(this.folder).pid(`sshd-${ADMIN}`));
    if (pid === undefined) throw new Error(`sshd of ${ADMIN} does not run`);
    return pid;
  }

  startAdmin(): Promise<void> {
    return startWithin(this.folder, ADMIN, 'true');
  }

  stopAdmin(): Promise<void> {
    return end(places(this.folder).pid(`sshd-${ADMIN}`));
  }

  /** As after a quiet day: nothing drained, no locks, nobody has done anything lately. */
  async reset(): Promise<void> {
    this.thaw();
    this.scontrol.reset();
    if (livingPid(places(this.folder).pid(`sshd-${ADMIN}`)) === undefined) await this.startAdmin();
    await this.mendShared();
    await this.isBack();
    for (const node of TARGETS)
      if (this.truth(node).drained)
        slurm(this.folder, 'scontrol', 'update', `nodename=${node}`, 'state=undrain');
    await this.isIdle();
  }

  /** Until every node is idle: one that was undrained just now counts as out of service until it has answered. */
  isIdle(): Promise<void> {
    return until('all nodes idle', () => NODES.every((node) => nodeState(this.folder, node) === 'idle'));
  }

  /** Until slurmctld answers. */
  isBack(): Promise<void> {
    return until('slurmctld answers', () => this.answers(), 120_000);
  }

  private answers(): boolean {
    try {
      this.truth(TARGETS[0]);
      return true;
    } catch {
      return false;
    }
  }

  /** The site by way of a relay: its ssh_config names another port for the controller. Gives the site file. */
  siteThrough(port: number): string {
    const at = places(this.folder);
    const sshConfig = join(this.folder, `ssh_config.${port}`);
    const site = join(this.folder, `site.${port}.yaml`);
    const key = readFileSync(at.knownHosts, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`[${addressOf(CONTROLLER)}]`));
    const known = join(this.folder, `known_hosts.${port}`);
    writeFileSync(
      known,
      `${readFileSync(at.knownHosts, 'utf8')}[127.0.0.1]:${port} ${key?.split(' ').slice(1).join(' ')}\n`,
    );
    const block = `Host ${CONTROLLER}\n  HostName 127.0.0.1\n  Port ${port}\n  UserKnownHostsFile ${known}\n`;
    writeFileSync(sshConfig, block + readFileSync(at.sshConfig, 'utf8'), { mode: 0o600 });
    writeFileSync(site, readFileSync(at.siteFile, 'utf8').replace(at.sshConfig, sshConfig), { mode: 0o600 });
    return site;
  }
}

/** The host's sshd again, in mounts of its own. */
const startWithin = async (folder: string, host: string, mounts: string): Promise<void> => {
  const at = places(folder);
  await killSshd(folder, host);
  const lines = `set -e; ${mounts}; hostname ${host}; exec /usr/sbin/sshd -f ${at.sshdConfig(host)}`;
  run('unshare', ['--mount', '--uts', '--propagation', 'private', 'sh', '-c', lines]);
  await until(`sshd of ${host}`, () => livingPid(at.pid(`sshd-${host}`)) !== undefined);
};
