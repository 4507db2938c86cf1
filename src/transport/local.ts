import type { Clock, Log } from '../model/ports.ts';
import { childWire } from './child-wire.ts';
import { failure } from './failure.ts';
import { HostSessions } from './host-sessions.ts';
import { HostState } from './host-state.ts';
import type { HostTransport } from './host-transport.ts';

/** The machine the console runs on: the same framed `sh`, started here. */
export const localTransport = (
  host: string,
  context: { clock: Clock; log: Log; env: Readonly<Record<string, string | undefined>> },
): HostTransport => {
  const state = new HostState(host, 'local', context.clock, context.log);
  const sessions = new HostSessions(state, context.clock, async () => ({
    wire: childWire(['sh'], context.env, ({ cause }) =>
      cause === undefined ? undefined : failure('other', host, `sh did not start (${cause})`, 'see PATH'),
    ),
  }));
  return {
    kind: 'local',
    run: (request, signal) => sessions.run(request, signal),
    connection: () => state.view(),
    retry: () => state.retry(),
    reset: () => sessions.drop(),
    close: async () => sessions.drop(),
  };
};
