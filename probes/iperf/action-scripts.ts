import type { Step } from '../../src/model/action.ts';
import type { Order } from './order.ts';
import { scriptRefusals } from './refusals.ts';
import { clientScript, serverScript } from './test-scripts.ts';

/** Ends every test of a host: clients write what they have, servers go. */
const cancelScript = `d=/var/tmp/faultline-tasks
for f in "$d"/iperf-*.run; do [ -e "$f" ] && ! grep -q '^=== end ' "$f" && : >"$f.cancel"; done
rm -f "$d"/iperf-*.server; grep -qs -e '^state=armed' -e '^state=running' "$d/iperf-sweep.task" && : >"$d/iperf-sweep.cancel"; exit 0`;

const pairOf = ({ client, server }: Order): string => `${client}:${server}`;
const watchedOf = ({ watched }: Order): string => (watched ? 'watched' : 'bounded');

/** Starts the server on its host: exits 0 when it listens. */
export const serverStep = (order: Order): Step => ({
  host: order.server,
  argv: [
    'sh',
    '-s',
    '--',
    pairOf(order),
    order.tool,
    String(order.seconds),
    watchedOf(order),
    String(rowsOf(order)),
    ...order.ports.map(String),
  ],
  stdin: serverScript,
  refusals: scriptRefusals,
  deadlineMs: 15_000,
});

/** Starts the client on its host, which goes on without us; exits 0 once its state file is there. */
export const clientStep = (order: Order): Step => ({
  host: order.client,
  argv: [
    'sh',
    '-s',
    '--',
    order.client,
    order.server,
    watchedOf(order),
    order.address,
    order.tool,
    String(order.seconds),
    String(order.streams),
    order.mode,
    order.window ?? '',
    '',
    String(rowsOf(order)),
    order.ports.join(' '),
    ...optionsOf(order),
  ],
  stdin: clientScript,
  refusals: scriptRefusals,
  deadlineMs: 15_000,
});

export const cancelStep = (host: string): Step => ({
  host,
  argv: ['sh', '-s', '--', 'cancel'],
  stdin: cancelScript,
});

/** Lines that an interval takes: a row per stream and direction, the sum, a line of dashes. */
const rowsOf = ({ streams, mode }: Order): number => (streams === 1 && mode !== 'both' ? 1 : 2 * streams + 3);

/** One second, unless the state file would outgrow what is read of it (lines of some 90 bytes, 200 kB). */
const everyOf = (order: Order): number =>
  Math.max(1, Math.ceil((order.seconds * rowsOf(order) * 90) / 200_000));

const modes = {
  iperf3: { forward: [], reverse: ['-R'], both: ['--bidir'] },
  iperf2: { forward: [], reverse: ['-R'], both: ['--full-duplex'] },
} as const;

const optionsOf = (order: Order): string[] => {
  const { tool, seconds, streams, mode, window, rate } = order;
  return [
    '-t',
    String(seconds),
    '-i',
    String(everyOf(order)),
    '-P',
    String(streams),
    ...modes[tool][mode],
    ...(window === undefined ? [] : ['-w', window]),
    ...(rate === undefined ? [] : ['-b', `${rate}M`]),
  ];
};
