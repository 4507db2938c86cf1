import type { RawAnswer } from '../model/answer.ts';
import type { Finding } from '../model/finding.ts';
import type { Collector } from './collector.ts';
import { journalScript, kernelFindings, readKernel, ringScript, type Kernel } from './kernel.ts';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 2_000_000;
/** What a kernel said longer ago is not known to be so any more. */
const KEEP_MS = 30 * 60_000;

/** Kernels' own messages, asked host by host on demand. */
export interface Kernels {
  /** Asks now; the answer is kept for evidence and findings. */
  ask(host: string): Promise<Kernel>;
  of(host: string): Kernel | undefined;
  findings(now: number): readonly Finding[];
  version(): number;
}

/** Nothing is asked yet. */
export const createKernels = ({
  transports,
  clock,
  raws,
}: Pick<Collector, 'transports' | 'clock' | 'raws'>): Kernels => {
  const known = new Map<string, Kernel>();
  let version = 0;
  const run = async (host: string, script: string): Promise<RawAnswer> => {
    const answer = await transports
      .to(host)
      .run({ script, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES, fresh: true });
    raws.keep({ probe: 'host.kernel', host, command: script, at: clock.now(), answer });
    return answer;
  };
  return {
    ask: async (host) => {
      const journal = await run(host, journalScript);
      const first = readKernel(journal, host, clock.now());
      const gone = journal.notConnected ?? (journal.lost || journal.cancelled);
      const kernel =
        first.problem === undefined || gone
          ? first
          : readKernel(journal, host, clock.now(), await run(host, ringScript));
      // What could not be read says nothing against what was read before.
      if (kernel.problem === undefined || !known.has(host)) known.set(host, kernel);
      version += 1;
      return kernel;
    },
    of: (host) => known.get(host),
    findings: (now) =>
      [...known].flatMap(([host, kernel]) => (now - kernel.at < KEEP_MS ? kernelFindings(host, kernel) : [])),
    version: () => version,
  };
};
