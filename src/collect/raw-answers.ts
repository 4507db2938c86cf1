import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { RawAnswer } from '../model/answer.ts';

/** One answer as it came, for the evidence view. */
export interface RawRecord {
  probe: string;
  host: string;
  command: string;
  /** UTC ms. */
  at: number;
  answer: RawAnswer;
}

/** The last raw answers, so that every reading can be checked against what the host said. */
export interface RawAnswers {
  keep(record: RawRecord): void;
  /** Newest first, the bytes as they came. */
  of(probe: string, host: string): readonly RawRecord[];
  /** Bytes kept. */
  size(): number;
}

/** From so many bytes on a stream is packed, on a thread of Node's: a list of 10,000 nodes shrinks from 13 MB to half a one. */
const WORTH = 32 * 1024;

type Stream = 'stdout' | 'stderr';

interface Kept {
  record: RawRecord;
  /** Streams that stand in `record` packed. */
  packed: Set<Stream>;
}

const sizeOf = ({ record }: Kept): number =>
  record.answer.stdout.byteLength + record.answer.stderr.byteLength + record.command.length + 512;

/** Keeps three answers per probe and host and 64 MB in all (design.md section 2); the oldest of all go first. */
export const createRawAnswers = (perSource = 3, limit = 64 * 1024 * 1024): RawAnswers => {
  const bySource = new Map<string, Kept[]>();
  const inOrder = new Set<Kept>();
  let bytes = 0;
  const drop = (kept: Kept): void => {
    inOrder.delete(kept);
    bytes -= sizeOf(kept);
    const key = `${kept.record.probe} ${kept.record.host}`;
    bySource.set(
      key,
      (bySource.get(key) ?? []).filter((one) => one !== kept),
    );
  };
  const pack = (kept: Kept, stream: Stream): void => {
    zstdCompress(kept.record.answer[stream], (error, small) => {
      // Without memory to pack it, it stays as it is.
      if (error || !inOrder.has(kept)) return;
      bytes -= sizeOf(kept);
      kept.record = { ...kept.record, answer: { ...kept.record.answer, [stream]: small } };
      kept.packed.add(stream);
      bytes += sizeOf(kept);
    });
  };
  return {
    keep: (record) => {
      const key = `${record.probe} ${record.host}`;
      const kept: Kept = { record, packed: new Set() };
      const all = [kept, ...(bySource.get(key) ?? [])];
      bySource.set(key, all);
      inOrder.add(kept);
      bytes += sizeOf(kept);
      for (const old of all.slice(perSource)) drop(old);
      for (const oldest of inOrder) {
        if (bytes <= limit) break;
        drop(oldest);
      }
      for (const stream of ['stdout', 'stderr'] as const)
        if (inOrder.has(kept) && record.answer[stream].byteLength > WORTH) pack(kept, stream);
    },
    of: (probe, host) => (bySource.get(`${probe} ${host}`) ?? []).map(unpacked),
    size: () => bytes,
  };
};

const unpacked = ({ record, packed }: Kept): RawRecord => {
  const { answer } = record;
  const whole = (stream: Stream): Uint8Array =>
    packed.has(stream) ? zstdDecompressSync(answer[stream]) : answer[stream];
  return { ...record, answer: { ...answer, stdout: whole('stdout'), stderr: whole('stderr') } };
};
