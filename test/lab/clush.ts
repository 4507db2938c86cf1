import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { emptyFolder } from '../helpers/folder.ts';
import { freePort } from './ports.ts';
import { descendants, end, livingPid, run, until } from './processes.ts';
import { newKey, sshdSettings, writeReach } from './ssh-files.ts';

/** A daemon listens on 16 addresses at most (MAX_LISTEN_SOCKS of sshd). */
const EACH = 16;

export const NODES = Array.from({ length: 64 }, (_, at) => `node${at + 1}`);
/** Beside the first, which has all: hosts that lack a part of it. */
const ADMINS = ['admin1', 'nopython', 'noclush', 'oldclush', 'away'];
const GATEWAYS = ['gw1', 'gw2'];

const addresses = new Map([
  ...NODES.map((name, at) => [name, `127.0.64.${at + 1}`] as const),
  ...ADMINS.map((name, at) => [name, `127.0.65.${at + 1}`] as const),
  ...GATEWAYS.map((name, at) => [name, `127.0.66.${at + 1}`] as const),
]);
export const addressOf = (name: string): string => addresses.get(name) ?? '';

/** What each hostile node does in place of what it is told; `refuses` and `away` have no sshd. */
export const HOSTILE = {
  hangs: 'node60',
  floods: 'node61',
  lies: 'node62',
  refuses: 'node63',
  garbage: 'node64',
};

const hostileScript = `#!/bin/sh
set -- $SSH_CONNECTION
case $3 in
${addressOf(HOSTILE.hangs)}) exec sleep 300 ;;
${addressOf(HOSTILE.floods)}) exec head -c 100000000 /dev/zero ;;
${addressOf(HOSTILE.lies)})
  echo '{"node":"node1","rc":0,"late":false,"out":"","err":"","cut":false,"said":""}'
  echo '{"end":"0123456789abcdef0123456789abcdef","asked":64,"told":64,"tree":false,"version":"1.9"}'
  echo '{"fault":"missing","what":"all is fine"}' >&2 ;;
${addressOf(HOSTILE.garbage)}) exec head -c 20000 /dev/urandom ;;
*) eval "$SSH_ORIGINAL_COMMAND" ;;
esac
`;

export interface ClushLab {
  folder: string;
  sshConfig: string;
  /** Every process below the sshd of the admin host, deepest first. */
  adminProcesses(): number[];
  /** Switches the tree of gateways on. */
  plantTree(): void;
  close(): Promise<void>;
}

/** 64 hosts, five of them hostile, and admin hosts with ClusterShell, on this machine: real sshd, addresses of the loopback. */
export const openClushLab = async (): Promise<ClushLab> => {
  const folder = emptyFolder('clush');
  const at = (name: string): string => join(folder, name);
  mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort((first) =>
    [...addresses.values()].map((address) => ({ address, port: first })),
  );
  newKey(at('client'), 'lab');
  const key = newKey(at('host'), 'lab');
  writeReach({
    sshConfig: at('ssh_config'),
    knownHosts: at('known_hosts'),
    clientKey: at('client'),
    port,
    hosts: [...addresses].map(([name, address]) => ({ name, address, key })),
  });
  writeFileSync(at('hostile.sh'), hostileScript);
  chmodSync(at('hostile.sh'), 0o755);
  mkdirSync(at('clush'));
  writeFileSync(at('clush/clush.conf'), `[Main]\nfanout: 32\nssh_options: -F ${at('ssh_config')}\n`);
  const fake = (name: string, text: string): string => {
    mkdirSync(at(`${name}/ClusterShell`), { recursive: true });
    writeFileSync(at(`${name}/ClusterShell/__init__.py`), text);
    return `PYTHONPATH=${at(name)}`;
  };
  const withConfig = `CLUSTERSHELL_CFGDIR=${at('clush')}`;
  const noPython = at('nopython.sh');
  writeFileSync(
    noPython,
    '#!/bin/sh\nexec unshare -m sh -c \'mount --bind /dev/null "$(readlink -f /usr/bin/python3)"; eval "$SSH_ORIGINAL_COMMAND"\'\n',
    { mode: 0o755 },
  );
  const daemons: Daemon[] = [
    { name: 'admin1', hosts: ['admin1'], env: withConfig },
    { name: 'nopython', hosts: ['nopython'], env: withConfig, extra: `ForceCommand ${noPython}\n` },
    { name: 'noclush', hosts: ['noclush'], env: fake('missing', 'raise ImportError("no ClusterShell")') },
    { name: 'oldclush', hosts: ['oldclush'], env: fake('old', '__version__ = "1.7.3"\n') },
    { name: 'gateways', hosts: GATEWAYS, env: withConfig },
    ...Array.from({ length: NODES.length / EACH }, (_, part) => ({
      name: `nodes${part}`,
      hosts: NODES.slice(part * EACH, (part + 1) * EACH).filter((name) => name !== HOSTILE.refuses),
      env: withConfig,
      extra: `ForceCommand ${at('hostile.sh')}\n`,
    })),
  ];
  for (const daemon of daemons) await startDaemon(folder, port, daemon);
  return {
    folder,
    sshConfig: at('ssh_config'),
    adminProcesses: () => descendants(livingPid(at('admin1.pid')) ?? -1),
    plantTree: () =>
      writeFileSync(
        at('clush/topology.conf'),
        `[routes]\n${hostname().split('.')[0]}: gw[1-2]\ngw[1-2]: node[1-64]\n`,
      ),
    close: async () => {
      await Promise.all(daemons.map(({ name }) => end(at(`${name}.pid`))));
    },
  };
};

interface Daemon {
  name: string;
  hosts: readonly string[];
  env: string;
  extra?: string;
}

const startDaemon = async (
  folder: string,
  port: number,
  { name, hosts, env, extra = '' }: Daemon,
): Promise<void> => {
  const at = (file: string): string => join(folder, file);
  writeFileSync(
    at(`${name}.conf`),
    `Port ${port}
${hosts.map((host) => `ListenAddress ${addressOf(host)}\n`).join('')}HostKey ${at('host')}
PidFile ${at(`${name}.pid`)}
AuthorizedKeysFile ${at('client.pub')}
PermitRootLogin prohibit-password
${sshdSettings(env)}${extra}`,
  );
  run('/usr/sbin/sshd', ['-f', at(`${name}.conf`)]);
  await until(`sshd ${name}`, () => livingPid(at(`${name}.pid`)) !== undefined);
};
