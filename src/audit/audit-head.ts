import { FIRST_PREV, sha256 } from './audit-line.ts';

/** How far the log was found whole: so many bytes, and the SHA-256 of all of them. */
export interface Point {
  bytes: number;
  hash: string;
}

/** The last record's number and hash of its line, kept beside the log: lines cut off at the end are missed by no chain. */
export interface AuditHead {
  seq: number;
  lineHash: string;
  /** What need not be checked line by line again. Absent: the version before wrote it. */
  point?: Point;
}

/** Of a log that was begun and holds no record yet. */
export const EMPTY_HEAD: AuditHead = { seq: 0, lineHash: FIRST_PREV, point: { bytes: 0, hash: sha256('') } };

/**
 * `000000000012 HASH`, and on a second line `000000004711 HASH`. The first is all that the version before wrote and writes over, so
 * a console of it that still runs leaves the second line behind, which is then a point further back. Well below a sector.
 */
export const encodeHead = ({ seq, lineHash, point }: AuditHead): string =>
  `${digits(seq)} ${lineHash}\n${point ? `${digits(point.bytes)} ${point.hash}\n` : ''}`;

export const parseHead = (text: string): AuditHead | undefined => {
  const [, seq, lineHash = '', bytes, hash = ''] =
    /^(\d{12}) ([0-9a-f]{64})\n(?:(\d{12}) ([0-9a-f]{64})\n)?$/.exec(text) ?? [];
  if (seq === undefined) return undefined;
  const head = { seq: Number(seq), lineHash };
  return bytes === undefined ? head : { ...head, point: { bytes: Number(bytes), hash } };
};

const digits = (value: number): string => String(value).padStart(12, '0');
