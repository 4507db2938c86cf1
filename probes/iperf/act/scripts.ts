import type { Step } from '../../../src/model/action.ts';
import type { Order } from '../judge/order.ts';
import clientScript from '../sweep/client.sh';
import serverScript from '../sweep/server.sh';
import { startScript, withScript } from '../sweep/steps.ts';
import cancelScript from './cancel.sh';

const pairOf = ({ client, server }: Order): string => `${client}:${server}`;
/** Lines of server.sh and client.sh that run iperf. */
const serverRuns = ['iperf3 -s', 'stdbuf -oL'];
const clientRuns = ['stdbuf -oL'];

const watchedOf = ({ watched }: Order): string => (watched ? 'watched' : 'bounded');

/** Starts the server on its host: exits 0 when it listens. */
export const serverStep = (order: Order): Step => ({
  host: order.server,
  ...startScript(
    serverScript,
    [pairOf(order), order.tool, order.seconds, watchedOf(order), rowsOf(order), ...order.ports],
    serverRuns,
  ),
});

/** Starts the client on its host, which goes on without us; exits 0 once its state file is there. */
export const clientStep = (order: Order): Step => ({
  host: order.client,
  ...startScript(
    clientScript,
    [
      order.client,
      order.server,
      watchedOf(order),
      order.address,
      order.tool,
      order.seconds,
      order.streams,
      order.mode,
      order.window ?? '',
      '',
      rowsOf(order),
      order.ports.join(' '),
      ...optionsOf(order),
    ],
    clientRuns,
  ),
});

export const cancelStep = (host: string): Step => ({
  host,
  ...withScript(cancelScript, ['cancel'], ['iperf-*.run', 'iperf-*.server']),
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

const optionsOf = (order: Order): (string | number)[] => {
  const { tool, seconds, streams, mode, window, rate } = order;
  return [
    '-t',
    seconds,
    '-i',
    everyOf(order),
    '-P',
    streams,
    ...modes[tool][mode],
    // The CPU of both ends, beside the intervals (iperf3(1)); of iperf 2 it means IPv6.
    ...(tool === 'iperf3' ? ['-V'] : []),
    ...(window === undefined ? [] : ['-w', window]),
    ...(rate === undefined ? [] : ['-b', `${rate}M`]),
  ];
};
