import type { Clues, Discovery, FoundSoFar, HostClue, Said, SettingClue } from '../../src/model/discover.ts';
import { parseMounts, type NfsMount } from './read/parse-mounts.ts';
import { CLIENT, LOGIN, SERVER } from './settings.ts';

const mountsOf = ({ printed }: Said): readonly NfsMount[] => {
  try {
    const { mounts } = parseMounts({ stdout: printed.get('mounts')?.text ?? '' });
    return mounts.filter((mount): mount is NfsMount => mount.fsType !== 'autofs');
  } catch {
    // No table: the file could not be read.
    return [];
  }
};

/** `th 8 0 ...` in /proc/net/rpc/nfsd: threads of nfsd; the file is there where the module is, the threads where it serves. */
const hasThreads = ({ printed }: Said): boolean => {
  const table = printed.get('nfsd');
  return table?.code === 0 && Number(/^th (\d+)/m.exec(table.text)?.[1] ?? 0) > 0;
};

const ofItself = true as const;

const cluesOf = (one: Said, { hostOf }: FoundSoFar): HostClue[] => {
  const mounts = mountsOf(one);
  const servers = [...new Map(mounts.map((mount) => [mount.server, mount])).values()];
  return [
    ...(mounts.length > 0
      ? [{ name: one.host, role: CLIENT, from: 'NFS in its /proc/self/mountinfo', ofItself }]
      : []),
    ...(hasThreads(one)
      ? [{ name: one.host, role: SERVER, from: 'threads in its /proc/net/rpc/nfsd', ofItself }]
      : []),
    ...servers.map(({ server, mount, addr }) => ({
      // A mount by an address that nobody was seen to have keeps the address: it is told as such.
      name: hostOf(server) ?? (addr === undefined ? undefined : hostOf(addr)) ?? server,
      from: `mount ${mount} of ${one.host}`,
      asIs: 'NFS server',
    })),
  ];
};

/** Tables below /proc/fs/nfsd and mostly the kernel's log are root's: whether the login may become root where that matters. */
const settingsOf = (said: readonly Said[]): { settings: SettingClue[]; notes: string[] } => {
  const asked = said.filter((one) => mountsOf(one).length > 0 || hasThreads(one));
  const others = asked.filter(({ printed }) => printed.get('root')?.text.trim().split('\n')[0] !== '0');
  const without = others.filter(({ printed }) => !/^sudo$/m.test(printed.get('root')?.text ?? ''));
  if (others.length === 0) return { settings: [], notes: [] };
  const names = (some: readonly Said[]): string =>
    some
      .slice(0, 5)
      .map(({ host }) => host)
      .join(', ');
  if (without.length === 0)
    return {
      settings: [
        { key: 'sudo', value: true, from: `the login is not root, and sudo -n works on ${names(others)}` },
      ],
      notes: [],
    };
  return {
    settings: [],
    notes: [
      `nfs: the login is not root on ${names(without)}, and sudo -n does not work there: what only root may read is not seen; once it works, write: sudo: true`,
    ],
  };
};

/** Names that tell where users work; only proposed. */
const looksLikeLogin = /^(?:login|submit|front|fe|ui|head)-?\d*(?:\.|$)/i;

export const nfsDiscovery: Discovery = {
  system: 'nfs',
  commands: {
    mounts: 'cat /proc/self/mountinfo',
    nfsd: 'cat /proc/net/rpc/nfsd',
    root: 'id -u; sudo -n true && echo sudo',
  },
  read: (said, found): Clues => {
    const { settings, notes } = settingsOf(said);
    const logins = said.filter(({ host }) => looksLikeLogin.test(host)).map(({ host }) => host);
    return {
      hosts: said.flatMap((one) => cluesOf(one, found)),
      settings,
      notes: [
        ...notes,
        ...(logins.length > 0
          ? [
              `${logins.join(', ')}: by the name, users work there; with the role ${LOGIN} it is measured how long lists of directories take`,
            ]
          : []),
      ],
    };
  },
};
