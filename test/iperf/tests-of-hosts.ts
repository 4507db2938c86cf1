import { explain } from '../../src/collect/explain.ts';
import type { Finding, FindingDraft } from '../../src/model/finding.ts';
import { causes } from '../../probes/iperf/causes.ts';
import { findings } from '../../probes/iperf/judge/findings.ts';
import type { Carried, FactsReading, IperfRun } from '../../probes/iperf/readings.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

export const M = 1e6;
export const G = 1e9;

const facts = (more: Partial<FactsReading> = {}): FactsReading => ({
  nic: 'eth0',
  queues: [],
  mtu: 1500,
  ...more,
});

/** A test as the hosts keep it: `count` intervals at this rate, and the sums that iperf3 prints at the end. */
export const run = (pair: string, bps: number, more: Partial<IperfRun> = {}): IperfRun => {
  const [client = '', server = ''] = pair.split(':');
  const { streams = 1 } = more;
  const ids = Array.from({ length: streams }, (_, at) => String(5 + 2 * at));
  const row = (id: string, from: number, to: number) => ({
    id,
    start: from,
    end: to,
    bytes: ((bps / streams) * (to - from)) / 8,
    bps: bps / streams,
  });
  return {
    id: `${pair}-${more.startedAt ?? start}-${streams}`,
    client,
    server,
    tool: 'iperf3',
    seconds: 10,
    streams,
    mode: 'forward',
    startedAt: start - 60_000,
    endedAt: start - 50_000,
    rttMs: 0.2,
    vanished: false,
    status: 'ok',
    streamRows: ids.flatMap((id) => [
      { ...row(id, 0, 10), role: 'sender' as const, retransmits: (more.retransmits ?? 0) / streams },
      { ...row(id, 0, 10), role: 'receiver' as const },
    ]),
    intervals: Array.from({ length: 10 }, (_, at) => ids.map((id) => row(id, at, at + 1))).flat(),
    sourcePorts: {},
    ...more,
  };
};

export const world = (
  hosts: Record<string, Partial<FactsReading>>,
  runs: readonly IperfRun[],
  settings: object = {},
  carried: Record<string, readonly Carried[]> = {},
) => {
  const readings = new Sources();
  for (const [name, given] of Object.entries(hosts)) {
    readings.good('iperf.facts', name, facts(given));
    readings.good('iperf.results', name, {
      runs: runs.filter(({ client }) => client === name),
      servers: [],
      ...(carried[name] && { carried: carried[name] }),
    });
  }
  const site = siteOf(
    Object.keys(hosts).map((name) => ({ name, roles: ['iperf'] })),
    { settings: { iperf: settings } },
  );
  return judgementOf({ site, readings });
};
export const seen = (...args: Parameters<typeof world>): readonly FindingDraft[] => findings(world(...args));
export const kinds = (list: readonly FindingDraft[]): string[] => list.map(({ kind }) => kind);
export const unfolded = (list: readonly FindingDraft[]): string[] => {
  const folded = explain(list as unknown as Finding[], [{ system: 'iperf', causes }]);
  return list.filter(({ id }) => !folded.has(id)).map(({ id }) => id);
};
