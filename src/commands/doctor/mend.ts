import type { ConnectFailureKind } from '../../model/answer.ts';
import type { SiteView } from '../../model/site.ts';
import { shellCommand } from '../../text/shell.ts';
import type { Check } from './report.ts';

/** `ssh -F FILE HOST words`, as the operator would type it to get where Faultline goes. */
export const sshLine = (
  site: SiteView,
  host: string,
  remote?: string,
  options: readonly string[] = [],
): string =>
  shellCommand([
    'ssh',
    ...(site.sshConfig === undefined ? [] : ['-F', site.sshConfig]),
    ...options,
    host,
    ...(remote === undefined ? [] : [remote]),
  ]);

/** Which check a failure to connect belongs to. */
export const checkOf = (kind: ConnectFailureKind): Check['name'] => {
  if (kind === 'hostKeyUnknown' || kind === 'hostKeyChanged' || kind === 'hostKeyRevoked') return 'host key';
  return kind === 'auth' || kind === 'agent' ? 'login' : 'reach';
};

/** The lines that mend a failure to connect, or show what is behind it. */
export const mendConnection = (kind: ConnectFailureKind, host: string, site: SiteView): string[] => {
  const ssh = (remote?: string, options?: readonly string[]): string => sshLine(site, host, remote, options);
  const verbose = `${ssh('true', ['-v'])}     shows how far it gets`;
  const own =
    'cat /etc/ssh/ssh_host_*_key.pub | ssh-keygen -lf -     on its console: the fingerprints it should show';
  const accept = `${ssh('true', ['-o', 'StrictHostKeyChecking=ask'])}     shows the fingerprint it offers; type yes only when they agree`;
  switch (kind) {
    case 'hostKeyUnknown':
      return [own, accept];
    case 'hostKeyChanged':
      return [
        own,
        'delete the line of known_hosts named above     only when you know why the key changed (reinstalled)',
        accept,
      ];
    case 'hostKeyRevoked':
      return [
        'rm /etc/ssh/ssh_host_*_key* && ssh-keygen -A     on its console: this key must never be used again',
        own,
        accept,
      ];
    case 'auth':
      return [`${shellCommand(['ssh-copy-id', host])}     puts your key there`, verbose];
    case 'agent':
      return [
        'ssh-add -l     lists the keys of your agent; eval "$(ssh-agent)" && ssh-add starts one',
        verbose,
      ];
    case 'dns':
      return [
        `${ssh(undefined, ['-G'])}     its line "hostname" is the name that is looked up`,
        `Host ${host}  HostName ADDRESS     in ~/.ssh/config, when it has no name`,
      ];
    case 'config':
      return [`${ssh(undefined, ['-G'])}     prints what is wrong with your OpenSSH configuration`];
    case 'notSsh':
      return [`${ssh(undefined, ['-G'])}     its lines "hostname" and "port": something else listens there`];
    case 'noBanner':
      return [
        'systemctl restart ssh sshd     on its console: sshd takes connections and says nothing',
        verbose,
      ];
    case 'sessions':
      return ['MaxSessions 10     in /etc/ssh/sshd_config there; then systemctl reload ssh sshd'];
    case 'unsupported':
      return [
        `transport: openssh     for this host in ${site.file}: your own ssh does what this program can't`,
        verbose,
      ];
    case 'unreachable':
    case 'timeout':
    case 'other':
      return [`${shellCommand(['ping', '-c', '3', host])}     is it up?`, verbose];
  }
};
