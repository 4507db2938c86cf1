import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Point } from '../../../src/model/history.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { grouped, percent } from '../../../src/text/units.ts';
import type { ConfigReading, SdiagReading } from '../readings.ts';
import { clusterOf } from './cluster.ts';
import { finding } from './sentence.ts';
import { sourceOf } from './sources.ts';

/** How many accounting records wait for slurmdbd. */
export const dbdSeries = (host: string): string => `slurm/controller/${host}/dbd`;

/** So few are a moment's work for slurmdbd, even when a large array ends. */
const few = 1_000;
/** A queue that was there all this time and did not shrink is not worked off. */
const growingMs = 10 * 60_000;

/** Records wait in slurmctld for slurmdbd: from when on they are lost. */
export const accountingFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  const waiting = source?.good?.value.dbdAgentQueueSize ?? 0;
  if (!source || waiting < few) return [];
  const { host } = source;
  const limit = limitOf(judgement);
  const grows = isGrowing(judgement.history.changes(dbdSeries(host), 0), waiting, judgement.now);
  const severity = severityOf(waiting / limit.records, grows);
  const left =
    waiting >= limit.records
      ? `new ones are lost (limit ${grouped(limit.records)})`
      : `lost from ${grouped(limit.records)} on`;
  return [
    finding({
      kind: 'accounting-behind',
      key: host,
      severity,
      subject: { kind: 'host', id: host },
      summary: `${grows ? 'slurmdbd takes no or too few records' : 'slurmdbd is behind with the records'} of slurmctld on ${host}: ${grouped(waiting)} in the DBD agent queue, ${left}`,
      advice:
        'Look at slurmdbd and its database (systemctl status slurmdbd, its log, the disk of the database): jobs go on, their accounting waits in the memory of slurmctld.',
      evidence: [
        evidenceFrom(
          source,
          `DBD agent queue size ${grouped(waiting)}, ${percent(waiting / limit.records)} of ${limit.from}`,
        ),
        ...(grows ? [evidenceFrom(source, 'it has not shrunk in the last 10 min')] : []),
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
  if (maxDbdMsgs !== undefined) return { records: maxDbdMsgs, from: `MaxDBDMsgs (${grouped(maxDbdMsgs)})` };
  const nodes = clusterOf(readings)?.index.total ?? 0;
  const records = Math.max(10_000, 2 * maxJobCount + 4 * nodes);
  return { records, from: `MaxDBDMsgs, by default ${grouped(records)}` };
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
