import { DeviceShell } from './device-shell.ts';
import { HostSessions } from './host-sessions.ts';
import { HostState, type HostTransport } from './host-state.ts';
import { Ssh2Connection } from './ssh2-connection.ts';
import type { Ssh2Context } from './ssh2-dial.ts';

/** Our own client: one pooled connection per host, framed requests on it. For hundreds of hosts at once. */
export const ssh2Transport = (host: string, context: Ssh2Context, legacy: boolean): HostTransport => {
  const state = new HostState(host, 'ssh2', context.clock, context.log);
  const connection = new Ssh2Connection(context, { name: host, legacy, trail: [] }, state);
  const sessions = new HostSessions(state, context.clock, () => connection.open());
  const device = new DeviceShell(
    state,
    context.clock,
    () => connection.openShell(),
    () => {
      // A connection holds one of the device's few lines even without a session.
      if (sessions.idle) connection.drop();
    },
  );
  const drop = () => {
    sessions.drop();
    device.drop();
    connection.drop();
  };
  return {
    kind: 'ssh2',
    run: (request, signal) => sessions.run(request, signal),
    type: (request, signal) => device.type(request, signal),
    connection: () => state.view(),
    retry: () => state.retry(),
    reset: drop,
    close: async () => drop(),
  };
};
