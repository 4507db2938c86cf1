import type { ConnectionBadge, Transports } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { HostView, SiteView } from '../model/site.ts';
import { ControlFolder } from './control-folder.ts';
import { HostState, type HostTransport } from './host-state.ts';
import { KnownHostsCache } from './known-hosts-file.ts';
import { localTransport } from './child-wire.ts';
import { failure, unsentAnswer } from './failure.ts';
import { Names } from './names.ts';
import { openSshTransport } from './openssh.ts';
import { Places } from './places.ts';
import { SshConfig } from './ssh-config.ts';
import { ssh2Transport } from './ssh2.ts';
import { Ssh2Connection } from './ssh2-connection.ts';
import type { Ssh2Context } from './ssh2-dial.ts';

/** Key exchanges in flight: more only block the thread and meet MaxStartups. */
const HANDSHAKES = 16;

/** The pool of a site's transports, and what a collector does with it beyond asking. */
export interface SiteTransports extends Transports {
  transportTo(host: string): HostTransport;
  /** A person wants this host tried now, whatever its back-off says. */
  retry(host: string): void;
  /** After a suspend: takes all connections for dead. */
  reset(): void;
}

/**
 * The ways into a site's hosts, each made when first used: by what the site file says, else our own client, which hands
 * over to OpenSSH where it has to (with a badge). `to` throws for a host that the site does not have.
 */
export const createTransports = (options: {
  site: Pick<SiteView, 'host' | 'transports' | 'sshConfig'>;
  clock: Clock;
  log: Log;
  env: Readonly<Record<string, string | undefined>>;
}): SiteTransports => {
  const { site, clock, log, env } = options;
  const config = new SshConfig(site.sshConfig, env);
  const control = new ControlFolder(env);
  const jumps = new Map<string, Ssh2Connection>();
  const made = new Map<string, HostTransport>();

  const context: Ssh2Context = {
    clock,
    log,
    config,
    names: new Names(clock),
    knownHosts: new KnownHostsCache(),
    handshakes: new Places(HANDSHAKES),
    jump: (hops, trail) => jumpTo(hops, trail, context, jumps),
  };

  const make = ({ name, legacy }: HostView): HostTransport => {
    const openSsh = (badge?: ConnectionBadge) =>
      openSshTransport(name, { clock, log, config, control, env }, badge);
    switch (site.transports[name]) {
      case 'local':
        return localTransport(name, { clock, log, env });
      case 'openssh':
        return openSsh();
      default:
        return withFallback(ssh2Transport(name, context, legacy), openSsh, log);
    }
  };

  const to = (host: string): HostTransport => {
    const view = site.host(host);
    if (!view) throw new Error(`the site has no host ${host}`);
    const known = made.get(view.name);
    if (known) return known;
    const transport = make(view);
    made.set(view.name, transport);
    return transport;
  };

  return {
    transportTo: to,
    connections: () => new Map([...made].map(([host, one]) => [host, one.connection()])),
    retry: (host) => {
      for (const jump of jumps.values()) jump.retry();
      to(host).retry();
    },
    reset: () => {
      for (const jump of jumps.values()) jump.drop();
      for (const one of made.values()) one.reset();
    },
    close: async () => {
      await Promise.all([...made.values()].map((one) => one.close()));
      for (const jump of jumps.values()) jump.drop();
      await control.remove();
    },
  };
};

/** The connection to the last of several jump hosts, each through the one before; made once and shared by all hosts behind it. */
const jumpTo = (
  hops: readonly string[],
  trail: readonly string[],
  context: Ssh2Context,
  jumps: Map<string, Ssh2Connection>,
): Ssh2Connection | undefined => {
  const name = hops.at(-1);
  if (name === undefined) return undefined;
  const key = hops.join(',');
  const known = jumps.get(key);
  if (known) return known;
  const via = context.jump(hops.slice(0, -1), trail);
  const target = { name, legacy: false, trail, ...(via && { via }) };
  const state = new HostState(name, 'ssh2', context.clock, context.log);
  const connection = new Ssh2Connection(context, target, state);
  jumps.set(key, connection);
  return connection;
};

/** Goes over to OpenSSH for good when our own client meets what is beyond it; nothing had been sent then. */
const withFallback = (
  ours: HostTransport,
  openSsh: (badge: ConnectionBadge) => HostTransport,
  log: Log,
): HostTransport => {
  let now = ours;
  return {
    get kind() {
      return now.kind;
    },
    run: async (request, signal) => {
      const answer = await now.run(request, signal);
      if (answer.notConnected?.kind !== 'unsupported') return answer;
      if (now === ours) {
        log(answer.notConnected.message);
        now = openSsh('through OpenSSH');
        await ours.close();
      }
      return now.run(request, signal);
    },
    type: async (request, signal) => {
      const answer = now.type && (await now.type(request, signal));
      if (answer && (answer.notConnected?.kind !== 'unsupported' || now !== ours)) return answer;
      const { host } = now.connection();
      const said = answer?.notConnected?.said;
      const next = `${said?.next === undefined ? '' : `${said.next}; `}but a device's command line needs our own client`;
      const what = said?.what ?? 'it is reached through OpenSSH';
      return unsentAnswer(
        failure('unsupported', host, said?.detail === undefined ? what : [what, said.detail], next),
        0,
      );
    },
    connection: () => now.connection(),
    retry: () => now.retry(),
    reset: () => now.reset(),
    close: () => now.close(),
  };
};
