import type { Judgement } from '../../../src/model/system.ts';
import { type CopiesReading, type FileCopy, copyPath } from '../read/read-copies.ts';
import type { GlusterVolume } from '../readings.ts';
import { bricksOf } from './bricks.ts';
import { healOf } from './pool.ts';

/** A brick that may hold a copy of a file. */
export interface BrickCopy {
  /** The site's host. */
  host: string;
  /** `gl1:/data/brick1/home0`, with the name that gluster has for the host. */
  brick: string;
  path: string;
  /** Undefined: it was not looked at. */
  copy?: FileCopy;
}

/**
 * The copies of a file by name, in the set of bricks that has it; where no set or several have it, on all bricks. An arbiter's is
 * none: it is always empty.
 */
export const copiesOf = (
  volume: GlusterVolume,
  name: string,
  judgement: Judgement,
): { copies: readonly BrickCopy[]; oneSet: boolean } => {
  const all = bricksOf(volume, judgement).map(({ host, path: brick }, index): BrickCopy => {
    const path = copyPath(brick, name);
    const copy = judgement.readings
      .source<CopiesReading>('gluster.copies', host)
      ?.good?.value.copies.find((one) => one.path === path);
    return {
      host,
      brick: `${volume.bricks[index]?.host ?? host}:${brick}`,
      path,
      ...(copy && { copy }),
    };
  });
  const isArbiter = ({ brick }: BrickCopy): boolean =>
    volume.bricks.some(({ host, path, arbiter }) => arbiter === true && `${host ?? '?'}:${path}` === brick);
  const size = volume.replica ?? all.length;
  const sets = [...Map.groupBy(all.entries(), ([index]) => Math.floor(index / size)).values()].map((set) =>
    set.flatMap(([, one]) => (isArbiter(one) ? [] : [one])),
  );
  // A folder is in every set: what is wrong of it, in the one whose copies accuse each other.
  const has = ({ copy }: BrickCopy): boolean =>
    copy?.kind !== undefined &&
    copy.kind !== 'pointer' &&
    (copy.kind !== 'folder' || copy.accuses.length > 0);
  const [one, ...more] = sets.filter((set) => set.some(has));
  return one && more.length === 0
    ? { copies: one, oneSet: true }
    : { copies: all, oneSet: sets.length === 1 };
};

/**
 * Files of a volume that heal info lists in split-brain, by an answer that tells it now. Undefined: not told, as where bricks count some
 * (or old ones, that something waits) and their names could not be read.
 */
export const readListed = (volume: string, judgement: Judgement): readonly string[] | undefined => {
  const heal = healOf(judgement).get(volume);
  if (heal?.error !== undefined) return undefined;
  const isNone = heal?.bricks.every(({ split, pending }) => (split ?? pending) === 0);
  return heal?.splitFiles ?? (isNone === true ? [] : undefined);
};

/** Names in a folder that stand for different files on its copies: no policy heals them under the folder's name. */
export const namesInDispute = (copies: readonly BrickCopy[]): string[] => {
  const gfids = new Map<string, Set<string>>();
  for (const { copy } of copies)
    for (const { name, gfid } of copy?.names ?? []) gfids.set(name, (gfids.get(name) ?? new Set()).add(gfid));
  return [...gfids].flatMap(([name, ids]) => (ids.size > 1 ? [name] : []));
};
