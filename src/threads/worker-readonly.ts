import { assemblePast } from '../assemble/past.ts';
import { tellPast } from '../audit/tell-past.ts';
import { startWorker } from './worker-start.ts';

/** The collecting thread of the wall and of read-only consoles: of remedies it knows what others wrote down of theirs. */
await startWorker({
  readOnly: true,
  extend: async (assembled, start, log) => {
    const { clock, collector } = assembled;
    const readPast = await assemblePast(start, assembled, log);
    let stop = (): void => undefined;
    return {
      noteInformed: () => {
        ({ stop } = tellPast({ readPast, clock, log, tell: collector.tellRuns }));
      },
      close: async () => stop(),
    };
  },
});
