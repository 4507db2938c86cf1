import type { EvidenceDraft, FindingDraft, Remedy } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { count } from '../../../src/text/units.ts';
import { type Flag, flagOrigin, type Origin, flagsOf, thresholdOrigin } from './flags.ts';
import { lustreOf, mdtOf } from './join.ts';
import type { FileSystem, OstRow } from './rows.ts';
import {
  finding,
  shortTarget,
  fsSubject,
  ostSubject,
  proof,
  subjectsOf,
  cutWithCount,
  foldTargets,
  summary,
} from './names.ts';
import { shortVersion } from '../read/words.ts';

const dayMs = 86_400_000;

/** Flags that have no effect, those that have, and those left behind. */
export const flagFindings = (judgement: Judgement): FindingDraft[] =>
  lustreOf(judgement).systems.flatMap((fs) => [
    ...fs.osts.flatMap((ost) => ignoredFinding(ost, judgement) ?? []),
    ...retiredFinding(fs, judgement),
    ...setFindings(fs, judgement),
    ...thresholdFinding(fs, judgement),
  ]);

/** Somebody wants no new files there, and they come all the same. */
const ignoredFinding = (ost: OstRow, judgement: Judgement): FindingDraft | undefined => {
  const at = ost.mdts.filter(
    ({ allocation }) => allocation.verdict === 'allocates' && allocation.ignored.length > 0,
  );
  const [first] = at;
  if (!first) return undefined;
  const mdt = mdtOf(first.mdt, judgement);
  const release = mdt?.version === undefined ? 'this Lustre' : `Lustre ${shortVersion(mdt.version)}`;
  const degraded = first.allocation.ignored.includes('degraded');
  const text = degraded
    ? ` is degraded but still receives files: ${release} ignores the flag (QOS in use)`
    : ` has max_create_count=0 but still receives files: ${release} ignores it`;
  const flag = degraded ? 'degraded' : 'max_create_count=0';
  const { since, text: origin } = flagOrigin(ost, flag, judgement);
  return finding({
    key: ost.name,
    kind: 'flag-ignored',
    severity: 'warning',
    subject: ostSubject(ost.name),
    summary: summary(ost.name, text),
    advice: `Stop creates on ${ost.name} in the way that ${release} honours; every MDT must then read the stop and next_id must stand still.`,
    evidence: [
      ...at.map((one) =>
        proof(
          `${shortTarget(one.mdt)} will still allocate: ${one.allocation.because}`,
          judgement,
          'lustre.mds',
          mdtOf(one.mdt, judgement)?.host,
        ),
      ),
      ...(degraded ? [proof(`obdfilter.${ost.name}.degraded=1`, judgement, 'lustre.oss', ost.oss)] : []),
      { text: `${flag}: ${origin}` },
    ],
    remedies: [
      { action: 'lustre.stop-creates', subjects: [ostSubject(ost.name)] },
      ...(degraded
        ? [{ action: 'lustre.qos', subjects: [fsSubject(ost.fs)], set: { threshold: '100' } }]
        : []),
    ],
    since,
  });
};

/** OSTs kept from new objects by the same flags, together: a notice, a warning once it is a day old or destroys wait. */
const setFindings = ({ name, osts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const set = osts.filter(
    (ost) =>
      !ost.retired &&
      flagsOf(ost).length > 0 &&
      !ost.mdts.some(({ allocation }) => allocation.ignored.length > 0),
  );
  return [...Map.groupBy(set, (ost) => flagsOf(ost).join(' ')).values()].map((members) =>
    setFinding(name, members, judgement),
  );
};

/** Taken out on every MDT and every client: deliberate and for good, whatever its age. */
const retiredFinding = ({ name, osts, clients }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const names = osts.filter(({ retired }) => retired).map((ost) => ost.name);
  if (names.length === 0) return [];
  return [
    finding({
      key: name,
      kind: 'retired',
      severity: 'notice',
      ...subjectsOf(names),
      summary: summary(
        foldTargets(names),
        ` retired: inactive on all MDTs and on ${clients.length === 1 ? `client ${clients[0]}` : `all ${count(clients.length, 'client')} that were read`}`,
      ),
      advice: 'A retired OST is no fault; files that still have objects there give I/O errors.',
      evidence: osts
        .filter(({ retired }) => retired)
        .slice(0, 8)
        .flatMap((ost) =>
          ost.mdts.map((one) =>
            proof(
              `${ost.name} on ${shortTarget(one.mdt)}: ${one.allocation.because}`,
              judgement,
              'lustre.mds',
              mdtOf(one.mdt, judgement)?.host,
            ),
          ),
        ),
    }),
  ];
};

const setFinding = (fs: string, members: readonly OstRow[], judgement: Judgement): FindingDraft => {
  const names = members.map((one) => one.name);
  const flags: readonly Flag[] = members[0] ? flagsOf(members[0]) : [];
  const origins = members.flatMap((ost) =>
    flags.map((flag) => ({ ost, flag, origin: flagOrigin(ost, flag, judgement) })),
  );
  // Of an inactive OST the summary names only that.
  const named = origins.filter(({ flag }) => flag === 'inactive' || !flags.includes('inactive'));
  const { since } = findOldest(named.map(({ origin }) => origin));
  const operators = [...new Set(named.map(({ origin }) => origin.operator))];
  const by = operators.length === 1 && operators[0] !== undefined ? `by ${operators[0]}` : '';
  const old = since !== undefined && judgement.now - since > dayMs;
  const waiting = members
    .flatMap(({ mdts }) => mdts)
    .filter(({ osp }) => osp?.active === false)
    .reduce((sum, { osp }) => sum + Math.max(osp?.destroys ?? 0, osp?.syncChanges ?? 0), 0);
  const inactive = flags.includes('inactive');
  const what = inactive
    ? `held inactive by the MDTs (active=0${by === '' || old ? '' : `, ${by}`})${waiting > 0 ? `, ${count(waiting, 'destroy', 'destroys')} wait: no space is freed` : ''}`
    : `kept from new objects: ${flags.join(' ')}${by === '' || old ? '' : ` (${by})`}`;
  const unread = unreadOf(members, flags);
  const left = old ? `, for ${age(judgement.now - since)}${by && ` ${by}`}: left behind?` : '';
  const resume = flags.includes('max_create_count=0') || inactive;
  return finding({
    key: `${fs}:${flags.join(' ')}`,
    kind: inactive ? 'inactive' : 'flags',
    severity: old || waiting > 0 ? 'warning' : 'notice',
    ...subjectsOf(names),
    summary: summary(...cutWithCount(names, ` ${what}${unread}${left}`)),
    advice: unread
      ? 'An MDT that was not read may still put objects there: wait until each one has been read.'
      : inactive
        ? 'An inactive OST queues its destroys on the MDTs; activate it when the work is over, then wait until none are in flight.'
        : 'The flag looks deliberate; clear it after the maintenance.',
    evidence: setEvidence(members, origins, judgement),
    remedies: [
      ...goOn(members, flags, judgement),
      ...(inactive ? [{ action: 'lustre.activate', subjects: names.map(ostSubject) }] : []),
      ...(resume && !inactive ? [{ action: 'lustre.resume-creates', subjects: names.map(ostSubject) }] : []),
      ...(flags.includes('degraded')
        ? [{ action: 'lustre.undegrade', subjects: names.map(ostSubject) }]
        : []),
      // What is only avoided still gets files: whoever is about to empty it stops that first.
      ...(flags.length === 1 && flags[0] === 'degraded'
        ? [{ action: 'lustre.stop-creates', subjects: names.map(ostSubject) }]
        : []),
    ],
    since,
  });
};

const setEvidence = (
  members: readonly OstRow[],
  origins: readonly { ost: OstRow; flag: Flag; origin: Origin }[],
  judgement: Judgement,
): EvidenceDraft[] =>
  members
    .slice(0, 8)
    .flatMap((ost) => [
      ...ost.mdts.map((one) =>
        proof(
          `${ost.name} on ${shortTarget(one.mdt)}: ${one.allocation.because}`,
          judgement,
          'lustre.mds',
          mdtOf(one.mdt, judgement)?.host,
        ),
      ),
      ...origins
        .filter((one) => one.ost === ost)
        .map(({ flag, origin }) => ({ text: `${ost.name} ${flag}: ${origin.text}` })),
    ]);

/** Who of those that a flag counts for was not read just now, in words: what holds for the others is not said of them. */
const unreadOf = (members: readonly OstRow[], flags: readonly Flag[]): string => {
  const all = new Set(members.flatMap(({ mdts }) => mdts.map(({ mdt }) => mdt)));
  const mdts = new Set(
    members.flatMap((ost) => ost.mdts.flatMap(({ mdt, osp, stale }) => (osp && !stale ? [] : [mdt]))),
  );
  const isOfMdts = flags.includes('max_create_count=0') || flags.includes('inactive');
  if (isOfMdts && mdts.size > 0)
    return ` on ${all.size - mdts.size} of ${count(all.size, 'MDT')}; ${fold([...mdts].map(shortTarget))} not read`;
  const servers = members.flatMap(({ oss, ownStale }) => (ownStale && oss !== undefined ? [oss] : []));
  const isOfServers = flags.includes('degraded') || flags.includes('no_create');
  return isOfServers && servers.length > 0 ? ` when ${fold(new Set(servers))} was last read` : '';
};

/** Whoever stopped creates from a console today is emptying the OST: that goes on before it is taken back. */
const goOn = (members: readonly OstRow[], flags: readonly Flag[], judgement: Judgement): Remedy[] => {
  if (!flags.includes('max_create_count=0')) return [];
  const ours = members.filter((ost) => {
    const { operator, since = -Infinity } = flagOrigin(ost, 'max_create_count=0', judgement);
    return operator !== undefined && judgement.now - since < dayMs;
  });
  return ours.map((ost) => ({ action: 'lustre.drain', subjects: [ostSubject(ost.name)] }));
};

const findOldest = <T extends { since?: number }>(origins: readonly T[]): Partial<T> =>
  origins.toSorted((a, b) => (a.since ?? Infinity) - (b.since ?? Infinity))[0] ?? {};

/** Balancing switched off for the whole file system: worth knowing, and easily forgotten. */
const thresholdFinding = ({ name, mdts }: FileSystem, judgement: Judgement): FindingDraft[] => {
  const off = mdts.filter(({ mdt }) => (mdt?.thresholdPct ?? 0) >= 100);
  if (off.length === 0) return [];
  const { since, operator, text } = thresholdOrigin(off, judgement);
  const old = since !== undefined && judgement.now - since > dayMs;
  return [
    finding({
      key: name,
      kind: 'qos-off',
      severity: old ? 'warning' : 'notice',
      subject: fsSubject(name),
      summary: summary(
        name,
        `: balancing is off (qos_threshold_rr=100 % on ${off.length === mdts.length ? 'all MDTs' : off.map((one) => shortTarget(one.name)).join(', ')})${old ? `, for ${age(judgement.now - since)}${operator === undefined ? '' : ` by ${operator}`}: left behind?` : ''}`,
      ),
      evidence: [
        ...off.map((one) =>
          proof(`${shortTarget(one.name)}: ${one.qos.text}`, judgement, 'lustre.mds', one.host),
        ),
        { text: `qos_threshold_rr: ${text}` },
      ],
      remedies: [{ action: 'lustre.qos', subjects: [fsSubject(name)], set: { threshold: '17' } }],
      since,
    }),
  ];
};
