import type { Judgement } from '../../../src/model/system.ts';
import type { Block, Cell } from '../../../src/model/view.ts';
import { predictedDisks, seriesOf, tracked } from '../judge/find-disks.ts';

/** So far back the counters of a disk are shown. */
const SPAN_MS = 30 * 86_400_000;
/** Changes that are shown of one counter, the latest. */
const SHOWN = 6;

const words = {
  reallocated: 'reallocated sectors',
  grownDefects: 'grown defects',
  mediaErrors: 'media errors',
} as const;

/** Of each suspect disk: what speaks against it, and how its counters grew. */
export const historyBlocks = (host: string, judgement: Judgement): Block[] =>
  predictedDisks(judgement)
    .filter((one) => one.host === host)
    .map(({ disk, signs }) => {
      const grew = tracked.flatMap((counter): Cell[] => {
        const points = judgement.history.changes(seriesOf(host, disk, counter), judgement.now - SPAN_MS);
        return points
          .slice(-SHOWN)
          .map(({ at, value }) => ({ text: `${words[counter]}: ${String(value)}, since`, age: at }));
      });
      return {
        type: 'text' as const,
        id: `storage-disk-${disk.name}`,
        title: `${disk.name}, ${disk.model ?? 'model not known'}, serial ${disk.serial ?? 'not known'}`,
        lines: [...signs.map(({ text }): Cell => ({ text })), ...grew],
      };
    });
