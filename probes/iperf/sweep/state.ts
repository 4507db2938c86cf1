import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { gbit } from '../read/result.ts';
import { allRuns, runsReading } from '../judge/pairs.ts';
import { barText } from '../view/progress.ts';
import { samplesOf } from '../judge/samples.ts';
import { solveSweep, type SweepAnswer, type SweepTest } from './solve.ts';
import type { SweepTask } from './task.ts';

/** The last sweep: read back from the hosts that took part, whoever began it. */
export interface SweepState {
  id: string;
  /** When the first host was given the word, UTC ms. */
  startedAt: number;
  state: 'running' | 'done' | 'cancelled';
  /** Those whose state file tells of it, and how many it was meant for. */
  hosts: readonly string[];
  meant: number;
  /** Tests that ended, and that these hosts were to send. */
  ended: number;
  wanted: number;
  /** Seconds until the last round ends; 0: over. */
  leftS: number;
  rounds: number;
  round: number;
  /** Tests that the answer rests on. */
  judged: number;
  answer: SweepAnswer;
  lines: readonly string[];
}

/** Parts of one sweep begin within seconds of each other; a name that comes again after so long is another sweep, ms. */
const together = 30 * 60_000;

interface Part extends SweepTask {
  host: string;
}

const partsOf = ({ readings, site }: Pick<Judgement, 'readings' | 'site'>): Part[] =>
  site.hostsWithRole('iperf').flatMap(({ name }) => {
    const sweep = runsReading(readings, name)?.value.sweep;
    return sweep ? [{ ...sweep, host: name }] : [];
  });

const isOpen = ({ state }: SweepTask): boolean => state === 'armed' || state === 'running';

/** The part of a sweep that a host has before it, or is at; undefined when none. */
export const openPart = (host: string, judgement: Judgement): SweepTask | undefined =>
  partsOf(judgement).find((part) => part.host === host && isOpen(part));

/** Every host that is in a sweep with this one and not through. */
export const sweepFellows = (host: string, judgement: Judgement): string[] => {
  const own = openPart(host, judgement);
  return own === undefined
    ? []
    : partsOf(judgement)
        .filter((part) => part.id === own.id && isOpen(part))
        .map((part) => part.host);
};

/** A name for the next sweep that none of the hosts has heard of. */
export const nextSweepId = (judgement: Judgement): string => {
  const known = [
    ...partsOf(judgement).map(({ id }) => id),
    ...allRuns(judgement).flatMap(({ sweep }) => sweep ?? []),
  ];
  return `sweep-${1 + Math.max(0, ...known.map((id) => Number(/^sweep-(\d{1,9})$/.exec(id)?.[1] ?? 0)))}`;
};

/** The newest sweep, or the one of this name; undefined when none was begun. */
export const sweepOf = (judgement: Judgement, id?: string): SweepState | undefined => {
  const begun = partsOf(judgement)
    .flatMap((part) => (part.startedAt === undefined ? [] : [{ ...part, startedAt: part.startedAt }]))
    .filter((part) => id === undefined || part.id === id)
    .sort((a, b) => b.startedAt - a.startedAt);
  const [newest] = begun;
  if (!newest) return undefined;
  const parts = begun.filter((part) => part.id === newest.id && newest.startedAt - part.startedAt < together);
  const first = parts.at(-1)?.startedAt ?? newest.startedAt;
  const hosts = parts.map(({ host }) => host);
  const runs = allRuns(judgement).filter(
    (run) => run.sweep === newest.id && Math.abs(run.startedAt - newest.startedAt) < together,
  );
  const ended = runs.filter(({ status }) => status !== 'running');
  const tests = ended
    // Whose other end took no part, or was stopped, says nothing of a link.
    .filter(
      ({ client, server, why }) =>
        why !== 'cancelled' && [client, server].every((one) => hosts.includes(one)),
    )
    .map((run): SweepTest => ({
      from: run.client,
      to: run.server,
      bps: samplesOf(run, 'there')?.total ?? 0,
    }));
  const running = parts.some(isOpen);
  const ends = newest.startedAt + newest.rounds * newest.slot * 1000;
  return {
    id: newest.id,
    startedAt: first,
    state: running ? 'running' : parts.some(({ state }) => state === 'cancelled') ? 'cancelled' : 'done',
    hosts,
    meant: newest.hosts,
    ended: ended.length,
    wanted: parts.reduce((sum, part) => sum + part.tests, 0),
    leftS: running ? Math.max(0, Math.ceil((ends - judgement.now) / 1000)) : 0,
    rounds: newest.rounds,
    round: Math.max(...parts.map(({ round }) => round)),
    judged: tests.length,
    answer: solveSweep(tests),
    lines: tests
      .toSorted((a, b) => a.bps - b.bps)
      .slice(0, 8)
      .map(({ from, to, bps }) => `${from} → ${to} ${bps === 0 ? 'failed' : `${gbit(bps)} Gbit/s`}`),
  };
};

/** The time of all rounds, and how much of it is over. */
export const sweepBar = ({ startedAt, leftS }: SweepState, now: number): string => {
  const done = Math.max(0, (now - startedAt) / 1000);
  return barText(done, done + leftS);
};

/** `round 3 of 6, 12 of 32 tests, about 35 s left`. */
export const sweepProgress = ({ round, rounds, ended, wanted, leftS }: SweepState): string =>
  `round ${round} of ${rounds}, ${ended} of ${wanted} tests, ${leftS > 0 ? `about ${age(leftS * 1000)} left` : 'ending'}`;

/** `wn-d-04 is slow when it receives: 97 % sure, from 32 tests`; who took no part is said. */
export const sweepConclusion = ({
  answer,
  hosts,
  meant,
  ended,
  judged,
  state,
  wanted,
}: SweepState): string => {
  const missing = meant > hosts.length ? `; ${meant - hosts.length} of ${meant} hosts took no part` : '';
  const who =
    answer.kind === 'host'
      ? `${answer.host} is ${answer.text}`
      : answer.kind === 'hosts'
        ? `${answer.hosts.join(' and ')} are ${answer.text}`
        : answer.text;
  const part = state === 'cancelled' ? `cancelled after ${ended} of ${wanted} tests; ` : '';
  return `${part}${who}: ${answer.sure} sure, from ${judged} tests${missing}`;
};
