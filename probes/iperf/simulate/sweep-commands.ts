import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { begin, endOf, type SimHost, type SimNet, type SimSweep } from './state.ts';

const waits = 180_000;

const endsAt = ({ startedAt = 0, rounds, slot }: SimSweep): number => startedAt + rounds * slot * 1000;

const stateOf = (sweep: SimSweep, now: number): string => {
  if (sweep.cancelledAt !== undefined) return 'cancelled';
  if (sweep.startedAt === undefined) return now - sweep.armedAt > waits ? 'expired' : 'armed';
  return now < endsAt(sweep) ? 'running' : 'done';
};

const isOpen = (sweep: SimSweep | undefined, now: number): sweep is SimSweep =>
  sweep !== undefined && /^(?:armed|running)$/.test(stateOf(sweep, now));

/** sweep-arm ID HOST HOSTS SECONDS SLOT ROUNDS STEP... */
export const armSweep = (host: SimHost, words: readonly string[], now: number): SimulatedAnswer => {
  const [id = '', , hosts, seconds, slot, rounds, ...steps] = words;
  if (isOpen(host.sweep, now)) return { stderr: 'a sweep runs here already\n', exitCode: 4 };
  host.sweep = {
    id,
    hosts: Number(hosts),
    seconds: Number(seconds),
    slot: Number(slot),
    rounds: Number(rounds),
    steps,
    armedAt: now,
  };
  return { stdout: `armed ${id}\n`, mutated: true };
};

/** sweep-go ID: from now on each test begins in its round. */
export const beginSweep = (
  net: SimNet,
  host: SimHost,
  [id]: readonly string[],
  now: number,
): SimulatedAnswer => {
  const { sweep } = host;
  if (sweep?.id !== id || !sweep || stateOf(sweep, now) !== 'armed')
    return { stderr: 'no such sweep is armed here\n', exitCode: 1 };
  sweep.startedAt = now;
  for (const step of sweep.steps) {
    const [round = '1', role = '', peer = '', address = '', tool = '', ports = ''] = step.split(',');
    if (role !== 'send') continue;
    const at = now + (Number(round) - 1) * sweep.slot * 1000 + 500;
    const { seconds } = sweep;
    const made = begin(
      net,
      {
        client: host.name,
        server: peer,
        address,
        tool,
        seconds,
        streams: 1,
        mode: 'forward',
        window: '',
        sweep: sweep.id,
        port: Number(ports.split('+')[0]),
      },
      at,
    );
    made.toMeet = true;
  }
  return { mutated: true };
};

/** Tests that have begun since the last look: those whose other end is in another sweep, or in none, are refused. */
export const refuseUnmet = (net: SimNet, host: SimHost, now: number): void => {
  for (const test of host.tests) {
    if (test.toMeet !== true || test.startedAt > now) continue;
    test.toMeet = false;
    if (net.hosts.get(test.server)?.sweep?.id !== test.sweep)
      test.error = 'iperf3: error - unable to connect to server: Connection refused';
  }
};

/** What has not begun never will. */
export const cancelSweep = (host: SimHost, now: number): void => {
  if (!isOpen(host.sweep, now)) return;
  host.sweep.cancelledAt = now;
  host.tests = host.tests.filter(({ startedAt }) => startedAt <= now);
  for (const test of host.tests) if (endOf(test) > now) test.cancelledAt = now;
};

/** Its state file; undefined when it was in no sweep. */
export const sweepFile = (host: SimHost, now: number): string | undefined => {
  const { sweep } = host;
  if (!sweep) return undefined;
  const { startedAt } = sweep;
  const until = Math.min(sweep.cancelledAt ?? now, now);
  const round =
    startedAt === undefined
      ? 0
      : Math.min(sweep.rounds, 1 + Math.floor((until - startedAt) / (sweep.slot * 1000)));
  const seconds = (at: number): number => Math.floor(at / 1000);
  const updated = startedAt === undefined ? sweep.armedAt : Math.min(until, endsAt(sweep));
  return `id=${sweep.id}
host=${host.name}
hosts=${sweep.hosts}
tests=${sweep.steps.filter((step) => step.includes(',send,')).length}
rounds=${sweep.rounds}
round=${round}
slot=${sweep.slot}
started=${seconds(startedAt ?? 0)}
pid=4711
state=${stateOf(sweep, now)}
updated=${seconds(updated)}
`;
};
