import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './processes.ts';

/** Makes a key; gives its public part as known_hosts has it. */
export const newKey = (path: string, comment: string): string => {
  for (const file of [path, `${path}.pub`]) rmSync(file, { force: true });
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', path]);
  return readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
};

/**
 * What the sshd of all labs have in common. `env`: variables of every session. Of several `SetEnv` lines sshd takes the
 * first alone. The empty `HOME` keeps the machine's own start-up files out, some of which run for seconds at each login.
 */
export const sshdSettings = (...env: string[]): string => `UsePAM no
PasswordAuthentication no
StrictModes no
UseDNS no
PrintMotd no
MaxStartups 50
MaxSessions 20
SetEnv ${['HOME=/nonexistent', ...env].join(' ')}
`;

interface Reach {
  sshConfig: string;
  knownHosts: string;
  clientKey: string;
  port: number;
  /** Where each host's sshd listens and the public part of its key. */
  hosts: readonly { name: string; address: string; key: string }[];
  /** The account to log in with. */
  user?: string;
}

/** known_hosts and an ssh_config that takes nothing from the user's own. */
export const writeReach = ({ sshConfig, knownHosts, clientKey, port, hosts, user = 'root' }: Reach): void => {
  writeFileSync(knownHosts, hosts.map(({ address, key }) => `[${address}]:${port} ${key}\n`).join(''));
  const blocks = hosts.map(({ name, address }) => `Host ${name}\n  HostName ${address}\n`);
  writeFileSync(
    sshConfig,
    `${blocks.join('')}Host *
  Port ${port}
  User ${user}
  IdentityFile ${clientKey}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${knownHosts}
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
`,
    { mode: 0o600 },
  );
};
