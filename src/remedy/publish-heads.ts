import type { LogState } from '../audit/audit-read.ts';
import { isWhole, markOfRecord, type Mark, type Verified } from '../audit/audit-verify.ts';
import type { AuditRecord } from '../model/run.ts';
import type { AuditParts } from './audit-log.ts';

/**
 * The copying of heads, one at a time. The copy is read before the log: what another console writes in between is no loss. A copy that
 * names more than is here is the evidence of that: it is not written over. `isOurs`: asked at the end of a run, when it may stop what comes.
 */
export const createPublishing = (
  { copy, syslog, console }: Pick<AuditParts, 'copy' | 'syslog' | 'console'>,
  log: { known(): LogState | undefined; look(full: boolean): Promise<LogState> },
  isOurs: (verified: Verified, mark: Promise<Mark | undefined>) => Promise<boolean>,
): ((atEnd: boolean) => Promise<void>) => {
  let queue: Promise<void> = Promise.resolve();
  /** The last one that the syslog got of this process. */
  let publishedSeq = 0;
  const work = async (atEnd: boolean): Promise<void> => {
    const mark = await copy?.read();
    const { verified } = await log.look(false);
    if (log.known() === undefined || !isWhole(verified) || verified.records.length === 0) return;
    const isSame = atEnd
      ? await isOurs(verified, Promise.resolve(mark))
      : (await copy?.findLost(verified, Promise.resolve(mark))) === undefined;
    if (!isSame) return;
    const own = verified.records.filter(
      ({ seq, console: by }) => seq > publishedSeq && by.pid === console.pid && by.stamp === console.stamp,
    );
    publishedSeq = verified.seq;
    await Promise.all([
      copy?.write(marksAfter(verified.records, mark)),
      syslog?.write(own.map(markOfRecord)),
    ]);
  };
  return (atEnd) => {
    if (copy === undefined && syslog === undefined) return Promise.resolve();
    // A log that can't be read now is told of by whoever reads or writes it.
    queue = queue.then(() => work(atEnd)).catch(() => undefined);
    return queue;
  };
};

/** So many heads at once: a script has a longest length. What is older is in the chain of those. */
const COPIES_MOST = 200;

const marksAfter = (records: readonly AuditRecord[], mark: Mark | undefined): readonly Mark[] => {
  const at = records.findLastIndex(({ seq, hash }) => seq === mark?.seq && hash === mark.hash);
  return records
    .slice(at + 1)
    .slice(-COPIES_MOST)
    .map(markOfRecord);
};
