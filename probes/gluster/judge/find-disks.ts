import type { EvidenceDraft, FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { type DiskedBrick, disksOf, fillOf, isUnseen, whyNotMounted } from './disks.ts';
import { hurtMounts } from './hurt-clients.ts';
import { finding, volumesOf } from './pool.ts';

interface Problem {
  kind: 'brick-unmounted' | 'brick-hangs' | 'brick-read-only' | 'brick-full' | 'brick-disk';
  /** For programs: what is wrong of the disk. */
  cause: 'disk-hung' | 'not-mounted' | 'disk-error' | 'read-only' | 'full' | 'inodes-full';
  text: string;
  advice: string;
  /** Without regard to other copies: writes fail. */
  full?: boolean;
  nearly?: boolean;
  /** An arbiter's space: it writes names and attributes, no data (inodes are what it runs out of). */
  spare?: boolean;
}

/** The worst that is wrong of a brick's disk: what is not mounted is not full. */
const problemOf = (one: DiskedBrick): Problem | undefined => {
  const { disk, brick } = one;
  if (disk.state === 'hangs')
    return {
      kind: 'brick-hangs',
      cause: 'disk-hung',
      text: 'its disk does not answer (stat within 5 s)',
      advice: `Look at the kernel lines of ${brick.host}: a disk or controller that hangs. Clients wait for this brick until network.ping-timeout.`,
    };
  const absent = whyNotMounted(one);
  if (absent !== undefined)
    return {
      kind: 'brick-unmounted',
      cause: 'not-mounted',
      text: `its disk is not mounted: ${absent}`,
      advice: `Mount the disk on ${brick.host}, then start the brick. Started on the bare folder it would fill the wrong file system.`,
    };
  if (isUnseen(one)) return undefined;
  if (disk.state === 'failed')
    return {
      kind: 'brick-disk',
      cause: 'disk-error',
      text: `its disk gives an error: ${disk.text ?? '?'}`,
      advice: `Look at the kernel lines of ${brick.host}: a file system that was shut down, or a disk that is gone.`,
    };
  if (disk.readOnly === true)
    return {
      kind: 'brick-read-only',
      cause: 'read-only',
      text: `its disk is mounted read-only (${disk.mount ?? '?'})`,
      advice: `A file system goes read-only after errors: look at the kernel lines of ${brick.host} before it is mounted again. The brick's own health check ends its process.`,
    };
  const fill = fillOf(one, one.volume.options);
  return fill === undefined
    ? undefined
    : {
        kind: 'brick-full',
        cause: fill.inodes ? 'inodes-full' : 'full',
        text: `its disk is ${fill.full ? 'full' : 'nearly full'}: ${fill.text}${brick.arbiter === true ? ' (an arbiter: no data)' : ''}`,
        advice:
          'Remove files through a mount of the volume, never on the brick, or grow the disk. Also look what else lies on that file system.',
        ...(fill.full ? { full: true } : { nearly: true }),
        ...(brick.arbiter === true && fill.onlySpace && { spare: true }),
      };
};

/** What the file systems below the bricks of started volumes say; one finding for each disk, whatever lies on it. */
export const diskFindings = (judgement: Judgement): FindingDraft[] => {
  const asked = (volumesOf(judgement)?.volumes ?? [])
    .filter(({ status }) => status === 'Started')
    .flatMap((volume) => disksOf(volume, judgement));
  const bad = asked.flatMap((one) => {
    const problem = problemOf(one);
    return problem ? [{ one, problem }] : [];
  });
  const alike = Map.groupBy(
    bad,
    ({ one, problem }) => `${problem.kind} ${one.brick.host} ${one.disk.mount ?? one.brick.path}`,
  );
  const unseen = Map.groupBy(asked.filter(isUnseen), ({ brick }) => brick.host);
  return [
    ...[...alike.values()].map((group) => diskFinding(group, judgement)),
    ...[...unseen].map(([host, group]) => unseenFinding(host, group)),
  ];
};

/** Disks that nobody could look at: no verdict on them. */
const unseenFinding = (host: string, group: readonly DiskedBrick[]): FindingDraft =>
  finding({
    kind: 'disk-unseen',
    key: host,
    severity: 'notice',
    subject: { kind: 'host', id: host },
    members: [...new Set(group.map(({ brick }) => brick.id))].map((id) => ({ kind: 'brick' as const, id })),
    summary: `${host}: disks of ${count(group.length, 'brick')} not read: ${group[0]?.disk.text ?? 'no reason given'}`,
    advice: `Whether the disks are mounted and have space is not known. The folders are looked at with stat, df and getfattr: as root, or with gluster: {sudo: true} in the site file.`,
    evidence: group.map(({ brick, disk, at }) => ({
      text: `${brick.id}: ${disk.text ?? 'failed'}`,
      probe: 'gluster.disk',
      host,
      at,
    })),
  });

const severityOf = ({ full, nearly, spare }: Problem, alone: boolean): FindingDraft['severity'] => {
  if (spare === true) return full === true ? 'warning' : 'notice';
  return nearly !== true && (full === true || alone) ? 'critical' : 'warning';
};

const diskFinding = (
  group: readonly { one: DiskedBrick; problem: Problem }[],
  judgement: Judgement,
): FindingDraft => {
  const [first] = group;
  if (!first) throw new Error('a group without members');
  const { one, problem } = first;
  const bricks = [...new Set(group.map(({ one: { brick } }) => brick.id))];
  const volumes = [...new Set(group.map(({ one: { volume } }) => volume.name))];
  // A copy elsewhere goes on; without one, files are out of reach.
  const alone = group.some(
    ({ one: { volume } }) => (volume.replica ?? 1) < 2 && !/disperse/i.test(volume.type ?? ''),
  );
  const severity = severityOf(
    group.every(({ problem: { spare } }) => spare === true) ? problem : { ...problem, spare: false },
    alone,
  );
  const more = bricks.length > 1 ? ` and ${count(bricks.length - 1, 'brick')} more` : '';
  return finding({
    kind: problem.kind,
    key: `${one.brick.host}:${one.disk.mount ?? one.brick.path}`,
    severity,
    ...(severity === 'critical' &&
      hurtMounts(
        group.map(({ one: { volume } }) => volume),
        judgement,
      )),
    subject: { kind: 'brick', id: one.brick.id },
    members: bricks.map((id) => ({ kind: 'brick' as const, id })),
    summary: `${volumes.join(', ')}: brick ${one.brick.id}${more}: ${problem.text}`,
    advice: problem.advice,
    evidence: group.map(({ one: { brick, disk, at }, problem: { text } }): EvidenceDraft => ({
      text: `${brick.id}: ${text}${disk.kbAvail === undefined ? '' : `, ${disk.kbAvail} KiB available`}${disk.filesFree === undefined ? '' : `, ${disk.filesFree} inodes free`}`,
      probe: 'gluster.disk',
      host: brick.host,
      at,
    })),
    suspects: bricks.map((id) => ({
      subject: { kind: 'brick' as const, id },
      cause: problem.cause,
      confidence: 'high' as const,
    })),
    breaks:
      problem.nearly || problem.full
        ? undefined
        : [{ what: 'data', of: bricks.map((id) => ({ kind: 'brick' as const, id })) }],
  });
};
