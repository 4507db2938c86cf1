import type { Clues, Discovery, HostClue, Said } from '../../src/model/discover.ts';
import { parseDevices } from './read/parse-devices.ts';
import serverNames from './ask/server-names.sh';

/** Which devices only a host with a role has: `mdt` and `obdfilter` are targets, `lov` of `clilov` and `mdc` are a client's. */
const roleOfType: Readonly<Record<string, string>> = {
  mdt: 'lustre-mds',
  obdfilter: 'lustre-oss',
  mdc: 'lustre-client',
  osc: 'lustre-client',
};

interface Devices {
  host: string;
  roles: readonly string[];
  asRoot: boolean;
}

const rolesIn = (text: string | undefined): readonly string[] => {
  try {
    const { devices } = parseDevices({ stdout: text ?? '' });
    return [
      ...new Set(
        devices.flatMap(({ type }) => (Object.hasOwn(roleOfType, type) ? [roleOfType[type] ?? ''] : [])),
      ),
    ];
  } catch {
    // Not lctl's words: there is none, or it was refused.
    return [];
  }
};

const devicesOf = ({ host, printed }: Said): Devices | undefined => {
  const plain = rolesIn(printed.get('devices')?.text);
  const roles = plain.length > 0 ? plain : rolesIn(printed.get('devicesAsRoot')?.text);
  // Before 2.4 an MDS has `osc` devices of its own, and a server mounts its file system at times: what it serves is what it is for.
  const served = roles.filter((role) => role !== 'lustre-client');
  return roles.length > 0
    ? { host, roles: served.length > 0 ? served : roles, asRoot: plain.length === 0 }
    : undefined;
};

/** `getent hosts` of the servers' addresses: `10.10.0.2   mds1.example.org mds1`. */
const serversOf = ({ host, printed }: Said): HostClue[] =>
  [...(printed.get('servers')?.text ?? '').matchAll(/^[0-9a-fA-F.:]+\s+(\S+)/gm)].map(([, name = '']) => ({
    name,
    from: `osc and mdc of lctl get_param on ${host}`,
    asIs: 'Lustre server',
  }));

export const lustreDiscovery: Discovery = {
  system: 'lustre',
  commands: {
    devices: 'lctl dl',
    devicesAsRoot: '[ "$(id -u)" = 0 ] || { command -v lctl && sudo -n lctl dl; }',
    servers: serverNames,
  },
  read: (said): Clues => {
    const found = said.flatMap((one) => devicesOf(one) ?? []);
    const roots = found.filter(({ asRoot }) => asRoot).map(({ host }) => host);
    const served = found.some(({ roles }) => roles.some((role) => role !== 'lustre-client'));
    const servers = said.flatMap(serversOf);
    return {
      hosts: [
        ...found.flatMap(({ host, roles }) =>
          roles.map((role): HostClue => ({
            name: host,
            role,
            from: 'lctl dl there',
            ...(role === 'lustre-client' && { ofItself: true }),
          })),
        ),
        ...servers,
      ],
      settings:
        roots.length > 0
          ? [
              {
                key: 'sudo',
                value: true,
                from: `lctl dl gives nothing without sudo -n on ${roots.slice(0, 5).join(', ')}`,
              },
            ]
          : [],
      notes:
        found.length > 0 && !served && servers.length === 0
          ? [
              'Lustre: no server was found, only clients; name them: faultline init mds1 oss1, or write: - { names: mds1, roles: [lustre-mds] }',
            ]
          : [],
    };
  },
};
