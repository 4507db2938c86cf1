import { isSwitchedOff } from './words.ts';

/**
 * A sharded volume (features.shard) keeps of each file the first block under its name, and every other as a file of its own,
 * `/.shard/GFID.N`, named after the gfid of the whole (shard.c, shard_make_block_abspath). To its users there is no such file.
 */
export interface Shard {
  gfid: string;
  /** 1 is the second block. */
  number: number;
}

/** The piece that a name in heal info is; undefined: no name of a piece. */
export const parseShard = (name: string): Shard | undefined => {
  const [, gfid, number] =
    /^\/\.shard\/(?:\.remove_me\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/.exec(name) ??
    [];
  return gfid === undefined ? undefined : { gfid, number: Number(number) };
};

export const isSharded = (options: Readonly<Record<string, string>>): boolean => {
  const value = options['features.shard'];
  return value !== undefined && !isSwitchedOff(value);
};

/**
 * Why a name may be a piece of a file, which is not to be healed by itself: each piece has its own newest and biggest copy, and a file
 * put together from pieces of different copies is a file that never was. With what to do then. Undefined: it is a whole file, or its first block.
 */
export const pieceProblem = (name: string, options: Readonly<Record<string, string>>): string | undefined => {
  const why = whyPiece(name, options);
  return why && `${why}: take all pieces from one brick, by hand, with its writer stopped`;
};

const whyPiece = (name: string, options: Readonly<Record<string, string>>): string | undefined => {
  const shard = parseShard(name);
  if (shard)
    return `${name} is block ${shard.number} of the file with the gfid ${shard.gfid}, no file of a user`;
  if (name.startsWith('/.shard'))
    return `${name} belongs to the pieces of files, and its name does not say of which file`;
  return name.startsWith('gfid:') && isSharded(options)
    ? `the volume is sharded, and the gfid of ${name} does not show whether it is a file or a piece of one`
    : undefined;
};
