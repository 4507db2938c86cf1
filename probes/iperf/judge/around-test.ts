import type { Readings } from '../../../src/model/reading.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { FactsReading, IperfRun, ToolsReading } from '../readings.ts';
import { twoLevels } from './bimodal.ts';
import { type Direction, type Samples, samplesOf } from './samples.ts';
import type { Around } from './verdict.ts';

/** A test with one stream of the day before says what one stream gives. */
const singleForMs = 24 * 3600 * 1000;

export const findSingleStream = (
  run: IperfRun,
  others: readonly { run: IperfRun; direction: Direction }[],
): { bps: number } | undefined => {
  const one = others.find(
    (other) =>
      other.run.streams === 1 &&
      other.run.status === 'ok' &&
      Math.abs(run.startedAt - other.run.startedAt) < singleForMs,
  );
  const bps = one && samplesOf(one.run, one.direction)?.total;
  return bps ? { bps } : undefined;
};

/** Headers of IPv4 and TCP with time stamps. */
export const headerBytes = 52;

/** MTU less the headers, of the end with the smaller one. */
export const segmentOf = (...ends: readonly (FactsReading | undefined)[]): number | undefined => {
  const mtus = ends.flatMap((facts) => facts?.mtu ?? []);
  return mtus.length === ends.length ? Math.min(...mtus) - headerBytes : undefined;
};

export const pathOf = ({ mtu, fullPings, standardPings }: IperfRun): Around['path'] =>
  mtu === undefined || fullPings === undefined
    ? undefined
    : { mtu, full: fullPings, ...dropUndefined({ standard: standardPings }) };

/** Until 3.15 iperf3 does all in one thread, from 3.16 on each stream has one at both ends. */
const threadsOf = ({ streams, mode }: IperfRun, version: string | undefined): number => {
  const [, minor = 0] = /^3\.(\d+)/.exec(version ?? '') ?? [];
  return Number(minor) >= 16 ? streams * (mode === 'both' ? 2 : 1) : 1;
};

export const cpuOf = (run: IperfRun, from: string, readings: Readings): Around['cpu'] => {
  const { cpu, client, server } = run;
  if (!cpu) return undefined;
  const versionOn = (host: string): string | undefined =>
    readings
      .source<ToolsReading>('iperf.tools', host)
      ?.good?.value.tools.find(({ tool }) => tool === 'iperf3')?.version;
  return [
    { host: client, percent: cpu.client, version: run.version ?? versionOn(client) },
    { host: server, percent: cpu.server, version: versionOn(server) ?? run.version },
  ].map(({ host, percent, version }) => ({
    host,
    role: host === from ? ('sender' as const) : ('receiver' as const),
    percent,
    threads: threadsOf(run, version),
  }));
};

/** Single-stream tests that were each steady in time: what differs between them is the port. */
export const steadySingles = (
  tests: readonly { run: IperfRun; samples: Samples | undefined }[],
): { port: number; bps: number }[] =>
  tests.flatMap(({ run, samples }) => {
    const port = samples?.streams.length === 1 ? samples.streams[0]?.port : undefined;
    return run.streams === 1 && samples && port !== undefined && !twoLevels(samples.intervals)
      ? [{ port, bps: samples.total }]
      : [];
  });

/** The bytes that can be under way, and whose setting that is. Linux gives half of tcp_rmem's largest buffer to the window (tcp_adv_win_scale 1). */
export const windowOf = (
  run: IperfRun,
  { from, to }: { from: string; to: string },
  sender: FactsReading | undefined,
  receiver: FactsReading | undefined,
): Pick<Around, 'windowBytes' | 'windowBy'> => {
  const asked = /^(\d+)([KM]?)$/i.exec(run.window ?? '');
  if (asked) {
    const unit = { K: 1024, M: 1_048_576 }[(asked[2] ?? '').toUpperCase()] ?? 1;
    return { windowBytes: Number(asked[1]) * unit, windowBy: { text: 'the window that the test asked for' } };
  }
  const [rmem, wmem] = [receiver?.rmemMax, sender?.wmemMax];
  if (rmem === undefined || wmem === undefined) return {};
  return rmem / 2 <= wmem
    ? { windowBytes: rmem / 2, windowBy: { text: `tcp_rmem of the receiver is ${rmem} at most`, host: to } }
    : { windowBytes: wmem, windowBy: { text: `tcp_wmem of the sender is ${wmem} at most`, host: from } };
};
