import type { RawAnswer, Transports } from '../model/answer.ts';
import type { Facts } from '../model/fact.ts';
import type { Clock } from '../model/ports.ts';
import type { Reading } from '../model/reading.ts';
import type { Ask, AskContext } from '../model/system.ts';
import type { SiteView } from '../model/site.ts';
import type { Doing } from '../model/wire.ts';
import { internText, makeSafeDeep, type SafeData } from '../text/safe.ts';
import { answerFailure, commandText, readFailure, type Asked } from './failures.ts';
import type { ParseElsewhere } from './parse-thread.ts';
import { runOnBoard } from './doing.ts';
import { readAnswer, type Interpreted } from './read-answer.ts';
import type { RawRecord } from './raw-answers.ts';
import { reuse } from './reuse.ts';
import type { Slot } from './slot.ts';
import type { Store } from './store.ts';
import { runInTurn, Unreadable, runWithin, runTogetherWithin } from './within-time.ts';

/** Answers larger than this are read in a thread of their own. */
export const LARGE = 1024 * 1024;

const DEADLINE = 8000;

export interface AskParts {
  site: SiteView;
  transports: Transports;
  store: Store;
  clock: Clock;
  parseElsewhere: ParseElsewhere;
  facts?: () => Facts;
  /** As `AskContext.trial`. */
  trial?: true;
}

/** What came of asking. `hung`: not even the remote time limit ended the command; it may still be there. */
export interface AskResult {
  interpreted: Interpreted;
  hung: boolean;
  /** The host was reached and answered, whatever it said. */
  answered: boolean;
  /** No server program was reached. */
  untouched: boolean;
  durationMs: number;
  hostMs?: number;
  at: number;
  mono: number;
  record?: RawRecord;
}

type ContextParts = Pick<AskParts, 'site' | 'store' | 'clock' | 'facts' | 'trial'>;

/** What a probe may look at. */
const askContext = (slot: Slot, { site, store, clock, facts, trial }: ContextParts): AskContext => {
  const last = store.source(slot.probe.id, slot.host.name)?.good;
  const more = { ...(last && { last }), ...(facts && { facts }), ...(trial && { trial }) };
  return { site, readings: store, now: clock.now(), ...more };
};

/** A read-only program never asks what touches anything. */
export const isBlocked = (slot: Slot, readOnly: boolean): boolean =>
  readOnly && slot.probe.touches !== 'nothing';

const placeOf = ({ probe, host }: Slot): Doing => ({ probe: probe.id, host: host.name });

/** Whether to ask is looked at more often than asked, ms. */
const WHEN_MS = 500;

/** Whether the probe wants to be asked now. A `when` that throws or takes too long is asked for all the same: the ask then shows what is wrong. */
export const isWanted = (slot: Slot, parts: ContextParts): boolean => {
  try {
    const { when } = slot.probe;
    if (!when) return true;
    const context = askContext(slot, parts);
    return runWithin(() => runOnBoard(placeOf(slot), () => when(slot.host, context)), WHEN_MS);
  } catch {
    return true;
  }
};

/** Those that want to be asked now: one deadline for all, where looking at each of thousands would cost more than asking. */
export const listWanted = (slots: readonly Slot[], parts: ContextParts): Slot[] =>
  slots.length === 0 ? [] : runTogetherWithin(() => slots.filter((slot) => isWanted(slot, parts)), WHEN_MS);

/** The question, made of what hosts said before, under a deadline; what takes only the host can't be held up by that and needs none (0.1 ms). */
const makeAsk = (slot: Slot, context: AskContext): Ask => {
  const { probe, host } = slot;
  const make = (): Ask => runOnBoard(placeOf(slot), () => probe.ask(host, context));
  return probe.ask.length < 2 ? make() : runWithin(make);
};

/** Asks one probe on one host and reads the answer. Never rejects: every way to end is in the result. */
export const askOnce = async (slot: Slot, parts: AskParts, signal: AbortSignal): Promise<AskResult> => {
  const { clock } = parts;
  const { probe, host } = slot;
  const started = clock.mono();
  const asked: Asked = { host: host.name, command: probe.id, deadlineMs: probe.deadlineMs ?? DEADLINE };
  try {
    const context = askContext(slot, parts);
    asked.last = context.last;
    const ask = makeAsk(slot, context);
    asked.command = ask;
    asked.deadlineMs = ask.deadlineMs ?? asked.deadlineMs;
    const answer = await send(slot, ask, asked.deadlineMs, parts, signal);
    const moment = { at: clock.now(), mono: clock.mono() };
    const large = answer.stdout.byteLength + answer.stderr.byteLength > LARGE && isAnswered(answer);
    const read = large
      ? await readElsewhere(slot, context, answer, asked, parts)
      : { answer, interpreted: await readHere(slot, context, answer, asked) };
    return {
      interpreted: withLast(read.interpreted, context),
      // On a device nothing stays behind: a line that does not end goes with its session.
      hung: 'script' in ask && answer.timedOut && answer.exitCode === undefined,
      answered: isAnswered(answer),
      untouched: answer.notConnected?.untouched === true,
      durationMs: answer.durationMs,
      ...(answer.hostMs !== undefined && { hostMs: answer.hostMs }),
      ...moment,
      record: {
        probe: probe.id,
        host: host.name,
        command: commandText(ask),
        at: moment.at,
        answer: read.answer,
      },
    };
  } catch (error) {
    // A probe whose `ask` throws, a script that can't be sent, a parsing thread that died: with it the bytes are gone.
    return {
      interpreted: { ok: false, failure: readFailure(error, asked) },
      hung: false,
      answered: error instanceof Unreadable,
      untouched: false,
      durationMs: clock.mono() - started,
      at: clock.now(),
      mono: clock.mono(),
    };
  }
};

const readHere = async (
  slot: Slot,
  context: AskContext,
  answer: RawAnswer,
  asked: Asked,
): Promise<Interpreted> => {
  const failure = answerFailure(answer, asked);
  if (failure) return { ok: false, failure };
  try {
    return await runInTurn(() =>
      runOnBoard(placeOf(slot), () => readAnswer(slot.probe, slot.host, context, answer, asked)),
    );
  } catch (error) {
    return { ok: false, failure: readFailure(error, asked) };
  }
};

/** What equals the last reading is let go here, where both are. */
const withLast = (interpreted: Interpreted, { last }: AskContext): Interpreted =>
  interpreted.ok && last ? { ...interpreted, value: reuse(last.value, interpreted.value) } : interpreted;

/** From the parsing thread every text comes as one of its own: the word `idle` 10,000 times. */
const withoutCopies = (interpreted: Interpreted): Interpreted =>
  interpreted.ok ? { ...interpreted, value: makeSafeDeep(interpreted.value, internText) } : interpreted;

const isAnswered = (answer: RawAnswer): boolean =>
  !answer.notConnected && !answer.cancelled && !answer.timedOut && !answer.lost;

const send = (
  { probe, host, explicit }: Slot,
  ask: Ask,
  deadlineMs: number,
  { transports }: AskParts,
  signal: AbortSignal,
): Promise<RawAnswer> => {
  const transport = transports.transportTo(host.name);
  if (explicit) transport.retry?.();
  const maxBytes = ask.maxBytes === undefined ? {} : { maxBytes: ask.maxBytes };
  if ('script' in ask) {
    const fresh = probe.mayHang === true ? { fresh: true } : {};
    return transport.run({ script: ask.script, deadlineMs, ...maxBytes, ...fresh }, signal);
  }
  if (!transport.type) throw new Error(`${host.name} is reached in a way that has no device shell`);
  const headed = ask.headed === undefined ? {} : { headed: ask.headed };
  const stop = ask.stopOnError === undefined ? {} : { stopOnError: ask.stopOnError };
  return transport.type(
    { lines: ask.lines, dialect: ask.dialect, deadlineMs, ...maxBytes, ...headed, ...stop },
    signal,
  );
};

const readElsewhere = async (
  { probe, host }: Slot,
  context: AskContext,
  answer: RawAnswer,
  asked: Asked,
  { store, parseElsewhere }: AskParts,
): Promise<{ answer: RawAnswer; interpreted: Interpreted }> => {
  const done = await parseElsewhere({
    probe: probe.id,
    host,
    answer,
    asked,
    now: context.now,
    sources: store
      .listOnHost(host.name)
      .filter((source) => source.probe !== probe.id)
      .map((source) => ({ ...source, before: [] })),
    ...(context.last && { last: context.last }),
  });
  return {
    answer: { ...answer, stdout: done.stdout, stderr: done.stderr },
    interpreted: withoutCopies(done.interpreted),
  };
};

/** A good answer as it is kept. */
export const readingOf = (
  slot: Slot,
  { at, mono, durationMs, hostMs }: AskResult,
  { value, notUnderstood }: { value: SafeData; notUnderstood: number },
): Reading<SafeData> => ({
  probe: slot.probe.id,
  host: slot.host.name,
  at,
  mono,
  durationMs,
  ...(hostMs !== undefined && { hostMs }),
  value,
  notUnderstood,
});
