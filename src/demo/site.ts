import { rmSync } from 'node:fs';
import type { Simulator } from '../model/simulator.ts';
import { newFolder } from './folder.ts';
import { HostServer, newKeyPair, parsePublic, type KeyPair } from './host-server.ts';
import type { Edit, HostFault, LoggedCall } from './messages.ts';
import { writeSite } from './site-files.ts';
import { SHARED, World } from './world.ts';

/** More hosts than this share host keys: making ten thousand would take longer than starting everything else. */
const MOST_KEYS = 512;

const POWER_CHECK_MS = 250;

/** A running demo site in this thread. */
export interface DemoSite {
  folder: string;
  siteFile: string;
  calls(): readonly LoggedCall[];
  start(incident: string): void;
  fault(host: string, fault: HostFault): Promise<void>;
  edit(host: string, edits: readonly Edit[]): void;
  close(): Promise<void>;
}

/** Starts one SSH server per simulated host and writes the files to reach them. */
export const startSite = async (simulators: readonly Simulator[], incident: string): Promise<DemoSite> => {
  const world = new World(simulators, () => Date.now());
  world.start(incident);
  const clientKey = newKeyPair();
  const allowed = parsePublic(clientKey.publicLine);
  const keys = hostKeys(world.hosts.length);
  const servers = new Map(
    world.hosts.map(({ name }, index) => [
      name,
      new HostServer(name, keys[index % keys.length] ?? clientKey, allowed, world),
    ]),
  );
  await Promise.all([...servers.values()].map((server) => server.listen()));
  const folder = newFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const siteFile = writeSite(folder, {
    name: 'demo',
    shared: SHARED,
    settings: Object.fromEntries(simulators.map(({ system, settings }) => [system, settings])),
    intervals: Object.assign({}, ...simulators.map(({ intervals }) => intervals ?? {})) as Record<
      string,
      string
    >,
    runbooks: simulators.flatMap(({ runbooks = [] }) => runbooks),
    listening: world.hosts.map((host) => {
      const server = servers.get(host.name);
      return { host, port: server?.port ?? 0, publicLine: server?.key.publicLine ?? '' };
    }),
    clientKey,
  });
  const power = watchPower(world, servers);
  return {
    folder,
    siteFile,
    calls: () => world.log,
    start: (name) => world.start(name),
    fault: async (host, fault) => {
      const server = servers.get(host);
      if (!server) throw new RangeError(`the demo site has no host ${host}`);
      server.set(fault);
    },
    edit: (host, edits) => {
      if (!servers.has(host)) throw new RangeError(`the demo site has no host ${host}`);
      world.edits.set(host, edits);
    },
    close: async () => {
      clearInterval(power);
      await Promise.all([...servers.values()].map((server) => server.close()));
      process.off('exit', remove);
      remove();
    },
  };
};

const hostKeys = (hosts: number): KeyPair[] => Array.from({ length: Math.min(hosts, MOST_KEYS) }, newKeyPair);

/** Hosts lose and get power as the simulators say. */
const watchPower = (world: World, servers: ReadonlyMap<string, HostServer>): NodeJS.Timeout => {
  let off: ReadonlySet<string> = new Set();
  const check = (): void => {
    const now = world.poweredOff();
    for (const host of now) if (!off.has(host)) servers.get(host)?.power(false);
    for (const host of off) if (!now.has(host)) servers.get(host)?.power(true);
    off = now;
  };
  check();
  return setInterval(check, POWER_CHECK_MS);
};
