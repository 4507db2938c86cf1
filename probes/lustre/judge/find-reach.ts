import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { hurtMounts } from './hurt-clients.ts';
import { lustreOf, mdtOf } from './join.ts';
import type { FileSystem, OstRow } from './rows.ts';
import {
  shortTarget,
  finding,
  foldTargets,
  hostSubject,
  ostSubject,
  proof,
  subjectsOf,
  summary,
  suspectsOf,
} from './names.ts';
import { awayStates, groupByServer, hasLostAll, isAway, reachOf, witnessesOf } from './reach.ts';
import { isUnserved } from './find-unserved.ts';
import { serversOf, unlistedAdvice, findMounts } from './servers.ts';

/** OSTs out of everybody's reach, by server, and MDTs that can't reach OSTs which answer others. */
export const reachFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => {
    if (isUnserved(fs)) return [];
    const away = fs.osts.filter((ost) => reachOf(ost) === 'unreachable');
    const byMds = Map.groupBy(away, (ost) => lonelyMds(ost, fs));
    return [
      ...groupByServer(byMds.get(undefined) ?? [])
        .flatMap((group) => [group.filter(isStopping), group.filter((ost) => !isStopping(ost))])
        .filter((group) => group.length > 0)
        .map((group) => unreachableFinding(fs, group, judgement)),
      ...[...byMds].flatMap(([mds, osts]) =>
        mds === undefined ? [] : [lostByMdsFinding(mds, osts, judgement)],
      ),
      ...cutFindings(fs, judgement),
    ];
  });

/** Its server has begun to unmount it. */
const isStopping = ({ own, ownStale }: OstRow): boolean => !ownStale && own?.stopping === true;

/**
 * The MDS whose MDTs alone say that an OST is away, which its OSS has mounted, and that have lost all other OSTs as well: clients that
 * are idle say nothing, and it is the MDS whose end all of these connections share.
 */
const lonelyMds = (ost: OstRow, { osts, mdts }: FileSystem): string | undefined => {
  if (!ost.own || ost.ownStale) return undefined;
  const lost = witnessesOf(ost).filter(isAway);
  const hosts = new Set(
    lost.map(({ mdt }) =>
      mdt !== undefined && hasLostAll(mdt, osts) ? mdts.find(({ name }) => name === mdt)?.host : undefined,
    ),
  );
  const [mds] = hosts;
  return hosts.size === 1 && mds !== ost.oss ? mds : undefined;
};

const lostByMdsFinding = (mds: string, osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = osts.map(({ name }) => name);
  const witnesses = osts.flatMap(witnessesOf).filter(isAway);
  const mdts = [...new Set(witnesses.flatMap(({ mdt }) => mdt ?? []))];
  const servers = [...new Set(osts.flatMap(({ oss }) => oss ?? []))];
  // With a single OSS both ends are alike.
  const suspects = servers.length > 1 ? [mds] : [mds, ...servers];
  return finding({
    key: mds,
    kind: 'unreachable',
    severity: 'critical',
    ...subjectsOf(names),
    summary: summary(
      foldTargets(names),
      ` out of reach of ${mdts.map(shortTarget).join(', ')} on ${mds}, which has lost all its OSTs (imports ${awayStates(witnesses)})`,
    ),
    advice: `${servers.join(', ')} ${servers.length === 1 ? 'answers and has' : 'answer and have'} them mounted, and nobody else was connected just now. Look at LNet on ${mds} first (lctl ping, lnetctl net show), then at the network between it and these servers. Until then no new objects are created, and what is removed frees no space.`,
    evidence: [
      ...osts.slice(0, 12).flatMap((ost) => ostEvidence(ost, judgement)),
      ...findMounts('lustre.oss', 'OST', judgement),
    ],
    lacks: [{ what: 'data', of: names.map(ostSubject) }],
    ...suspectsOf('network', suspects.map(hostSubject), 'medium'),
  });
};

const unreachableFinding = (fs: FileSystem, osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const { name: fsName, served, osts: all } = fs;
  const names = osts.map(({ name }) => name);
  const servers = serversOf('lustre.oss', judgement);
  const host = osts[0]?.oss;
  const mounted = osts.every(({ own, ownStale }) => own !== undefined && !ownStale);
  const nowhere =
    served && osts.every(({ ownStale }) => ownStale) && servers.silent.length === 0 && servers.all > 0;
  const on = host === undefined || nowhere ? '' : ` on ${host}`;
  const states = awayStates(osts.flatMap(witnessesOf));
  // Of the same server, and reached: its network is well.
  const reached = mounted
    ? all
        .filter((ost) => ost.oss === host && !osts.includes(ost) && reachOf(ost) === 'fine')
        .map((ost) => ost.name)
    : [];
  const isTakenOut = osts.every(
    ({ mdts }) => mdts.length > 0 && mdts.every(({ osp }) => osp?.active === false),
  );
  const stopping = osts.every(isStopping);
  const where = nowhere ? 'mounted on no OSS' : stopping ? 'being stopped (device ST)' : 'unreachable';
  return finding({
    key: `${host ?? foldTargets(names)}${stopping ? ':stopping' : ''}`,
    kind: 'unreachable',
    severity: 'critical',
    ...subjectsOf(names),
    ...hurtMounts(fs),
    summary: summary(
      foldTargets(names),
      ` (${count(names.length, 'OST')}${on}) ${where}: imports ${states}, ${isTakenOut ? 'inactive on MDTs, not on clients' : 'not deactivated'}`,
    ),
    advice:
      served || servers.silent.length > 0
        ? `${adviceOf(host, { nowhere, mounted, stopping, reached, ...servers })}${isTakenOut ? takenOutAdvice : ''}`
        : `I/O on these OSTs waits. ${unlistedAdvice(fsName)}`,
    evidence: [
      ...osts.slice(0, 12).flatMap((ost) => ostEvidence(ost, judgement)),
      ...findMounts('lustre.oss', 'OST', judgement),
    ],
    lacks: [{ what: 'data', of: names.map(ostSubject) }],
    ...(nowhere
      ? suspectsOf('not-mounted', servers.empty.map(hostSubject), 'medium')
      : host === undefined
        ? suspectsOf('host-unreachable', servers.silent.map(hostSubject), 'medium')
        : reached.length > 0 || stopping
          ? {}
          : suspectsOf(mounted ? 'network' : 'host-unreachable', [hostSubject(host)], 'medium')),
  });
};

/** Operations Manual, "Removing an OST": both ends, or reads of files that have objects there hang. */
const takenOutAdvice =
  ' The MDTs hold them inactive: if they are gone for good, deactivate them on the clients too (osc.NAME-*.active=0, permanently on the MGS), so that reads fail instead of hanging; else activate them on the MDTs when they are back.';

const adviceOf = (
  host: string | undefined,
  seen: {
    nowhere: boolean;
    mounted: boolean;
    stopping: boolean;
    empty: readonly string[];
    silent: readonly string[];
    reached: readonly string[];
  },
): string => {
  const after = 'clients go on by themselves when they are back and recovery is over.';
  if (seen.nowhere)
    return `I/O on these OSTs waits. Every OSS answers and none has them mounted${seen.empty.length === 0 ? '' : ` (${seen.empty.join(', ')} ${seen.empty.length === 1 ? 'serves' : 'serve'} nothing)`}: mount them where they belong; ${after}`;
  if (seen.stopping)
    return `I/O on these OSTs waits. Their umount on ${host} is under way: within a minute or two it is over, else it hangs: look at the log and the disks of ${host}; a restart of the server ends it. ${seen.reached.length === 0 ? '' : `Its other OSTs (${foldTargets(seen.reached)}) are reached. `}When they are mounted again, ${after}`;
  if (seen.mounted && seen.reached.length > 0)
    return `I/O on these OSTs waits. ${host} answers and its other OSTs (${foldTargets(seen.reached)}) are reached, so its network is fine: look at these targets there: lctl dl, the log, the disks; ${after}`;
  if (seen.mounted)
    return `I/O on these OSTs waits. ${host} answers and has them mounted: look at its LNet (lctl ping, lnetctl net show) and its network; ${after}`;
  const suspect =
    host ?? (seen.silent.length > 0 ? `their OSS (no answer from ${seen.silent.join(', ')})` : 'their OSS');
  return `I/O on these OSTs waits. Look at ${suspect}: power, network, mounted targets; ${after}`;
};

const ostEvidence = (ost: OstRow, judgement: Judgement) => [
  ...ost.mdts.flatMap(({ mdt, osp }) =>
    osp === undefined
      ? []
      : [
          proof(
            `${ost.name} on ${shortTarget(mdt)}: import ${osp.state ?? 'not known'}, active=${osp.active === undefined ? '?' : Number(osp.active)}, prealloc_status ${osp.prealloc ?? '?'}`,
            judgement,
            'lustre.mds',
            mdtOf(mdt, judgement)?.host,
          ),
        ],
  ),
  ...ost.clients
    .filter(({ host }) => witnessesOf(ost).some((one) => one.host === host && isAway(one)))
    .map(({ host, state, df }) =>
      proof(
        `${ost.name} on ${host}: import ${state}${df === undefined ? '' : `, lfs df: ${df}`}`,
        judgement,
        'lustre.client',
        host,
      ),
    ),
];

/** An MDT that has lost OSTs which others reach: its own end is the one to look at. */
const cutFindings = ({ osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const pairs = osts
    .filter((ost) => reachOf(ost) === 'cut')
    .flatMap((ost) =>
      witnessesOf(ost).flatMap((one) =>
        one.mdt !== undefined && isAway(one) ? [{ mdt: one.mdt, ost }] : [],
      ),
    );
  return [...Map.groupBy(pairs, ({ mdt }) => mdt)].map(([mdt, list]) =>
    cutFinding(
      mdt,
      list.map(({ ost }) => ost),
      judgement,
    ),
  );
};

const cutFinding = (mdt: string, osts: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = osts.map(({ name }) => name);
  const host = mdtOf(mdt, judgement)?.host;
  const reaching = osts
    .flatMap(witnessesOf)
    .filter((one) => !isAway(one))
    .map((one) => (one.mdt === undefined ? one.host : shortTarget(one.mdt)));
  const others = [...new Set(reaching)].slice(0, 3).join(', ');
  return finding({
    key: mdt,
    kind: 'mdt-cut',
    severity: 'warning',
    ...subjectsOf(names),
    summary: summary(
      foldTargets(names),
      ` out of reach of ${shortTarget(mdt)}${host === undefined ? '' : ` on ${host}`} only: ${others} ${reaching.length === 1 ? 'reaches' : 'reach'} ${names.length === 1 ? 'it' : 'them'}`,
    ),
    ...(host !== undefined && suspectsOf('network', [hostSubject(host)])),
    advice: `The fault lies between ${host ?? shortTarget(mdt)} and the server of these OSTs, not at the OSTs: look at LNet on ${host ?? 'that MDS'} (lctl ping, lnetctl net show). Until then ${shortTarget(mdt)} creates no objects there, and what is removed frees no space.`,
    evidence: osts.slice(0, 12).flatMap((ost) => ostEvidence(ost, judgement)),
  });
};
