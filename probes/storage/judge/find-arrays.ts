import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import { count } from '../../../src/text/units.ts';
import type { PoolDisk } from '../readings.ts';
import {
  hitBy,
  hostSubject,
  isUncertain,
  listMissing,
  mdRemedies,
  nameOf,
  type SeenArray,
} from './sources.ts';

const findingOf = findingsOf('storage');

const keyOf = ({ host, array }: SeenArray): string => `${host}:${array.id}`;

const evidenceOf = (seen: SeenArray): EvidenceDraft[] => {
  const { array, source, redundancy } = seen;
  const missing = listMissing(seen);
  const pulled = array.pulled ?? [];
  return [
    evidenceFrom(
      source,
      `${array.level}, ${count(array.slots.length, 'place')}${missing.length > 0 ? `: ${missing.slice(0, 6).join(', ')}` : ''}`,
    ),
    ...(redundancy
      ? [evidenceFrom(source, `may lose ${Math.max(0, redundancy.left)} of ${redundancy.tolerance} more`)]
      : []),
    ...(pulled.length > 0
      ? [evidenceFrom(source, `${pulled.join(', ')}: no longer in /sys/block, the array still counts it`)]
      : []),
    ...(array.word === undefined ? [] : [evidenceFrom(source, `state ${array.word}`)]),
  ];
};

const lost = (seen: SeenArray): FindingDraft => {
  const { host, array } = seen;
  // The stock rule of udev puts a removed member into an inactive array of its own, which nobody uses.
  const inactive = array.word === 'inactive' && array.mount === undefined;
  return findingOf({
    kind: 'array-lost',
    key: keyOf(seen),
    severity: inactive ? 'warning' : 'critical',
    subject: hostSubject(host),
    summary: `${nameOf(seen)} (${array.level}) ${array.usable === false ? `refuses IO: ${array.word ?? 'stopped'}` : 'has lost more disks than it can'}`,
    advice:
      'Pull, add and create nothing: what failed last may hold the newest copy. Look at the cables and the enclosure first; then stop and assemble the array by the runbook.',
    suspects: [
      { subject: hostSubject(host), cause: 'array-lost', confidence: 'high', values: { array: array.id } },
    ],
    evidence: evidenceOf(seen),
    ...(!inactive && { breaks: [{ what: 'data' as const, of: hitBy(host, seen.held) }] }),
  });
};

const degraded = (seen: SeenArray): FindingDraft[] => {
  const { host, array, redundancy } = seen;
  if (!redundancy || redundancy.missing === 0) return [];
  const none = redundancy.left === 0;
  const rebuilds = array.work === 'rebuild' && array.waits === undefined;
  return [
    findingOf({
      kind: none ? 'no-redundancy' : 'redundancy-reduced',
      key: keyOf(seen),
      severity: none ? 'critical' : 'warning',
      subject: hostSubject(host),
      summary: `${nameOf(seen)} (${array.level}) ${none ? 'has no redundancy left: the next disk that fails takes its data' : `has ${redundancy.left} of ${redundancy.tolerance} left`}${rebuilds ? ', rebuilds' : ''}`,
      advice: none
        ? rebuilds
          ? 'Let nobody touch the enclosure while the array rebuilds: every other member holds the last copy of something.'
          : 'Give the array a disk now. Blink the failed one before you pull it: its neighbour holds the last copy of something.'
        : 'Replace the failed disk; the detail of this host names the disks that may be pulled now.',
      suspects: [
        { subject: hostSubject(host), cause: 'disk-failed', confidence: 'high', values: { array: array.id } },
      ],
      evidence: evidenceOf(seen),
      remedies: rebuilds
        ? mdRemedies(seen, 'storage.rebuild-speed')
        : mdRemedies(seen, 'storage.re-add', 'storage.add-disk'),
    }),
  ];
};

const uncertain = (seen: SeenArray): FindingDraft => {
  const { host, array, source } = seen;
  const { layout, doubt } = array;
  const why =
    doubt ??
    (layout.kind === 'unknown'
      ? `level ${layout.word} is not known here`
      : array.slots.some(({ state }) => state === 'unknown')
        ? 'the state of a disk is not known'
        : 'its state is not known');
  return findingOf({
    kind: 'redundancy-unknown',
    key: keyOf(seen),
    severity: 'warning',
    subject: hostSubject(host),
    summary: `${nameOf(seen)}: its redundancy is not known: ${why}`,
    advice: 'None of its disks is named as safe to pull. Look at the array with its own tool.',
    suspects: [
      { subject: hostSubject(host), cause: 'not-read', confidence: 'high', values: { array: array.id } },
    ],
    evidence: [evidenceFrom(source, why)],
  });
};

/** What became of an array: lost, without redundancy, with less of it, or nobody can say. */
const findOne = (seen: SeenArray): FindingDraft[] => {
  const { array, redundancy } = seen;
  if (array.usable === false || (redundancy !== undefined && redundancy.left < 0 && !isUncertain(seen)))
    return [lost(seen)];
  // A stripe has nothing to lose but itself; an array that changed while it was read is read again.
  if (isUncertain(seen) || array.usable === undefined) return isLasting(seen) ? [uncertain(seen)] : [];
  return degraded(seen);
};

/** It was so in the reading before, too. */
const isLasting = ({ array, earlier: [before] }: SeenArray): boolean =>
  before !== undefined && before.array.doubt === array.doubt && before.array.usable === array.usable;

/** Every write to it fails. What nobody has mounted hurts nobody (an array that is imported for a look). */
const readOnly = (seen: SeenArray): FindingDraft[] => {
  const { host, array, source } = seen;
  if (!('readOnly' in array) || array.readOnly !== true || array.usable === false) return [];
  return [
    findingOf({
      kind: 'array-read-only',
      key: keyOf(seen),
      severity: array.mount === undefined ? 'notice' : 'warning',
      subject: hostSubject(host),
      summary: `${nameOf(seen)} (${array.level}) is read-only: every write to it fails`,
      advice: `It was set read-only (mdadm --readonly) or assembled so. When nothing speaks against it: mdadm --readwrite /dev/${array.id}; the file system on it may have to be mounted anew.`,
      suspects: [
        { subject: hostSubject(host), cause: 'policy', confidence: 'medium', values: { array: array.id } },
      ],
      evidence: [evidenceFrom(source, `${array.id}: array_state readonly`)],
    }),
  ];
};

/** A log or a cache of a pool that is gone takes no data with it, and is seen nowhere but in the pool's own list. */
const besideFindings = (seen: SeenArray): FindingDraft[] => {
  const { host, array, source } = seen;
  const lostOnes = 'lostBeside' in array ? (array.lostBeside ?? []) : [];
  const pool = array.id.split('/')[0] ?? array.id;
  return lostOnes.map(({ what, disk, state, left }) => {
    const none = what === 'log' && left === 0;
    return findingOf({
      kind: 'pool-beside-lost',
      key: `${host}:${pool}:${disk}`,
      severity: none ? 'warning' : 'notice',
      subject: hostSubject(host),
      summary: `${host}: pool ${pool}: ${what} device ${state}${none ? ', synchronous writes go to its data disks' : what === 'log' ? `, ${left} left` : ''}: ${disk}`,
      advice: none
        ? `The data are whole, and writes that are waited for are slow until it is back: zpool replace or clear ${disk}, or take it out (zpool remove ${pool} ${disk}) while the pool is imported.`
        : `Nothing is at risk: replace it, or take it out (zpool remove ${pool} ${disk}).`,
      suspects: [{ subject: hostSubject(host), cause: 'disk-failed', confidence: 'high', values: { disk } }],
      evidence: [evidenceFrom(source, `pool ${pool}: ${what} ${disk} ${state}`)],
    });
  });
};

/** So many errors of a member are no single bit that was repaired. */
const MANY_ERRORS = 10;

const errorWords = ({ read = 0, write = 0, cksum = 0 }: PoolDisk): string =>
  [
    ...(cksum > 0 ? [`${cksum} checksum`] : []),
    ...(read > 0 ? [`${read} read`] : []),
    ...(write > 0 ? [`${write} write`] : []),
  ].join(', ');

/**
 * Members of a pool that work and have errors, which their counters alone tell: they are repaired from the redundancy there is. Not of a
 * disk that is out or is being filled, nor of a pool that is lost: that is told.
 */
const memberErrors = (seen: SeenArray): FindingDraft[] => {
  const { host, array, redundancy, source } = seen;
  if (array.usable === false || !('vdevs' in array)) return [];
  const whole = new Set(array.slots.flatMap(({ state, disk }) => (state === 'good' ? [disk] : [])));
  const isReduced = (redundancy?.missing ?? 0) > 0 || array.work === 'rebuild';
  const bad = (array.vdevs ?? []).filter(
    ({ disk, state, read = 0, write = 0, cksum = 0 }) =>
      state === 'ONLINE' && whole.has(disk) && read + write + cksum >= (isReduced ? 1 : MANY_ERRORS),
  );
  const [first, ...others] = bad;
  if (!first) return [];
  const more = others.length === 0 ? '' : `, ${others.length} more disks have some`;
  return [
    findingOf({
      kind: 'member-errors',
      key: keyOf(seen),
      severity: isReduced ? 'warning' : 'notice',
      subject: hostSubject(host),
      summary: `${nameOf(seen)}: ${first.disk} has ${errorWords(first)} errors${more}${isReduced ? ', redundancy is reduced' : ''}`,
      advice:
        'They were repaired so far. Look at cable, controller and SMART values of the disk before anything else of this array is pulled; after zpool clear it shows whether more come.',
      suspects: bad.slice(0, 5).map(({ disk }) => ({
        subject: hostSubject(host),
        cause: 'disk-failing',
        confidence: 'medium',
        values: { disk },
      })),
      evidence: bad
        .slice(0, 5)
        .map((one) => evidenceFrom(source, `${one.disk} ONLINE: ${errorWords(one)} errors`)),
    }),
  ];
};

export const arrayFindings = (seen: readonly SeenArray[]): FindingDraft[] =>
  seen.flatMap((one) => [...findOne(one), ...readOnly(one), ...besideFindings(one), ...memberErrors(one)]);
