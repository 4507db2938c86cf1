import type { Judgement } from '../../../src/model/system.ts';
import type { Block, TextBlock } from '../../../src/model/view.ts';
import { age } from '../../../src/text/ages.ts';
import { groupThousands } from '../../../src/text/units.ts';
import { journal } from '../read/journal.ts';
import { repairsAt } from '../verdict/noted-repairs.ts';
import { type LinkState } from '../judge/states.ts';
import { badSeries, totalSeries } from '../judge/track.ts';

const hourMs = 3_600_000;

/** Bad frames received at both ends in the last hour. */
export const errorsChart = ({ worst, other }: LinkState, { history, now }: Judgement): Block => ({
  type: 'chart',
  id: 'errors',
  title: 'bad frames received, last hour',
  unit: 'frames/s',
  series: [worst, other]
    .filter(({ end }) => end.port !== undefined)
    .map(({ end, name, at: until }) => ({
      name,
      points: extendZeros(
        history
          .changes(badSeries(end.id), now - hourMs)
          .map(({ at, value }) => ({ at, value: Number(value) })),
        until ?? now,
      ),
    })),
});

/** Bad frames counted at a port until then. A counter that stood still before was written down when it last moved. */
const totalAt = (portId: string, at: number, { history }: Judgement): bigint | undefined => {
  const pointBefore = (since: number) =>
    history.changes(totalSeries(portId), since).findLast((one) => one.at <= at);
  const value = (pointBefore(at - hourMs) ?? pointBefore(0))?.value;
  if (typeof value === 'bigint') return value;
  // Nought is not written down; that the port was read is.
  return history.changes(badSeries(portId), 0).some((one) => one.at <= at) ? 0n : undefined;
};
/** What ports with errors are asked by: the finest that a chart of them can show. */
const stepMs = 10_000;

/**
 * The history holds what changed, and a rate that is not nought differs from reading to reading. Nought stays as it is: without more points
 * the course of a port that has fallen silent would end with its last errors.
 */
export const extendZeros = (
  points: readonly { at: number; value: number }[],
  until: number,
): readonly { at: number; value: number }[] =>
  points.flatMap((point, index) => {
    if (point.value !== 0) return [point];
    const end = points[index + 1]?.at ?? until + 1;
    const more = Math.max(0, Math.ceil((end - point.at) / stepMs) - 1);
    return [
      point,
      ...Array.from({ length: more }, (_, at) => ({ at: point.at + (at + 1) * stepMs, value: 0 })),
    ];
  });

/** Repairs noted on both ends, and bad frames since our own mark. */
export const historyBlock = ({ link, worst, other }: LinkState, judgement: Judgement): TextBlock => {
  const repairs = [worst, other].flatMap(({ end, name }) =>
    repairsAt(judgement, end.id, link).map((one) => ({
      at: one.at,
      text: `${name}: ${one.text} (${one.part}, ${one.by}, ${age(judgement.now - one.at)} ago)`,
    })),
  );
  const marks = [worst, other].flatMap(({ end, name, port }) =>
    (journal(judgement)?.baselines ?? [])
      .filter((one) => one.port === end.id)
      .map((one) => {
        const total = port?.counts['rxCrc'] ?? port?.counts['rxErrors'];
        const begun = totalAt(end.id, one.at, judgement);
        const since =
          total === undefined || begun === undefined || total < begun
            ? 'no bad frames known since'
            : `${groupThousands(total - begun)} bad frames since`;
        return {
          at: one.at,
          text: `${name}: ${since} the mark of ${one.by}, ${age(judgement.now - one.at)} ago`,
        };
      }),
  );
  const lines = [...repairs, ...marks].toSorted((a, b) => b.at - a.at).map(({ text }) => ({ text }));
  return {
    type: 'text',
    id: 'repairs',
    title: 'Repairs and marks',
    lines:
      lines.length > 0
        ? lines
        : [
            {
              text: `nothing noted: a note on this link is of ${worst.name}, one of a "far optic" of ${other.name}`,
            },
          ],
  };
};
