import type { Readings } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { toolsOf } from './pairs.ts';
import type { ToolsReading } from '../readings.ts';
import { settingsOf } from '../settings.ts';

/** A test as both ends are told of it. */
export interface Order {
  client: string;
  server: string;
  /** What the client connects to. */
  address: string;
  tool: 'iperf3' | 'iperf2';
  seconds: number;
  streams: number;
  mode: 'forward' | 'reverse' | 'both';
  window?: string;
  /** Mbit/s per stream. */
  rate?: number;
  /** Tried one after the other when one is in use. */
  ports: readonly number[];
  /** Ends within 10 s when nobody watches it any more. */
  watched: boolean;
}

const release = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major * 1000 + minor;
};

/** What each mode needs at both ends: `--bidir` came with iperf3 3.7, `-R` and `--full-duplex` with iperf 2.1. */
const leastFor = (tool: Order['tool'], mode: Order['mode']): number =>
  tool === 'iperf3' ? (mode === 'both' ? 3007 : 0) : mode === 'forward' ? 0 : 2001;

const says = (host: string, reading: ToolsReading | undefined): string =>
  reading === undefined
    ? `${host} was not read`
    : reading.tools.length === 0
      ? `${host} has no iperf`
      : `${host} has ${reading.tools.map(({ tool, version }) => `${tool} ${version}`).join(' and ')}`;

/** The tool that both ends have and that can do the test: iperf3 before iperf 2; else why there is none. */
export const chooseTool = (
  client: string,
  server: string,
  mode: Order['mode'],
  readings: Readings,
): { tool: Order['tool'] } | { problem: string } => {
  const ends = [client, server].map((host) => ({ host, reading: toolsOf(readings, host)?.good?.value }));
  const hasTool = (tool: Order['tool'], least: number): boolean =>
    ends.every(({ reading }) =>
      reading?.tools.some((one) => one.tool === tool && release(one.version) >= least),
    );
  const tool = (['iperf3', 'iperf2'] as const).find((one) => hasTool(one, leastFor(one, mode)));
  if (tool) return { tool };
  const all = ends.map(({ host, reading }) => says(host, reading)).join(', ');
  const common = hasTool('iperf3', 0) || hasTool('iperf2', 0);
  return {
    problem: common
      ? `${all}: too old for mode ${mode} (iperf3 3.7 for both ways, iperf 2.1 for reverse); test the pair the other way round`
      : `${all}: versions that can't talk to each other`,
  };
};

/** Free ports of the range, by what the server's host listens on: the first few, so that a race is survived. */
export const freePorts = (
  server: string,
  { readings, site }: Pick<Judgement, 'readings' | 'site'>,
): number[] => {
  const { from, to } = settingsOf(site).ports;
  const taken = new Set(toolsOf(readings, server)?.good?.value.listening);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
    .filter((port) => !taken.has(port))
    .slice(0, 3);
};
