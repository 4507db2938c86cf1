import type { Failure, Reading } from '../model/reading.ts';
import type { Given, GivenSample } from '../model/system.ts';
import type { Said } from '../text/said.ts';
import { internText, makeSafeDeep } from '../text/safe.ts';
import { failureOn } from './failures.ts';
import type { AskResult } from './ask.ts';
import type { Interpreted } from './read-answer.ts';
import { slotKey, type Slot } from './slot.ts';
import type { Store } from './store.ts';
import { runWithin } from './within-time.ts';

/** Clocks of two machines drift by less than this between two samples, ms: beyond it the distance is taken from ours. */
const DRIFT_MS = 5000;

/**
 * Puts what one answer says of many hosts under these hosts. A sample that is known already is none: it goes on growing old, however
 * often it is told again. Of a host of which nothing is said, and of all when there is no answer, the source fails and says why.
 */
export const give = (
  slot: Slot,
  receivers: readonly Slot[],
  result: AskResult,
  interpreted: Interpreted,
  store: Store,
): void => {
  if (receivers.length === 0) return;
  const told = interpreted.ok
    ? listGiven(slot, interpreted.value)
    : { why: { what: `${slot.probe.id} through ${interpreted.failure.message}` } };
  const byKey =
    'why' in told
      ? undefined
      : new Map(told.given.map((one): [string, Given] => [slotKey(one.probe, one.host), one]));
  for (const receiver of receivers) {
    const one = byKey?.get(receiver.key);
    store.noteAsked(receiver, result.at);
    const why =
      one && 'samples' in one
        ? putSamples(receiver, one.samples, result, store)
        : (one?.why ?? ('why' in told ? told.why : { what: `${slot.probe.id} says nothing of it` }));
    if (why) store.noteFailed(receiver, failureOf(receiver, why), result.at);
  }
};

/** Never the kind of the failure itself: that the host in between is away says nothing of those that were asked about. */
const failureOf = ({ host }: Slot, why: Said): Failure => ({
  ...failureOn(host.name, 'command', why),
  code: 'notGiven',
});

const listGiven = (
  { probe }: Slot,
  value: Parameters<NonNullable<Slot['probe']['gives']>>[0],
): { given: readonly Given[] } | { why: Said } => {
  try {
    return { given: runWithin(() => probe.gives?.(value) ?? []) };
  } catch (error) {
    return {
      why: {
        what: `${probe.id} can't be dealt out: ${error instanceof Error ? error.message : String(error)}`,
      },
    };
  }
};

/** Gives why a sample is no reading of its probe, if one is not. */
const putSamples = (
  receiver: Slot,
  samples: readonly GivenSample[],
  result: AskResult,
  store: Store,
): Said | undefined => {
  const newest = (): Reading | undefined => store.source(receiver.probe.id, receiver.host.name)?.good;
  for (const one of samples) {
    const known = newest();
    if (known?.sample && one.sample.at <= known.sample.at) continue;
    const checked = receiver.probe.schema.safeParse(one.value);
    if (!checked.success)
      return { what: `its sample is not understood: ${checked.error.issues[0]?.message ?? ''}` };
    store.noteGood(receiver, readingOf(receiver, one, result, known));
  }
  store.noteStill(receiver);
  return undefined;
};

/** The sample with its time by our clocks. The distance to the one before is that of their own times, or rates would shake with the way of the answers. */
const readingOf = (
  { probe, host }: Slot,
  { sample, ageMs, value, notUnderstood }: GivenSample,
  result: AskResult,
  before: Reading | undefined,
): Parameters<Store['noteGood']>[1] => {
  const guess = result.mono - result.durationMs - ageMs;
  const behind = before?.sample && before.mono + sample.at - before.sample.at;
  const mono = behind !== undefined && Math.abs(behind - guess) < DRIFT_MS ? behind : guess;
  return {
    probe: probe.id,
    host: host.name,
    at: result.at - (result.mono - mono),
    mono,
    durationMs: result.durationMs,
    value: makeSafeDeep(value, internText),
    notUnderstood,
    sample,
  };
};
