import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Point } from '../../../src/model/reading.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom, failingSince } from '../../../src/kit/findings.ts';
import { groupThousands, percent } from '../../../src/text/units.ts';
import type { AccountingReading, ConfigReading, SdiagReading } from '../readings.ts';
import { clusterOf } from './cluster.ts';
import { finding } from './sentence.ts';
import { sourceOf } from './clusters.ts';

/** How many accounting records wait for slurmdbd. */
export const dbdSeries = (host: string): string => `slurm/controller/${host}/dbd`;

/** So few are a moment's work for slurmdbd, even when a large array ends. */
const few = 1_000;
/** A queue that was there all this time and did not shrink is not worked off. */
const growingMs = 10 * 60_000;

/** slurmdbd can't be asked or slurmctld is not registered with it; records wait in slurmctld for it: from when on they are lost. */
export const accountingFindings = (judgement: Judgement): FindingDraft[] => [
  ...slurmdbdFindings(judgement),
  ...behindFindings(judgement),
];

/** What slurmdbd says when it is asked itself. Silence of sacctmgr for other reasons (no such command, no right) proves nothing. */
const slurmdbdFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<AccountingReading>(judgement.readings, 'slurm.accounting');
  const text = source && saidOf(source, judgement);
  if (!source || text === undefined) return [];
  const { host } = source;
  const sdiag = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  const waiting = sdiag?.good?.value.dbdAgentQueueSize;
  // slurmctld, which writes to slurmdbd all the time, says otherwise: one question that was late is no verdict. It counts a moment ago, too: a
  // controller that is slow may not have given its next answer yet.
  const isOnce = hasTimedOutOnce(source, judgement) && isRecent(sdiag, judgement) && waiting === 0;
  return [
    finding({
      kind: 'accounting-down',
      key: host,
      // It registers within seconds of its start or of slurmdbd's: without a record that waits nothing is missing.
      severity:
        isOnce || (source.good?.value.state === 'answers' && source.state === 'fresh' && waiting === 0)
          ? 'notice'
          : 'warning',
      subject: { kind: 'host', id: host },
      summary: `${text}${isOnce ? ', once; no record of slurmctld waits for it' : waitingText(waiting, judgement)}`,
      advice:
        'Look at slurmdbd and its database (systemctl status slurmdbd, its log, the disk of the database): jobs run on and start, their records wait in slurmctld; sacct, sacctmgr and new accounts do not work.',
      evidence: [
        { text: source.failure?.message ?? source.good?.value.message ?? text, probe: source.probe, host },
        ...(waiting === undefined
          ? []
          : [{ text: `${groupThousands(waiting)} records wait in slurmctld`, host }]),
      ],
      ...failingSince([source]),
    }),
  ];
};

/** It ended by its time, and was not asked again since. */
const hasTimedOutOnce = (
  { state, failure, failingSince = 0, everyMs }: Source<AccountingReading>,
  { now }: Judgement,
): boolean => state === 'failed' && failure?.kind === 'timeout' && now - failingSince < everyMs;

const isRecent = (source: Source<SdiagReading> | undefined, { now }: Judgement): boolean =>
  source?.good !== undefined && now - source.good.at <= 2 * source.everyMs;

const saidOf = (source: Source<AccountingReading>, { readings }: Judgement): string | undefined => {
  const { host, state, good, failure } = source;
  if (state === 'failed')
    return failure?.kind === 'timeout' ? `slurmdbd does not answer sacctmgr on ${host} in time` : undefined;
  if (state !== 'fresh' || !good) return undefined;
  if (good.value.state === 'down') return `slurmdbd does not answer: sacctmgr on ${host} gets no connection`;
  if (good.value.state === 'refused') return refusedText(host, good.value.message, readings);
  if (good.value.state === 'database') return `slurmdbd answers ${host}, but its database does not`;
  const own = readings.source<ConfigReading>('slurm.config', host)?.good?.value.clusterName?.toLowerCase();
  const cluster = good.value.clusters.find(({ name }) => name.toLowerCase() === own);
  return cluster?.connected === false
    ? `slurmctld of ${cluster.name} is not registered with slurmdbd`
    : undefined;
};

/** `; 6,000 records wait (limit 20,080)`; nothing of a few. */
const waitingText = (waiting: number | undefined, judgement: Judgement): string =>
  waiting === undefined || waiting < few
    ? ''
    : `; ${groupThousands(waiting)} records wait (limit ${groupThousands(limitOf(judgement).records)})`;

/** Where slurmctld refuses this host too, munge is broken on it: then nothing is said of slurmdbd. */
const refusedText = (
  host: string,
  message: string | undefined,
  readings: Judgement['readings'],
): string | undefined =>
  readings.source('slurm.nodes', host)?.state === 'fresh'
    ? `slurmdbd refuses sacctmgr on ${host}: ${message?.split(': ').at(-1) ?? 'no reason given'}`
    : undefined;

/** Records wait in slurmctld for slurmdbd: from when on they are lost. */
const behindFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  const waiting = source?.good?.value.dbdAgentQueueSize ?? 0;
  if (!source || waiting < few) return [];
  const { host } = source;
  const limit = limitOf(judgement);
  const grows = isGrowing(judgement.history.changes(dbdSeries(host), 0), waiting, judgement.now);
  const severity = severityOf(waiting / limit.records, grows);
  const left =
    waiting >= limit.records
      ? `new ones are lost (limit ${groupThousands(limit.records)})`
      : `lost from ${groupThousands(limit.records)} on`;
  return [
    finding({
      kind: 'accounting-behind',
      key: host,
      severity,
      subject: { kind: 'host', id: host },
      summary: `${grows ? 'slurmdbd takes too few records or none' : 'slurmdbd is behind with the records'} of ${host}: ${groupThousands(waiting)} wait, ${left}`,
      advice:
        'Look at slurmdbd and its database (systemctl status slurmdbd, its log, the disk of the database): jobs go on, their accounting waits in the memory of slurmctld.',
      evidence: [
        evidenceFrom(
          source,
          `DBD agent queue size ${groupThousands(waiting)}, ${percent(waiting / limit.records)} of ${limit.from}`,
        ),
        ...(grows ? [evidenceFrom(source, 'the queue has not shrunk in the last 10 min')] : []),
      ],
    }),
  ];
};

/** A large array that ends makes a queue that is worked off in minutes: one look is critical only where records are lost already. */
const severityOf = (share: number, grows: boolean): Severity => {
  if (share >= 1 || (share >= 0.8 && grows)) return 'critical';
  // slurmctld itself writes RESTART SLURMDBD NOW into its log from half on (slurmdbd_agent.c).
  return share >= 0.5 || grows ? 'warning' : 'notice';
};

/** slurm.conf(5): MaxDBDMsgs is 10,000 or 2 x MaxJobCount + 4 x nodes, whichever is more, unless it is set. */
const limitOf = ({ readings }: Judgement): { records: number; from: string } => {
  const config = sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value;
  const { maxDbdMsgs, maxJobCount = 10_000 } = config ?? {};
  if (maxDbdMsgs !== undefined)
    return { records: maxDbdMsgs, from: `MaxDBDMsgs (${groupThousands(maxDbdMsgs)})` };
  const nodes = clusterOf(readings)?.index.total ?? 0;
  const records = Math.max(10_000, 2 * maxJobCount + 4 * nodes);
  return { records, from: `MaxDBDMsgs, by default ${groupThousands(records)}` };
};

/** Whether the queue was at least as long as `few` for all of the last minutes and is no shorter than at their beginning. */
const isGrowing = (points: readonly Point[], waiting: number, now: number): boolean => {
  const before = points.findLast(({ at }) => at <= now - growingMs);
  const since = points.filter(({ at }) => at > now - growingMs);
  return (
    before !== undefined &&
    [before, ...since].every(({ value }) => Number(value) >= few) &&
    waiting >= Number(before.value)
  );
};
