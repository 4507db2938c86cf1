import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labFolder } from './folder.ts';
import {
  endHost,
  inner,
  IPERF_HOSTS,
  iperfPlaces,
  LINE,
  makeHost,
  shapeHosts,
  wireHosts,
} from './iperf-hosts.ts';
import { checkIperfMachine } from './packages.ts';
import { run, signal } from './processes.ts';

/** Outside addresses of the hosts' sshd, apart from those of the other labs. */
const outer = (host: string): string => `127.77.2.${IPERF_HOSTS.indexOf(host) + 11}`;

const newKey = (path: string, comment: string): string => {
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', path]);
  return readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
};

/** Keys, ssh_config, known_hosts and an sshd for each host, which listens on this machine's loopback. */
const startSshd = (folder: string, port: number): void => {
  const at = iperfPlaces(folder);
  mkdirSync('/run/sshd', { recursive: true });
  newKey(at.clientKey, 'lab');
  const known = IPERF_HOSTS.map((host) => {
    const home = at.host(host);
    const key = newKey(join(home, 'hostkey'), host);
    writeFileSync(
      join(home, 'sshd.conf'),
      `Port ${port}
ListenAddress ${outer(host)}
HostKey ${home}/hostkey
PidFile ${home}/sshd.pid
AuthorizedKeysFile ${at.clientKey}.pub
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
StrictModes no
UseDNS no
PrintMotd no
MaxStartups 50
MaxSessions 20
ForceCommand ${home}/enter
`,
    );
    // Without -n: it listens outside, and sees the host's files and processes.
    const pid = readFileSync(at.pid(host), 'utf8');
    run('nsenter', ['-t', pid, '-m', '-u', '-p', '--', '/usr/sbin/sshd', '-f', join(home, 'sshd.conf')]);
    return `[${outer(host)}]:${port} ${key}\n`;
  });
  writeFileSync(at.knownHosts, known.join(''));
  const blocks = IPERF_HOSTS.map((host) => `Host ${host}\n  HostName ${outer(host)}\n`);
  writeFileSync(
    at.sshConfig,
    `${blocks.join('')}Host *
  Port ${port}
  User root
  IdentityFile ${at.clientKey}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${at.knownHosts}
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
`,
    { mode: 0o600 },
  );
};

/** `if6` is reached by an address on which nobody listens: every test of it is refused. */
const siteText = (folder: string): string => `# The iperf lab: hosts in namespaces, shaped wires, real iperf.
site: iperf-lab
sshConfig: ${iperfPlaces(folder).sshConfig}
hosts:
  - {names: "if[1-9]", roles: [iperf]}
iperf:
  lineGbps: ${LINE / 1000}
  seconds: 8
  addresses: {${IPERF_HOSTS.map((host) => `${host}: ${host === 'if6' ? inner('if5') : inner(host)}`).join(', ')}}
`;

/** Starts nine hosts with real iperf between them; gives the site file. Throws when this machine can't shape a wire. */
export const iperfUp = async (
  folder = labFolder(),
  port = 22_000 + Math.floor(Math.random() * 9000),
): Promise<string> => {
  checkIperfMachine();
  const at = iperfPlaces(folder);
  if (existsSync(at.siteFile))
    throw new Error(`the iperf lab is up already (${at.siteFile}); "down" ends it`);
  mkdirSync(at.root, { recursive: true });
  try {
    for (const host of IPERF_HOSTS) await makeHost(folder, host);
    await wireHosts(folder);
    shapeHosts(folder);
    startSshd(folder, port);
    writeFileSync(at.siteFile, siteText(folder), { mode: 0o600 });
  } catch (error) {
    await iperfDown(folder);
    throw new Error('the iperf lab did not start', { cause: error });
  }
  return at.siteFile;
};

/** Ends everything the iperf lab started and removes its folder. */
export const iperfDown = async (folder = labFolder()): Promise<void> => {
  const at = iperfPlaces(folder);
  if (!existsSync(at.root)) return;
  for (const host of IPERF_HOSTS) await endHost(folder, host);
  if (existsSync(at.hub)) signal(Number(readFileSync(at.hub, 'utf8')), 'SIGKILL');
  rmSync(at.root, { recursive: true, force: true });
};
