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
  /** Newest first. */
  of(probe: string, host: string): readonly RawRecord[];
  /** Bytes kept. */
  size(): number;
}

const sizeOf = (record: RawRecord): number =>
  record.answer.stdout.byteLength + record.answer.stderr.byteLength + record.command.length + 512;

/** Keeps three answers per probe and host and 64 MB in all (design.md section 2); the oldest of all go first. */
export const createRawAnswers = (perSource = 3, limit = 64 * 1024 * 1024): RawAnswers => {
  const bySource = new Map<string, RawRecord[]>();
  const inOrder = new Set<RawRecord>();
  let bytes = 0;
  const drop = (record: RawRecord): void => {
    inOrder.delete(record);
    bytes -= sizeOf(record);
    const key = `${record.probe} ${record.host}`;
    bySource.set(
      key,
      (bySource.get(key) ?? []).filter((one) => one !== record),
    );
  };
  return {
    keep: (record) => {
      const key = `${record.probe} ${record.host}`;
      const records = [record, ...(bySource.get(key) ?? [])];
      bySource.set(key, records);
      inOrder.add(record);
      bytes += sizeOf(record);
      for (const old of records.slice(perSource)) drop(old);
      for (const oldest of inOrder) {
        if (bytes <= limit) break;
        drop(oldest);
      }
    },
    of: (probe, host) => bySource.get(`${probe} ${host}`) ?? [],
    size: () => bytes,
  };
};
