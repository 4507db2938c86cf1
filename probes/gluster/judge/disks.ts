import type { Judgement } from '../../../src/model/system.ts';
import type { BrickDisk, DiskReading, GlusterVolume } from '../readings.ts';
import { type BrickState, bricksOf } from './bricks.ts';

/** A brick with what its file system says. */
export interface DiskedBrick {
  brick: BrickState;
  volume: GlusterVolume;
  disk: BrickDisk;
  /** UTC ms of the reading. */
  at: number;
}

/** The bricks of a volume whose file system was asked and answers, or fails to, now. */
export const disksOf = (volume: GlusterVolume, judgement: Judgement): DiskedBrick[] =>
  bricksOf(volume, judgement).flatMap((brick) => {
    const source = judgement.readings.source<DiskReading>('gluster.disk', brick.host);
    const disk = source?.good?.value.bricks.find(({ path }) => path === brick.path);
    return disk && source?.good && source.state === 'fresh'
      ? [{ brick, volume, disk, at: source.good.at }]
      : [];
  });

/**
 * Why the brick's folder is not the brick: its disk is not mounted, or another one is. A folder that carries the volume's id is
 * the brick wherever it lies; where the id could not be seen nothing is concluded from it.
 */
export const whyNotMounted = ({ disk, volume, brick }: DiskedBrick): string | undefined => {
  const { state, text, volumeId, withoutId, mount } = disk;
  if (state === 'failed')
    return /no such file/i.test(text ?? '') ? `${brick.path} does not exist` : undefined;
  if (state === 'hangs') return undefined;
  const own = volume.id?.replaceAll('-', '');
  if (volumeId !== undefined && own !== undefined && volumeId !== own)
    return `${brick.path} carries the id of another volume (${volumeId})`;
  return withoutId === true
    ? `${brick.path} lies on ${mount === '/' ? 'the root file system' : (mount ?? 'another file system')} and does not carry the volume's id`
    : undefined;
};

/**
 * Errors that a file system or its disk gives (errno(3)): EIO, which XFS gives after a shutdown, EUCLEAN, EBADMSG, ESTALE, ENOTCONN,
 * ENODEV, ENXIO. Others, of rights or of a program that is missing, say nothing of the disk.
 */
const diskErrors =
  /input\/output error|i\/o error|structure needs|bad message|stale|not connected|no such device/i;

/** Whether the brick's folder could not be looked at for a reason that lies not in its disk. */
export const isUnseen = (one: DiskedBrick): boolean =>
  one.disk.state === 'failed' && whyNotMounted(one) === undefined && !diskErrors.test(one.disk.text ?? '');

/** glusterd and the bricks keep 1 % back (storage.reserve, 4.0 and later): below it a write fails like on a full disk. */
const reserve = 0.01;
/** From here on a disk is nearly full. */
const nearly = 0.95;

export interface Fill {
  full: boolean;
  /** Of inodes, with space left. */
  inodes: boolean;
  /** Of space only: what holds no data hardly wants it. */
  onlySpace: boolean;
  text: string;
}

/** Whether the disk is short of space or inodes; undefined: it is not, or it did not say. */
export const fillOf = (
  { disk }: Pick<DiskedBrick, 'disk'>,
  options: GlusterVolume['options'],
): Fill | undefined => {
  const { kbTotal, kbUsed, kbAvail, filesTotal = 0, filesFree } = disk;
  const kept = reserveOf(options['storage.reserve']) ?? reserve;
  const used = kbUsed === undefined || kbAvail === undefined ? 0 : kbUsed / Math.max(1, kbUsed + kbAvail);
  const noSpace = kbAvail !== undefined && kbTotal !== undefined && kbTotal > 0 && kbAvail <= kbTotal * kept;
  const filesUsed = filesFree === undefined || filesTotal <= 0 ? 0 : (filesTotal - filesFree) / filesTotal;
  const noInodes = filesTotal > 0 && filesFree === 0;
  const share = (value: number): string => `${Math.floor(value * 1000) / 10} %`;
  const parts = [
    ...(noSpace || used >= nearly ? [`${share(used)} of its space used`] : []),
    ...(noInodes || filesUsed >= nearly
      ? [noInodes ? 'no inodes left' : `${share(filesUsed)} of its inodes used`]
      : []),
  ];
  return parts.length === 0
    ? undefined
    : {
        full: noSpace || noInodes,
        inodes: !noSpace && (noInodes || used < nearly),
        onlySpace: !noInodes && filesUsed < nearly,
        text: parts.join(', '),
      };
};

/** A share as of 4.0, `1` or `1%`; sizes (`10GB`, 7 and later) are left to the default. */
const reserveOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+(?:\.\d+)?%?$/.test(text) ? Number(text.replace('%', '')) / 100 : undefined;

/**
 * Whether the brick's disk is as it should be, so that starting the brick may help. Where it was not asked, it may be. On the root file
 * system the id may be the trace of a start on the bare folder.
 */
export const mayStart = (one: DiskedBrick | undefined): boolean =>
  one === undefined ||
  (one.disk.state === 'read' &&
    one.disk.readOnly !== true &&
    one.disk.mount !== '/' &&
    whyNotMounted(one) === undefined);
