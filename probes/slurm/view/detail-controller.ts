import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell } from '../../../src/model/view.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { controllerState } from '../judge/controller-state.ts';
import { lastDurations, median } from '../judge/find-slow.ts';
import type { ConfigReading, PingReading, SdiagReading } from '../readings.ts';
import { latencySeries } from '../judge/track.ts';

const hourMs = 3_600_000;

/** The controller: how it answers, how busy it is, how long answers took in the last hour, and which requests are slow. */
export const controllerDetail = (host: string, judgement: Judgement): Block[] => {
  const { readings, history, now } = judgement;
  const sdiag = readings.source<SdiagReading>('slurm.sdiag', host)?.good;
  const config = readings.source<ConfigReading>('slurm.config', host)?.good?.value;
  const ping = readings.source<PingReading>('slurm.ping', host)?.good;
  const durations = lastDurations(host, judgement);
  const state = controllerState(judgement);
  const facts: { name: string; cell: Cell; source?: string }[] = [
    { name: 'slurmctld', cell: { text: state.state === 'notAsked' ? 'not asked yet' : state.state } },
    {
      name: 'controllers',
      cell: {
        text:
          ping?.value.controllers
            .map((one) => `${one.host} (${one.role}) ${one.up ? 'up' : 'DOWN'}`)
            .join(', ') ?? '',
        ...(ping && { age: ping.at }),
      },
    },
    { name: 'cluster', cell: { text: config?.clusterName ?? '' } },
    { name: 'version', cell: { text: config?.version ?? '' } },
    {
      name: 'median answer',
      cell: { text: durations.length === 0 ? '' : `${(median(durations) / 1000).toFixed(2)} s` },
    },
    { name: 'server threads', cell: figure(sdiag?.value.serverThreadCount) },
    { name: 'messages to send', cell: figure(sdiag?.value.agentQueueSize) },
    { name: 'agents', cell: figure(sdiag?.value.agentCount) },
    { name: 'agent threads', cell: figure(sdiag?.value.agentThreadCount) },
    { name: 'records for slurmdbd', cell: figure(sdiag?.value.dbdAgentQueueSize) },
    { name: 'last scheduler cycle', cell: cycle(sdiag?.value.lastCycleUs) },
    { name: 'longest scheduler cycle', cell: cycle(sdiag?.value.maxCycleUs) },
    { name: 'jobs running', cell: figure(sdiag?.value.jobsRunning) },
    { name: 'jobs pending', cell: figure(sdiag?.value.jobsPending) },
    { name: 'SlurmUser', cell: { text: config?.slurmUser ?? '' } },
    { name: 'ResumeTimeout', cell: seconds(config?.resumeTimeoutS) },
    { name: 'HealthCheckProgram', cell: { text: config?.healthCheckProgram ?? '' } },
    { name: 'HealthCheckInterval', cell: seconds(config?.healthCheckIntervalS) },
    { name: 'RebootProgram', cell: { text: config?.rebootProgram ?? '' } },
    { name: 'PrivateData', cell: { text: config?.privateData?.join(',') ?? '' } },
  ];
  const points = history
    .changes(latencySeries(host), now - hourMs)
    .map(({ at, value }) => ({ at, value: Number(value) / 1000 }));
  return [
    {
      type: 'facts',
      id: 'controller',
      facts: facts.filter(({ cell }) => cell.text !== '').map((one) => ({ ...one, source: host })),
    },
    {
      type: 'chart',
      id: 'latency',
      title: 'answer time, last hour',
      unit: 's',
      series: [{ name: host, points }],
    },
    ...(sdiag ? [rpcTable(sdiag.value)] : []),
  ];
};

const figure = (value: number | undefined): Cell => ({
  text: value === undefined ? '' : groupThousands(value),
});

const cycle = (us: number | undefined): Cell => ({
  text: us === undefined ? '' : `${(us / 1e6).toFixed(2)} s`,
});

const seconds = (value: number | undefined): Cell => ({ text: value === undefined ? '' : `${value} s` });

const rpcTable = ({ rpcs }: SdiagReading): Block => ({
  type: 'table',
  id: 'rpcs',
  title: 'Requests since the controller counts',
  columns: [
    { id: 'name', title: 'REQUEST', min: 24, grow: 1 },
    { id: 'count', title: 'COUNT', align: 'right', min: 9 },
    { id: 'ave', title: 'MEAN ms', align: 'right', min: 9 },
  ],
  rows: rpcs
    .toSorted((a, b) => b.aveTimeUs - a.aveTimeUs)
    .slice(0, 30)
    .map(({ name, count, aveTimeUs }) => ({
      key: name,
      cells: {
        name: { text: name },
        count: { text: groupThousands(count), sort: count },
        ave: { text: groupThousands(Number((aveTimeUs / 1000).toFixed(1))), sort: aveTimeUs },
      },
    })),
  empty: 'none counted',
});
