import type { EvidenceDraft, Hurt, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { lustreOf } from './join.ts';
import type { MdtRow, OstRow } from './rows.ts';
import type { RecoveryState } from '../readings.ts';
import { finding, foldTargets, mdtSubject, ostSubject, proof, subjectsOf, summary } from './names.ts';
import { importState } from '../read/words.ts';
import { isStuck } from './passing.ts';
import { awayStates, groupByServer, isRecovering, reachOf, witnessesOf } from './reach.ts';
import { waitsInVainSince } from './waiting.ts';

/** Targets in recovery: OSTs by server, each MDT. */
export const recoveryFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ osts, mdts }) => [
    ...groupByServer(osts.filter((ost) => reachOf(ost) === 'recovering')).map((group) =>
      recoveryFinding(group, judgement),
    ),
    ...mdts.flatMap((mdt) => mdtRecovery(mdt, judgement)),
  ]);

/** The slowest of a server's targets speaks for all: longest to go, most clients missing. */
const slowest = (osts: readonly OstRow[]): RecoveryState | undefined =>
  osts
    .flatMap(({ own, ownStale }) => (own?.recovery && !ownStale ? [own.recovery] : []))
    .toSorted((a, b) => (b.remainingS ?? 0) - (a.remainingS ?? 0))[0];

const progress = (recovery: RecoveryState | undefined): string => {
  if (!recovery) return 'progress not known: its OSS was not read';
  const { connected, remainingS, status, waitedS, nonReadyMdts } = recovery;
  const missing =
    connected?.of === undefined
      ? ''
      : `, ${groupThousands(connected.done)} of ${groupThousands(connected.of)} clients back, ${groupThousands(connected.of - connected.done)} missing`;
  if (status === 'WAITING')
    return `waits for MDTs ${nonReadyMdts ?? '?'}${waitedS === undefined ? '' : `, ${waitedS} s so far`}`;
  if (status === 'WAITING_FOR_CLIENTS') return 'waits for clients';
  if (isStuck(recovery)) return `stuck with no time left${missing}`;
  return `${remainingS === undefined ? 'time left not known' : `${remainingS} s left`}${missing}`;
};

/** All that had the target before wait until recovery is over, back or not. */
const waitingOn = (recovery: RecoveryState | undefined): Hurt => {
  const all = recovery?.connected?.of;
  return all === undefined ? {} : { clients: all };
};

const isWaitingForAll = (osts: readonly OstRow[]): boolean =>
  osts.every(({ own, ownStale }) => !ownStale && own?.recovery?.status === 'WAITING_FOR_CLIENTS');

/** So many are named in the line itself. */
const FEW = 4;

const recoveryFinding = (osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = osts.map(({ name }) => name);
  const oss = osts[0]?.oss;
  const recovery = slowest(osts);
  const stuck = osts.find(({ own, ownStale }) => !ownStale && isStuck(own?.recovery));
  const inVain = osts.every((ost) => waitsInVainSince(ost, judgement) !== undefined);
  const how = inVain
    ? `waits for clients in vain (imports ${awayStates(osts.flatMap(witnessesOf))})`
    : progress(stuck ? stuck.own?.recovery : recovery);
  return finding({
    key: oss ?? foldTargets(names),
    kind: 'recovery',
    severity: stuck || inVain ? 'critical' : 'warning',
    hurt: waitingOn(recovery),
    ...subjectsOf(names),
    summary: summary(
      oss ?? foldTargets(names),
      `: ${names.length <= FEW ? foldTargets(names) : count(names.length, 'OST')} in recovery, ${how}`,
    ),
    advice: isWaitingForAll(osts)
      ? `No client and no MDT has come back yet. After a restart they come within a minute; where nobody does, they may ask another address: compare lctl list_nids on ${oss ?? 'the OSS'} with failover_nids of the imports (lctl get_param osp.*.import on the MDS), and look at LNet between (lctl ping).`
      : 'Look at the missing clients, not at the server: I/O waits for them until recovery ends, and those that come too late are evicted.',
    evidence: [
      ...missingEvidence(osts, judgement),
      ...osts
        .slice(0, 12)
        .map((ost) =>
          proof(
            `${ost.name}: ${ost.own?.recovery?.status ?? 'recovery_status not read'}, ${progress(ost.own?.recovery)}`,
            judgement,
            'lustre.oss',
            ost.oss,
          ),
        ),
    ],
    lacks: [{ what: 'data', of: names.map(ostSubject) }],
    ...(recovery?.startedAt !== undefined && { since: recovery.startedAt }),
  });
};

/** Names of missing clients: recovery_status has numbers only, so they come from the clients that were read themselves. */
const missingEvidence = (osts: readonly OstRow[], judgement: Judgement): EvidenceDraft[] => {
  const missing = Math.max(0, ...osts.map(({ own }) => missingOf(own?.recovery)));
  if (missing === 0) return [];
  const seen = osts.flatMap(({ clients }) => clients).filter(({ stale }) => stale !== true);
  const away = new Set(
    seen.filter(({ state }) => state !== undefined && importState(state) === 'away').map(({ host }) => host),
  );
  const read = new Set(seen.map(({ host }) => host));
  const [first] = away.size > 0 ? away : read;
  if (first === undefined)
    return [
      {
        text: `missing clients: ${groupThousands(missing)}, names not known: no client of the site was read`,
      },
    ];
  const text =
    away.size > 0
      ? `missing clients: ${groupThousands(missing)}, of those read: ${fold(away)}`
      : `missing clients: ${groupThousands(missing)}, none of the ${count(read.size, 'client')} that were read: ${fold(read)}`;
  return [proof(text, judgement, 'lustre.client', first)];
};

const missingOf = (recovery: RecoveryState | undefined): number =>
  recovery?.connected?.of === undefined ? 0 : recovery.connected.of - recovery.connected.done;

const mdtRecovery = ({ name, host, mdt, stale }: MdtRow, judgement: Judgement): FindingDraft[] => {
  const recovery = mdt?.recovery;
  if (stale || !recovery || !isRecovering(recovery)) return [];
  return [
    finding({
      key: name,
      kind: 'recovery',
      severity: isStuck(recovery) ? 'critical' : 'warning',
      hurt: waitingOn(recovery),
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
