import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { groupThousands } from '../../../src/text/units.ts';
import type { ConfigReading, SdiagReading } from '../readings.ts';
import { controllerState } from './controller-state.ts';
import { slowFindings } from './find-slow.ts';
import { finding } from './sentence.ts';
import { sourceOf } from './clusters.ts';

/** sdiag(1): near MAX_SERVER_THREADS (256) requests wait for a thread. */
const manyThreads = 200;
/** Messages to nodes that wait in slurmctld's retry list: more than one round of thousands of ending steps leaves there. */
const manyMessages = 1_000;
/** slurm.conf(5): MessageTimeout's default, s. */
const defaultTimeoutS = 10;

/**
 * What sdiag says of a slurmctld that still answers: threads used up, messages that go to nobody, a scheduler that holds the locks for
 * longer than a command waits. Once is a burst; twice in a row is not, nor is
 * a scheduler whose mean cycle is that long.
 */
export const busyFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  if (!source?.good || controllerState(judgement).state !== 'up') return [];
  // A slow slurmctld has these figures in its own finding.
  if (slowFindings(judgement).length > 0) return [];
  const { host, good, before } = source;
  const signs = signsIn(good.value, judgement);
  const [first] = signs;
  if (first === undefined) return [];
  const { meanCycleUs = 0 } = good.value;
  const lasts =
    before.some(({ value }) => signsIn(value, judgement).length > 0) ||
    meanCycleUs >= (timeoutOf(judgement) * 1e6) / 2;
  return [
    finding({
      kind: 'controller-busy',
      key: host,
      severity: lasts ? 'warning' : 'notice',
      subject: { kind: 'host', id: host },
      summary: `slurmctld on ${host}: ${first}`,
      advice:
        'sdiag shows which requests and users take the time; scripts that poll squeue are the usual cause.',
      evidence: signs.map((text) => evidenceFrom(source, text)),
    }),
  ];
};

/** MessageTimeout, s: for so long a command waits. */
const timeoutOf = ({ readings }: Judgement): number =>
  sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.messageTimeoutS ?? defaultTimeoutS;

const signsIn = (value: SdiagReading, judgement: Judgement): string[] => {
  const { serverThreadCount = 0, agentQueueSize = 0, lastCycleUs = 0 } = value;
  const timeoutS = timeoutOf(judgement);
  return [
    ...(serverThreadCount >= manyThreads ? [`${serverThreadCount} of 256 server threads in use`] : []),
    ...(agentQueueSize >= manyMessages
      ? [`${groupThousands(agentQueueSize)} messages to nodes wait to be sent`]
      : []),
    ...(lastCycleUs >= timeoutS * 1e6
      ? [`the last scheduler cycle took ${Math.round(lastCycleUs / 1e6)} s, MessageTimeout is ${timeoutS} s`]
      : []),
  ];
};
