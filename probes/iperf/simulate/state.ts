/** A simulated host with one 10 Gbit/s NIC of eight queues. */
export interface SimHost {
  name: string;
  kernel: string;
  /** Cores that may serve each queue's interrupt, by number (`3`, `0-15`); the first of them does. */
  irqs: Map<number, string>;
  adaptiveRx: boolean;
  rxUsecs: number;
  irqbalance: boolean;
  tests: SimTest[];
  /** Servers that listen. */
  servers: SimServer[];
  sweep?: SimSweep;
}

/** A host's part of a sweep. */
export interface SimSweep {
  id: string;
  hosts: number;
  seconds: number;
  slot: number;
  rounds: number;
  /** `2,send,wn-d-05,10.1.0.5,iperf3,5301+5302`. */
  steps: readonly string[];
  armedAt: number;
  startedAt?: number;
  cancelledAt?: number;
}

export interface SimServer {
  pair: string;
  port: number;
  until: number;
}

export interface SimTest {
  id: string;
  client: string;
  server: string;
  address: string;
  tool: string;
  seconds: number;
  streams: number;
  mode: string;
  window: string;
  sweep: string;
  port: number;
  startedAt: number;
  cancelledAt?: number;
  /** Whether its other end takes part is seen when it begins. */
  toMeet?: boolean;
  /** What the tool said in place of a test. */
  error?: string;
  /** bits/s by second of each way. */
  there: number[];
  back: number[];
}

export interface SimNet {
  hosts: Map<string, SimHost>;
  tests: number;
}

export const cores = 16;
const firstIrq = 98;
export const queues = 8;
export const nic = 'ens1f0';

const newHost = (name: string): SimHost => ({
  name,
  kernel: '4.18.0-553.el8_10.x86_64',
  irqs: new Map(Array.from({ length: queues }, (_, at) => [firstIrq + at, String(at)])),
  adaptiveRx: false,
  rxUsecs: 50,
  irqbalance: false,
  tests: [],
  servers: [],
});

export const createNet = (names: readonly string[]): SimNet => ({
  hosts: new Map(names.map((name) => [name, newHost(name)])),
  tests: 0,
});

/** All interrupts of a host on one core, though each may go anywhere: nobody spread them. */
export const crowdInterrupts = (host: SimHost): void => {
  for (const irq of host.irqs.keys()) host.irqs.set(irq, `0-${cores - 1}`);
};

export const firstCore = (allowed: string): string => /^\d+/.exec(allowed)?.[0] ?? '0';

const isCrowded = (host: SimHost): boolean => new Set([...host.irqs.values()].map(firstCore)).size === 1;

export const badKernel = '2.6.32-042stab059.7';
const line = 9.47e9;

/** Four to five seconds on each level, the same in every demo. */
const isLow = (second: number): boolean => (second + 3) % 9 >= 5;

/** What goes from one host to another in a second of a test, bits/s. */
const rateOf = (from: SimHost, to: SimHost, second: number): number => {
  if (from.kernel === badKernel || to.kernel === badKernel) return 1.8e9 + (second % 3) * 0.01e9;
  if (isCrowded(to)) return isLow(second) ? 2.33e9 : line - (second % 3) * 0.01e9;
  return line - (second % 4) * 0.01e9;
};

/** A test from now on; its figures are those of the hosts as they are when it begins. */
export const begin = (
  net: SimNet,
  test: Pick<
    SimTest,
    'client' | 'server' | 'address' | 'tool' | 'seconds' | 'streams' | 'mode' | 'window' | 'sweep' | 'port'
  >,
  at: number,
): SimTest => {
  net.tests += 1;
  const [from, to] = [net.hosts.get(test.client), net.hosts.get(test.server)];
  const seconds = Array.from({ length: test.seconds }, (_, second) => second);
  const made: SimTest = {
    ...test,
    id: `${Math.floor(at / 1000)}-${4000 + net.tests}`,
    startedAt: at,
    there: from && to && test.mode !== 'reverse' ? seconds.map((second) => rateOf(from, to, second)) : [],
    back: from && to && test.mode !== 'forward' ? seconds.map((second) => rateOf(to, from, second)) : [],
  };
  from?.tests.unshift(made);
  from?.tests.splice(60);
  return made;
};

/** What is left of a test's time; it ends when it is cancelled. */
export const endOf = (test: SimTest): number =>
  test.cancelledAt ?? test.startedAt + (test.error === undefined ? test.seconds * 1000 : 0);
