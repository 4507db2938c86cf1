import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './ports.ts';
import { end, livingPid, run, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

/** ibsim stands in for the adapter's device file of whatever this is loaded into. */
const simulated = '/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so';
const tools = ['ibqueryerrors', 'ibnetdiscover', 'ibstat', 'ibportstate', 'iblinkinfo', 'smpquery'];

/** What the lab needs: Debian's packages, root for namespaces. Gives the line to type, or undefined. */
export const fabricProblem = (): string | undefined => {
  const needed = [
    '/usr/bin/ibsim',
    '/usr/sbin/opensm',
    '/usr/sbin/ibqueryerrors',
    '/usr/sbin/sshd',
    simulated,
  ];
  if (process.getuid?.() !== 0) return 'it makes namespaces: run it as root';
  const missing = needed.filter((path) => !existsSync(path));
  return missing.length === 0
    ? undefined
    : `missing: ${missing.join(', ')}; install with\n  apt-get update && apt-get install -y --no-install-recommends ibsim-utils opensm infiniband-diags openssh-server`;
};

/** Two leaves and a spine: two parallel links to leaf1, one to leaf2; `adm` asks, `osm` has the subnet manager, on one leaf: their way is none of the spine's. */
const cables = [
  ['leaf1', 31, 'spine', 1],
  ['leaf1', 32, 'spine', 2],
  ['leaf2', 31, 'spine', 3],
  ['leaf1', 1, 'adm', 1],
  ['leaf1', 2, 'osm', 1],
  ['leaf2', 1, 'n1', 1],
] as const;
const switches = ['leaf1', 'leaf2', 'spine'];
/** ibsim numbers the switches of its file. */
const firstGuid = 0x200000;

const netFile = (): string => {
  const ends = cables.flatMap(([a, p, b, q]) => [
    { node: a, line: `[${p}]\t"${b}"[${q}]` },
    { node: b, line: `[${q}]\t"${a}"[${p}]` },
  ]);
  const nodes = [...switches, 'adm', 'n1', 'osm'];
  return nodes
    .map((node) => {
      const kind = switches.includes(node) ? 'Switch\t36' : 'Hca\t1';
      const lines = ends.flatMap((one) => (one.node === node ? [one.line] : []));
      return `${kind} "${node}"\n${lines.join('\n')}\n`;
    })
    .join('\n');
};

/** Every tool as the host `adm` finds it: the real one on the simulated fabric. */
const wrapper = (folder: string, tool: string): string => {
  const call = `IBSIM_SOCKNAME=${socket} SIM_HOST=adm LD_PRELOAD=${simulated} ${folder}/bin/${tool}`;
  if (tool !== 'ibportstate') return `#!/bin/sh\ncd ${folder}/tmp && exec env ${call} "$@"\n`;
  // ibsim trains no link and keeps that of a disabled port: what hardware does then is told to its console.
  return `#!/bin/sh\ncd ${folder}/tmp || exit 1\nenv ${call} "$@"\nrc=$?\n[ "$rc" = 0 ] && printf '%s\\n' "$*" >>${folder}/training\nexit "$rc"\n`;
};

const socket = `lab-${process.pid}`;

/** What an undo is armed with, where no systemd is process 1: a unit is a file that holds the process group which sleeps and then runs it. */
const timers = (folder: string): Readonly<Record<string, string>> => ({
  'systemd-run': `#!/bin/sh
for word; do
  case $word in --unit=*) unit=\${word#*=} ;; --on-active=*) time=\${word#*=} ;; --*) ;; *) break ;; esac
  shift
done
setsid sh -c 'echo $$ >"$1"; sleep "$2"; rm -f "$1"; shift 2; exec "$@"' sh ${folder}/units/"$unit" "\${time%s}" "$@" </dev/null >/dev/null 2>&1 &
until test -s ${folder}/units/"$unit"; do sleep 0.1; done
`,
  systemctl: `#!/bin/sh
cd ${folder}/units || exit 1
verb=$1; shift
case $verb in
  list-units) for one in *; do test -f "$one" && echo "$one.timer loaded active waiting $one"; done; exit 0 ;;
  stop) one=\${1%.timer}; test -f "$one" && kill -- -"$(cat "$one")" && rm -f "$one" ;;
  is-active) for one; do case $one in *.timer) test -f "\${one%.timer}" && exit 0 ;; esac; done; exit 3 ;;
  *) exit 1 ;;
esac
`,
});

/** A fabric of ibsim with a real opensm, behind the sshd of a host in it. */
export class Fabric {
  readonly folder: string;
  readonly siteFile: string;
  private readonly running: ChildProcess[] = [];
  private sim: ChildProcess | undefined;
  private trained = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.siteFile = join(folder, 'site.yaml');
  }

  /** Takes some 5 s. */
  async up(): Promise<void> {
    const { folder } = this;
    for (const one of ['bin', 'wrap', 'tmp', 'osm', 'state', 'shared', 'units']) mkdirSync(join(folder, one));
    writeFileSync(join(folder, 'net'), netFile());
    writeFileSync(join(folder, 'training'), '');
    for (const tool of tools) {
      copyFileSync(run('readlink', ['-f', `/usr/sbin/${tool}`]).trim(), join(folder, 'bin', tool));
      writeFileSync(join(folder, 'wrap', tool), wrapper(folder, tool), { mode: 0o755 });
    }
    for (const [name, script] of Object.entries(timers(folder)))
      writeFileSync(join(folder, 'wrap', name), script, { mode: 0o755 });
    this.sim = this.start('ibsim', ['-s', '-N', '16', '-S', '8', '-P', '400', join(folder, 'net')], {});
    await until('ibsim', () => readFileSync(join(folder, 'ibsim.log'), 'utf8').includes('ready'));
    const env = { SIM_HOST: 'osm', LD_PRELOAD: simulated, OSM_TMP_DIR: './', OSM_CACHE_DIR: './' };
    this.start('opensm', ['-f', './osm.log', '-s', '1'], env);
    await this.startSshd();
    await until('all links active', () => this.links() === 2 * cables.length);
    this.timer = setInterval(() => this.train(), 100);
  }

  /** A line for ibsim's console. */
  tell(line: string): void {
    this.sim?.stdin?.write(`${line}\n`);
  }

  /** Ends of links that are active, two for each. */
  links(): number {
    return run(join(this.folder, 'wrap', 'iblinkinfo'), ['--line']).split('Active/').length - 1;
  }

  /** What a person types on `adm` to shut a port: ibsim keeps the link of one that is disabled, hardware does not. */
  async disable(node: string, port: number): Promise<void> {
    const links = this.links();
    this.tell(`Unlink "${node}"[${port}]`);
    await until('the link gone', () => this.links() === links - 2);
    this.setPort(node, port, 'disable');
  }

  /** As typed on `adm`. */
  setPort(node: string, port: number, verb: 'disable' | 'enable'): void {
    const guid = `0x${(firstGuid + switches.indexOf(node)).toString(16)}`;
    run(join(this.folder, 'wrap', 'ibportstate'), ['-G', guid, String(port), verb]);
  }

  async down(): Promise<void> {
    clearInterval(this.timer);
    await end(join(this.folder, 'sshd.pid'));
    // opensm waits for its fabric before it ends: it is not asked.
    for (const one of this.running) one.kill('SIGKILL');
  }

  private start(
    program: string,
    words: readonly string[],
    env: Readonly<Record<string, string>>,
  ): ChildProcess {
    const log = openSync(join(this.folder, `${program}.log`), 'a');
    const child = spawn(program, words, {
      cwd: join(this.folder, 'osm'),
      env: { ...process.env, IBSIM_SOCKNAME: socket, ...env },
      stdio: ['pipe', log, log],
    });
    this.running.push(child);
    return child;
  }

  private async startSshd(): Promise<void> {
    const { folder } = this;
    const address = '127.77.3.11';
    const port = await freePort((first) => [{ address, port: first }]);
    const [clientKey, hostKey, pidFile] = ['id_ed25519', 'host_key', 'sshd.pid'].map((one) =>
      join(folder, one),
    );
    if (clientKey === undefined || hostKey === undefined || pidFile === undefined)
      throw new Error('no names');
    mkdirSync('/run/sshd', { recursive: true });
    newKey(clientKey, 'lab');
    const key = newKey(hostKey, 'adm');
    const config = join(folder, 'sshd_config');
    writeFileSync(
      config,
      `Port ${port}\nListenAddress ${address}\nHostKey ${hostKey}\nPidFile ${pidFile}\nAuthorizedKeysFile ${clientKey}.pub\nPermitRootLogin prohibit-password\n${sshdSettings()}`,
    );
    const mounts = [
      ...tools.map((one) => `mount --bind ${folder}/wrap/${one} /usr/sbin/${one}`),
      ...Object.keys(timers(folder)).map((one) => `mount --bind ${folder}/wrap/${one} /usr/bin/${one}`),
    ];
    run('unshare', [
      '--uts',
      '--mount',
      'sh',
      '-ec',
      `hostname adm\n${mounts.join('\n')}\nexec /usr/sbin/sshd -f ${config}`,
    ]);
    await until('sshd of adm', () => livingPid(pidFile) !== undefined);
    const [sshConfig, knownHosts] = [join(folder, 'ssh_config'), join(folder, 'known_hosts')];
    writeReach({ sshConfig, knownHosts, clientKey, port, hosts: [{ name: 'adm', address, key }] });
    writeFileSync(
      this.siteFile,
      `site: fabric\nsshConfig: ${sshConfig}\nshared: {host: adm, dir: ${folder}/shared}\nhosts:\n  - {names: adm, roles: [switch, switch-helper], platform: infiniband}\n  - {names: n1}\nlinks:\n  - {from: "adm:leaf1/31", to: "adm:spine/1"}\nswitch: {hold: 60}\n`,
      { mode: 0o600 },
    );
  }

  /** What was enabled since the last look: hardware trains the link then. */
  private train(): void {
    const lines = readFileSync(join(this.folder, 'training'), 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.trained)) {
      const [, guid = '0x0', port = '', verb] = /^-G (0x[0-9a-f]+) (\d+) (disable|enable)$/.exec(line) ?? [];
      const name = switches[Number(BigInt(guid)) - firstGuid];
      if (name !== undefined) this.tell(`${verb === 'enable' ? 'ReLink' : 'Unlink'} "${name}"[${port}]`);
    }
    this.trained = lines.length;
  }
}
