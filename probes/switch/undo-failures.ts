import type { Evidence } from '../../src/model/finding.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { JournalReading, NotRestored, UndosReading } from './readings.ts';

/** An undo that failed, and who tells of it. */
export interface UndoFailure extends NotRestored {
  evidence: Evidence;
}

const from = (
  one: NotRestored,
  { probe, host, good }: { probe: string; host: string; good?: { at: number } },
) => ({
  ...one,
  evidence: { text: `${one.host} tells: ${one.text}`, probe, host, ...(good && { at: good.at }) },
});

/**
 * Undos that told of their failure, the newest of each port: in the consoles' journal, or on their own host. One that is older than a
 * later shutdown of that port is over, for the port must have been up between.
 */
export const undoFailures = ({ readings }: Judgement): readonly UndoFailure[] => {
  const journals = readings.sources<JournalReading>('switch.journal');
  const told = [
    ...journals.flatMap((source) => (source.good?.value.notRestored ?? []).map((one) => from(one, source))),
    ...readings
      .sources<UndosReading>('switch.undos')
      // One host tells of its own undos only.
      .flatMap((source) =>
        (source.good?.value.failed ?? [])
          .filter(({ host }) => host === source.host)
          .map((one) => from(one, source)),
      ),
  ].toSorted((a, b) => b.at - a.at);
  const moved = journals.flatMap(({ good }) => good?.value.moved ?? []);
  return told.filter(
    (one, index) =>
      told.findIndex(({ port }) => port === one.port) === index &&
      !moved.some(({ port, at }) => port === one.port && at > one.at),
  );
};

/** What the undo of one port tells of its failure; undefined: nobody tells of one. */
export const undoFailure = (port: string, judgement: Judgement): string | undefined =>
  undoFailures(judgement).find((one) => one.port === port)?.evidence.text;
