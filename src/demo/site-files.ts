import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedHost } from '../model/simulator.ts';
import { fold } from '../text/nodeset.ts';
import type { KeyPair } from './host-server.ts';

/** A simulated host and where it listens. */
interface Listening {
  host: SimulatedHost;
  port: number;
  publicLine: string;
}

interface SiteParts {
  name: string;
  shared: { host: string; dir: string };
  settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  intervals: Readonly<Record<string, string>>;
  runbooks: readonly { finding: string; contact: string }[];
  listening: readonly Listening[];
  clientKey: KeyPair;
}

/**
 * Writes what a program needs to reach the demo as it reaches any site: ssh_config, known_hosts, the client's key and
 * site.yaml, readable by the user alone. Gives the path of site.yaml.
 */
export const writeSite = (folder: string, parts: SiteParts): string => {
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const key = write('id_ecdsa', parts.clientKey.privateText);
  const known = write(
    'known_hosts',
    parts.listening.map(({ port, publicLine }) => `[127.0.0.1]:${port} ${publicLine}\n`).join(''),
  );
  const sshConfig = write('ssh_config', sshConfigText(parts.listening, key, known));
  return write('site.yaml', siteText(parts, sshConfig));
};

const sshConfigText = (listening: readonly Listening[], key: string, known: string): string =>
  [
    ...listening.map(({ host, port }) => `Host ${host.name}\n  Port ${port}\n`),
    'Host *',
    '  HostName 127.0.0.1',
    '  User demo',
    `  IdentityFile "${key}"`,
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    `  UserKnownHostsFile "${known}"`,
    '  GlobalKnownHostsFile /dev/null',
    '  StrictHostKeyChecking yes',
    '',
  ].join('\n');

/** JSON is YAML: every value is written as JSON, one line per host group and section. */
const siteText = (
  { name, shared, settings, intervals, runbooks, listening }: SiteParts,
  sshConfig: string,
): string => {
  const groups = Map.groupBy(listening, ({ host }) =>
    JSON.stringify({
      ...(host.roles.length > 0 && { roles: host.roles }),
      ...(host.platform !== undefined && { platform: host.platform }),
      ...(host.location && { location: host.location }),
      ...(host.undoHost !== undefined && { undoHost: host.undoHost }),
      ...(host.legacy && { legacy: true }),
    }),
  );
  const hosts = [...groups].map(([rest, members]) => {
    const names = fold(members.map(({ host }) => host.name));
    return `  - ${JSON.stringify({ names, ...(JSON.parse(rest) as object) })}`;
  });
  return [
    `site: ${JSON.stringify(name)}`,
    `sshConfig: ${JSON.stringify(sshConfig)}`,
    `shared: ${JSON.stringify(shared)}`,
    `audit: ${JSON.stringify({ syslog: shared.host })}`,
    `intervals: ${JSON.stringify(intervals)}`,
    `runbooks: ${JSON.stringify(runbooks)}`,
    'hosts:',
    ...hosts,
    ...Object.entries(settings).map(([system, section]) => `${system}: ${JSON.stringify(section)}`),
    '',
  ].join('\n');
};
