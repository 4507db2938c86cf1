import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { EvidenceDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { JournalReading, NotRestored, UndosReading } from '../readings.ts';

/** An undo that failed, and who tells of it. */
export interface UndoFailure extends NotRestored {
  evidence: EvidenceDraft;
}

const failureFrom = (failure: NotRestored, source: Source): UndoFailure => ({
  ...failure,
  evidence: evidenceFrom(source, `${failure.host} reports: ${failure.text}`),
});

/**
 * Undos that told of their failure, the newest of each port: in the consoles' journal, or on their own host. One that is older than a
 * later shutdown of that port is over, for the port must have been up between.
 */
export const undoFailures = ({ readings }: Judgement): readonly UndoFailure[] => {
  const journals = readings.sources<JournalReading>('switch.journal');
  const failures = [
    ...journals.flatMap((source) =>
      (source.good?.value.notRestored ?? []).map((one) => failureFrom(one, source)),
    ),
    ...readings
      .sources<UndosReading>('switch.undos')
      // One host tells of its own undos only.
      .flatMap((source) =>
        (source.good?.value.failed ?? [])
          .filter(({ host }) => host === source.host)
          .map((one) => failureFrom(one, source)),
      ),
  ].toSorted((a, b) => b.at - a.at);
  const moved = journals.flatMap(({ good }) => good?.value.moved ?? []);
  return failures.filter(
    (one, index) =>
      failures.findIndex(({ port }) => port === one.port) === index &&
      !moved.some(({ port, at }) => port === one.port && at > one.at),
  );
};

/** What the undo of one port tells of its failure; undefined: nobody tells of one. */
export const undoFailure = (port: string, judgement: Judgement): string | undefined =>
  undoFailures(judgement).find((one) => one.port === port)?.evidence.text;
