import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
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
  findRecords(probe: string, host: string): readonly RawRecord[];
  /** Bytes kept. */
  size(): number;
}

/**
 * From so many bytes on a stream is packed: a list of 10,000 nodes shrinks from 13 MB to half a one, the
 * counters of a switch from 90 kB to 5.
 */
const WORTH = 4 * 1024;

/** A window of 128 kB and little effort: the memory of the packing itself is 1 MB, not 4. */
const HOW = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 } };

const compress = promisify(zstdCompress);

/** Up to so many bytes it is done at once: 0.3 ms, and each of Node's threads would keep memory of its own for it, 20 MB in all. */
const AT_ONCE = 1024 * 1024;

/** Bytes with nothing around them: a short answer cut out of what the network gave would hold on to all 64 kB of that. */
const copyBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;

type Stream = 'stdout' | 'stderr';

interface Kept {
  record: RawRecord;
  /** Streams that stand in `record` packed. */
  packed: Set<Stream>;
}

const sizeOf = ({ record }: Kept): number =>
  record.answer.stdout.byteLength + record.answer.stderr.byteLength + record.command.length + 512;

/** Keeps three answers per probe and host and 64 MB in all; the oldest of all go first. */
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
  /** One after the other: a hundred at once would take more memory than they save. */
  let packing = Promise.resolve();
  const pack = async (kept: Kept, stream: Stream): Promise<void> => {
    if (inOrder.has(kept))
      put(kept, stream, await compress(kept.record.answer[stream], HOW).catch(() => undefined));
  };
  const put = (kept: Kept, stream: Stream, small: Uint8Array | undefined): void => {
    if (!small || !inOrder.has(kept)) return;
    bytes -= sizeOf(kept);
    kept.record = { ...kept.record, answer: { ...kept.record.answer, [stream]: copyBytes(small) } };
    kept.packed.add(stream);
    bytes += sizeOf(kept);
  };
  return {
    keep: (record) => {
      const key = `${record.probe} ${record.host}`;
      const { stdout, stderr } = record.answer;
      const answer = { ...record.answer, stdout: copyBytes(stdout), stderr: copyBytes(stderr) };
      const kept: Kept = { record: { ...record, answer }, packed: new Set() };
      const all = [kept, ...(bySource.get(key) ?? [])];
      bySource.set(key, all);
      inOrder.add(kept);
      bytes += sizeOf(kept);
      for (const old of all.slice(perSource)) drop(old);
      for (const oldest of inOrder) {
        if (bytes <= limit) break;
        drop(oldest);
      }
      for (const stream of ['stdout', 'stderr'] as const) {
        const { byteLength } = answer[stream];
        if (byteLength > AT_ONCE) packing = packing.then(() => pack(kept, stream));
        else if (byteLength > WORTH) put(kept, stream, packedNow(answer[stream]));
      }
    },
    findRecords: (probe, host) => (bySource.get(`${probe} ${host}`) ?? []).map(unpackRecord),
    size: () => bytes,
  };
};

/** Without memory to pack it, it stays as it is. */
const packedNow = (bytes: Uint8Array): Uint8Array | undefined => {
  try {
    return zstdCompressSync(bytes, HOW);
  } catch {
    return undefined;
  }
};

const unpackRecord = ({ record, packed }: Kept): RawRecord => {
  const { answer } = record;
  const joinStream = (stream: Stream): Uint8Array =>
    packed.has(stream) ? zstdDecompressSync(answer[stream]) : answer[stream];
  return { ...record, answer: { ...answer, stdout: joinStream('stdout'), stderr: joinStream('stderr') } };
};
