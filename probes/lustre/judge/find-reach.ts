import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count, grouped } from '../../../src/text/units.ts';
import { lustreOf, mdtOf } from './join.ts';
import type { MdtRow, OstRow } from './rows.ts';
import type { RecoveryState } from '../readings.ts';
import { finding, bare, foldTargets, fsSubject, ostSubject, proof, subjectsOf, summary } from './names.ts';
import { importIs } from '../read/words.ts';

export const isRecovering = (recovery: RecoveryState | undefined): boolean =>
  recovery !== undefined && recovery.status !== 'COMPLETE' && recovery.status !== 'INACTIVE';

/** Connection states that are told: the MDTs' own, else the clients'. Deactivated ones say nothing. */
const toldStates = (ost: OstRow): string[] => {
  const seen = ost.mdts.flatMap(({ osp, stale }) =>
    osp?.state === undefined || osp.active === false || stale ? [] : [osp.state],
  );
  const clients = ost.clients.flatMap(({ state, active }) =>
    state === undefined || active === false ? [] : [state],
  );
  return seen.length > 0 ? seen : clients;
};

const badStates = (ost: OstRow): string[] =>
  toldStates(ost).filter((state) => importIs(state) !== 'connected');

/** What has happened to an OST's connections; its own word (fresh) first. `unknown`: nobody tells of one. */
export const reachOf = (ost: OstRow): 'fine' | 'recovering' | 'unreachable' | 'unknown' => {
  if (!ost.ownStale && isRecovering(ost.own?.recovery)) return 'recovering';
  if (toldStates(ost).length === 0) return 'unknown';
  const bad = badStates(ost);
  if (bad.length === 0) return 'fine';
  return bad.every((state) => importIs(state) === 'replaying') ? 'recovering' : 'unreachable';
};

/** OSTs out of reach and OSTs in recovery, each group by server; MDTs in recovery. */
export const reachFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap(({ osts, mdts }) => [
    ...byServer(osts.filter((ost) => reachOf(ost) === 'unreachable')).map((group) =>
      unreachableFinding(group, judgement),
    ),
    ...byServer(osts.filter((ost) => reachOf(ost) === 'recovering')).map((group) =>
      recoveryFinding(group, judgement),
    ),
    ...mdts.flatMap((mdt) => mdtRecovery(mdt, judgement)),
  ]);

const byServer = (osts: readonly OstRow[]): OstRow[][] => [
  ...Map.groupBy(osts, ({ oss }) => oss ?? '').values(),
];

const states = (osts: readonly OstRow[]): string => [...new Set(osts.flatMap(badStates))].sort().join('/');

const unreachableFinding = (osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = osts.map(({ name }) => name);
  const oss = osts[0]?.oss;
  const on = oss === undefined ? '' : ` on ${oss}`;
  return finding({
    key: oss ?? foldTargets(names),
    kind: 'unreachable',
    severity: 'critical',
    ...subjectsOf(names),
    summary: summary(
      foldTargets(names),
      ` (${count(names.length, 'OST')}${on}) unreachable: imports ${states(osts)}, not deactivated`,
    ),
    advice: `I/O on these OSTs waits. Look at ${oss ?? 'their OSS'}: power, network, mounted targets; clients go on by themselves when it is back and recovery is over.`,
    evidence: osts.slice(0, 12).flatMap((ost) => ostEvidence(ost, judgement)),
    lacks: [{ what: 'data', of: names.map(ostSubject) }],
  });
};

const ostEvidence = (ost: OstRow, judgement: Judgement) => [
  ...ost.mdts.flatMap(({ mdt, osp }) =>
    osp === undefined
      ? []
      : [
          proof(
            `${ost.name} on ${bare(mdt)}: import ${osp.state ?? 'not known'}, active=${osp.active === undefined ? '?' : Number(osp.active)}, prealloc_status ${osp.prealloc ?? '?'}`,
            judgement,
            'lustre.mds',
            mdtOf(mdt, judgement)?.host,
          ),
        ],
  ),
  ...ost.clients.flatMap(({ host, state, df }) =>
    state === undefined || importIs(state) === 'connected'
      ? []
      : [
          proof(
            `${ost.name} on ${host}: import ${state}${df === undefined ? '' : `, lfs df: ${df}`}`,
            judgement,
            'lustre.client',
            host,
          ),
        ],
  ),
];

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

const mdtRecovery = ({ name, fs, host, mdt, stale }: MdtRow, judgement: Judgement): FindingDraft[] => {
  const recovery = mdt?.recovery;
  if (stale || !recovery || !isRecovering(recovery)) return [];
  return [
    finding({
      key: name,
      kind: 'recovery',
      severity: stuck(recovery) ? 'critical' : 'warning',
      subject: fsSubject(fs),
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
