import type { Guard } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard, rereads } from '../../../src/kit/guards.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { bricksOf } from '../judge/bricks.ts';
import { volumesOf } from '../judge/pool.ts';
import { type BrickCopy, copiesOf, namesInDispute } from '../judge/split-copies.ts';
import type { FileCopy } from '../read/read-copies.ts';
import type { GlusterVolume } from '../readings.ts';

export const policies = ['latest-mtime', 'bigger-file', 'source-brick'] as const;
export type Policy = (typeof policies)[number];

/** How the copy that wins is chosen. */
export interface Choice {
  /** The file as the command takes it. */
  file: string;
  by: Policy;
  /** Of source-brick: `gl1:/data/brick1/home0`. */
  source?: string | undefined;
}

/** A copy that was looked at and is a file. */
export type SeenCopy = BrickCopy & { copy: FileCopy & { bytes: number; changedS: number } };

const isSeen = (one: BrickCopy): one is SeenCopy =>
  one.copy?.kind === 'file' && one.copy.bytes !== undefined && one.copy.changedS !== undefined;

/** The copy that wins, or why none can be told. Gluster's own words on the same are refusals of the step. */
export const winnerOf = (
  copies: readonly BrickCopy[],
  { file, by, source }: Choice,
): { winner: SeenCopy } | { problem: string } => {
  const problem = problemOf(copies, file);
  if (problem !== undefined) return { problem };
  const seen = copies.filter(isSeen);
  const metadata = seen.some(({ copy }) => copy.accuses.includes('metadata'));
  if (by !== 'source-brick' && metadata)
    return { problem: 'the copies differ in owner, mode or attributes: only by=source-brick decides that' };
  if (by === 'latest-mtime') return changedLast(seen);
  if (by === 'bigger-file') return chooseBest(seen, ({ copy }) => copy.bytes, 'is bigger than the others');
  const winner = seen.find(({ brick }) => brick === source);
  if (!winner)
    return {
      problem: `source must be one of ${seen.map(({ brick }) => brick).join(', ')}, as gluster names it`,
    };
  // The third brick of an arbiter volume holds names only: as a source it would empty the file.
  return winner.copy.bytes === 0 && seen.some(({ copy }) => copy.bytes > 0)
    ? { problem: `the copy on ${winner.brick} is empty and another is not: an arbiter's copy holds no data` }
    : { winner };
};

/**
 * Clients see the times that gluster keeps itself where `features.ctime` is on, the disk's else (posix_get_mdata_xattr). Which of them a
 * brick's process answers with is not seen from outside: both must name one copy.
 */
const changedLast = (seen: readonly SeenCopy[]): ReturnType<typeof winnerOf> => {
  const byDisk = chooseBest(seen, ({ copy }) => copy.changedS, 'was changed last, to the second');
  const unread = seen.find(({ copy }) => copy.recordedS === undefined);
  if (unread) return notByTime(`gluster's own time of the copy on ${unread.brick} could not be read`);
  const recorded = seen.flatMap(({ copy }) => copy.recordedS ?? []);
  if (recorded.length === 0) return byDisk;
  const without = seen.find(({ copy }) => copy.recordedS === null);
  if (without) return notByTime(`the copy on ${without.brick} has no time of gluster's own, and others have`);
  const byGluster = chooseBest(
    seen,
    ({ copy }) => copy.recordedS ?? 0,
    "was changed last by gluster's own times",
  );
  if ('problem' in byGluster || 'problem' in byDisk) return 'problem' in byGluster ? byGluster : byDisk;
  return byGluster.winner === byDisk.winner
    ? byGluster
    : notByTime(
        `by gluster's own times the copy on ${byGluster.winner.brick} was changed last, by the disks' the one on ${byDisk.winner.brick}`,
      );
};

const notByTime = (why: string): { problem: string } => ({
  problem: `${why}: which copy is the latest is not known; choose by=bigger-file or by=source-brick`,
});

const chooseBest = (
  seen: readonly SeenCopy[],
  value: (one: SeenCopy) => number,
  what: string,
): ReturnType<typeof winnerOf> => {
  const most = Math.max(...seen.map(value));
  const [winner, ...others] = seen.filter((one) => value(one) === most);
  return winner && others.length === 0 ? { winner } : { problem: `no copy ${what}` };
};

/** Why a file can't be healed by choosing a copy, whichever. */
const problemOf = (copies: readonly BrickCopy[], file: string): string | undefined => {
  const unread = copies.find(({ copy }) => copy === undefined);
  if (unread) return `the copy on ${unread.brick} was not looked at`;
  if (copies.some(({ copy }) => copy?.kind === 'folder')) {
    const [name, ...more] = namesInDispute(copies);
    return name === undefined
      ? `${file} is a folder: its names differ between the bricks; compare them by hand`
      : `gfid split-brain: in ${file} ${[name, ...more.slice(0, 3)].join(', ')} is another file (gfid) on each brick; ${byHand}`;
  }
  const missing = copies.find((one) => !isSeen(one));
  if (missing)
    return `${missing.path} on ${missing.host} is no file that can be chosen: ${missing.copy?.failed ?? missing.copy?.kind ?? 'no reason given'}`;
  const gfids = new Set(copies.map(({ copy }) => copy?.gfid));
  if (gfids.has(undefined)) return 'the gfid of a copy could not be read (as root, with getfattr)';
  if (gfids.size > 1) return `gfid split-brain: ${file} is another file on each brick; ${byHand}`;
  return copies.length < 2 ? 'there are not two copies' : undefined;
};

/** glfs-heal.c resolves such a name too (observed on 10.3), and what it stood for on the other brick is lost. */
const byHand =
  'by hand: save both off the bricks, then gluster volume heal VOLUME split-brain source-brick HOST:BRICK /FOLDER/NAME';

/** `gl1:/b: 8 bytes, changed 2026-11-23 20:19:32 UTC, sha256 ab12..., mode 0644, owner 0:0; wins`. */
const describe = ({ brick, copy }: SeenCopy): string => {
  const own = copy.recordedS ?? copy.changedS;
  const at = `${timeOf(copy.changedS)} UTC${own === copy.changedS ? '' : ` (by gluster's own time ${timeOf(own)})`}`;
  const sum = copy.sha256 === undefined ? 'sha256 not read in time' : `sha256 ${copy.sha256.slice(0, 16)}`;
  const accuses = copy.accuses.length > 0 ? `; accuses the others of their ${copy.accuses.join(', ')}` : '';
  return `${brick}: ${groupThousands(copy.bytes)} bytes, changed ${at}, mode ${copy.mode ?? '?'}, owner ${copy.owner ?? '?'}, ${sum}${accuses}`;
};

const timeOf = (seconds: number): string => {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? '?' : at.toISOString().slice(0, 19).replace('T', ' ');
};

/** The copies, which one wins as far as can be told from here, and what becomes of the others. */
export const reasonTexts = (
  seen: readonly SeenCopy[],
  found: ReturnType<typeof winnerOf>,
  given: Choice & { save: string; discard: string },
): readonly string[] => [
  ...seen.map((one) => `${describe(one)}${'winner' in found && found.winner === one ? '; wins' : ''}`),
  ...(given.by === 'latest-mtime' && 'winner' in found
    ? [
        `sent as source-brick ${found.winner.brick}: gluster's own latest-mtime makes the times alike first, and then refuses (10.3)`,
      ]
    : []),
  given.discard === ''
    ? `${given.by === 'bigger-file' ? 'all copies are' : 'the losing copies are'} saved in ${given.save} on their own hosts first`
    : 'the losing copies are thrown away, as you typed',
];

export const seenCopies = (copies: readonly BrickCopy[]): readonly SeenCopy[] => copies.filter(isSeen);

/** Whether all copies are alike now, by what was read of them. `unread`: it does not tell. */
export const checkAlike = (
  copies: readonly BrickCopy[],
): { state: 'yes' | 'wait' | 'unread'; text: string } => {
  const seen = copies.filter(isSeen);
  if (seen.length < copies.length || seen.length < 2)
    return { state: 'unread', text: 'not all copies could be read' };
  const [first] = seen;
  const differing = seen.find(
    ({ copy }) =>
      copy.bytes !== first?.copy.bytes ||
      copy.sha256 !== first.copy.sha256 ||
      copy.mode !== first.copy.mode ||
      copy.owner !== first.copy.owner,
  );
  if (differing) return { state: 'wait', text: `the copy on ${differing.brick} still differs` };
  const sum = first?.copy.sha256;
  return sum === undefined
    ? { state: 'unread', text: 'the copies have one size, and were not read whole in time' }
    : { state: 'yes', text: `${count(seen.length, 'copy', 'copies')} with the checksum ${sum.slice(0, 12)}` };
};

/** Guard 3: every copy was looked at, one of them is the one meant, and none lies where it would be saved. */
export const requireCopyChosen = (
  volume: GlusterVolume,
  given: Choice & { save: string },
  judgement: Judgement,
): Guard => ({
  id: '3 copies',
  text: `the copies of ${given.file} were read, and by ${given.by} one of them wins`,
  reads: rereads('gluster.copies', ...bricksOf(volume, judgement).map(({ host }) => host)),
  absolute: true,
  check: (live) => {
    const inside = (volumesOf(live)?.volumes ?? [volume])
      .flatMap(({ bricks }) => bricks)
      .find(({ path }) => `${given.save}/`.startsWith(`${path}/`));
    if (inside) return failGuard(`${given.save} lies on the brick ${inside.path}`);
    const { copies, oneSet } = copiesOf(volume, given.file, live);
    if (!oneSet) return failGuard(`which bricks hold ${given.file} is not known`);
    const found = winnerOf(copies, given);
    return 'problem' in found ? failGuard(found.problem) : passGuard(`${found.winner.brick} wins`);
  },
});
