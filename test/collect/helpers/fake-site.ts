import type {
  RawAnswer,
  RunRequest,
  Transport,
  Transports,
  ConnectionState,
} from '../../../src/model/answer.ts';
import type { Clock } from '../../../src/model/ports.ts';
import type { HostView } from '../../../src/model/site.ts';
import type { Probe, System } from '../../../src/model/system.ts';
import * as z from 'zod';

export const host = (name: string, role = 'thing', location: Record<string, string> = {}): HostView => ({
  name,
  roles: [role],
  platform: 'linux',
  location,
  legacy: false,
});

/** A probe that reads its whole standard output as text. */
export const probeOf = (id: string, more: Partial<Probe<string>> = {}): Probe => {
  const probe: Probe<string> = {
    id,
    role: 'thing',
    everyMs: 10_000,
    touches: 'nothing',
    ask: () => ({ script: `show ${id}` }),
    read: ({ stdout }) => ({ value: stdout }),
    schema: z.string(),
    ...more,
  };
  return probe;
};

export const systemOf = (id: string, probes: readonly Probe[], more: Partial<System> = {}): System => ({
  id,
  title: id.toUpperCase(),
  roles: ['thing'],
  settings: z.object({}),
  probes,
  publishes: [],
  needs: [],
  facts: () => [],
  findings: () => [],
  track: () => [],
  view: () => ({ summary: '', sign: 'fine', wall: '', blocks: [] }),
  detail: () => [],
  ...more,
});

export const answerOf = (stdout: string | Uint8Array, more: Partial<RawAnswer> = {}): RawAnswer => {
  const bytes = typeof stdout === 'string' ? new TextEncoder().encode(stdout) : stdout;
  return {
    stdout: bytes,
    stderr: new Uint8Array(),
    exitCode: 0,
    truncated: false,
    stdoutBytes: bytes.byteLength,
    timedOut: false,
    lost: false,
    cancelled: false,
    durationMs: 10,
    ...more,
  };
};

/** Without an exit code. */
export const broken = (more: Partial<RawAnswer>): RawAnswer => {
  const { exitCode: _none, ...rest } = answerOf('');
  return { ...rest, ...more };
};

export const unreachable = (name: string): RawAnswer =>
  broken({
    notConnected: { kind: 'unreachable', message: `${name}: connection refused; is sshd running there?` },
  });

export interface Call {
  host: string;
  request: RunRequest;
  at: number;
}

export interface FakeTransports extends Transports {
  calls: Call[];
  /** Calls that have not been answered. */
  open(): number;
  resets: number;
  retries: string[];
  connect(state: ConnectionState): void;
}

/** Transports whose hosts answer as `answer` says, after `durationMs` of the answer on the clock. */
export const fakeTransports = (
  clock: Clock,
  answer: (host: string, request: RunRequest) => RawAnswer | 'hang',
): FakeTransports => {
  const connections = new Map<string, ConnectionState>();
  const calls: Call[] = [];
  let open = 0;
  const to = (name: string): Transport => ({
    kind: 'ssh2',
    connection: () => ({ host: name, kind: 'ssh2', state: 'idle', since: 0, badges: [] }),
    retry: () => void fake.retries.push(name),
    close: async () => {},
    run: async (request, signal) => {
      calls.push({ host: name, request, at: clock.mono() });
      open += 1;
      const result = answer(name, request);
      await clock.sleep(result === 'hang' ? 1e12 : result.durationMs, signal);
      // On a real way what is cancelled ends some turns later.
      if (signal?.aborted) await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      if (signal?.aborted || result === 'hang') return broken({ cancelled: true });
      return result;
    },
  });
  const fake: FakeTransports = {
    transportTo: to,
    calls,
    open: () => open,
    resets: 0,
    retries: [],
    reset: () => {
      fake.resets += 1;
    },
    connect: (state) => connections.set(state.host, state),
    connections: () => connections,
    close: async () => {},
  };
  return fake;
};
