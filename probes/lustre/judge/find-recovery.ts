import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, grouped } from '../../../src/text/units.ts';
import { lustreOf } from './join.ts';
import type { MdtRow, OstRow } from './rows.ts';
import type { RecoveryState } from '../readings.ts';
import { finding, foldTargets, mdtSubject, ostSubject, proof, subjectsOf, summary } from './names.ts';
import { byServer, isRecovering, reachOf } from './reach.ts';

/** Targets in recovery: OSTs by server, each MDT. */
export const recoveryFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ osts, mdts }) => [
    ...byServer(osts.filter((ost) => reachOf(ost) === 'recovering')).map((group) =>
      recoveryFinding(group, judgement),
    ),
    ...mdts.flatMap((mdt) => mdtRecovery(mdt, judgement)),
  ]);

/** The slowest of a server's targets speaks for all: longest to go, most clients missing. */
const slowest = (osts: readonly OstRow[]): RecoveryState | undefined =>
  osts
    .flatMap(({ own, ownStale }) => (own?.recovery && !ownStale ? [own.recovery] : []))
    .toSorted((a, b) => (b.remainingS ?? 0) - (a.remainingS ?? 0))[0];

const stuck = (recovery: RecoveryState | undefined): boolean =>
  recovery?.status === 'RECOVERING' && recovery.remainingS === 0;

const progress = (recovery: RecoveryState | undefined): string => {
  if (!recovery) return 'how far is not known: its OSS was not read';
  const { connected, remainingS, status, waitedS, nonReadyMdts } = recovery;
  const missing =
    connected?.of === undefined
      ? ''
      : `, ${grouped(connected.done)} of ${grouped(connected.of)} clients back, ${grouped(connected.of - connected.done)} missing`;
  if (status === 'WAITING')
    return `waits for MDTs ${nonReadyMdts ?? '?'}${waitedS === undefined ? '' : `, ${waitedS} s so far`}`;
  if (status === 'WAITING_FOR_CLIENTS') return 'waits for clients';
  if (stuck(recovery)) return `stuck with no time left${missing}`;
  return `${remainingS === undefined ? 'time left not known' : `${remainingS} s left`}${missing}`;
};

const recoveryFinding = (osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = osts.map(({ name }) => name);
  const oss = osts[0]?.oss;
  const recovery = slowest(osts);
  const isStuck = osts.some(({ own, ownStale }) => !ownStale && stuck(own?.recovery));
  return finding({
    key: oss ?? foldTargets(names),
    kind: 'recovery',
    severity: isStuck ? 'critical' : 'warning',
    ...subjectsOf(names),
    summary: summary(
      oss ?? foldTargets(names),
      `: ${count(names.length, 'OST')} in recovery, ${progress(isStuck ? osts.find(({ own }) => stuck(own?.recovery))?.own?.recovery : recovery)}`,
    ),
    advice:
      'I/O waits until recovery is over; clients that do not come back in time are evicted. Look at the missing clients, not at the server.',
    evidence: osts
      .slice(0, 12)
      .map((ost) =>
        proof(
          `${ost.name}: ${ost.own?.recovery?.status ?? 'recovery_status not read'}, ${progress(ost.own?.recovery)}`,
          judgement,
          'lustre.oss',
          ost.oss,
        ),
      ),
    lacks: [{ what: 'data', of: names.map(ostSubject) }],
    ...(recovery?.startedAt !== undefined && { since: recovery.startedAt }),
  });
};

const mdtRecovery = ({ name, host, mdt, stale }: MdtRow, judgement: Judgement): FindingDraft[] => {
  const recovery = mdt?.recovery;
  if (stale || !recovery || !isRecovering(recovery)) return [];
  return [
    finding({
      key: name,
      kind: 'recovery',
      severity: stuck(recovery) ? 'critical' : 'warning',
      subject: mdtSubject(name),
      summary: summary(
        `${name}${host === undefined ? '' : ` on ${host}`}`,
        ` in recovery, ${progress(recovery)}`,
      ),
      advice: 'Everything below this MDT waits until recovery is over.',
      evidence: [proof(`${name}: ${recovery.status}, ${progress(recovery)}`, judgement, 'lustre.mds', host)],
      ...(host !== undefined && { lacks: [{ what: 'data', of: [{ kind: 'host', id: host }] }] }),
      since: recovery.startedAt,
    }),
  ];
};
