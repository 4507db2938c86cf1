import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Fleet, RawAnswer, Transports } from '../model/answer.ts';
import type { Reading } from '../model/reading.ts';
import type { Ask, AskContext } from '../model/system.ts';
import { internText, makeSafeDeep, type SafeData } from '../text/safe.ts';
import { answerFailure, commandText, readFailure, type Asked } from './failures.ts';
import type { ParseElsewhere } from './parse-thread.ts';
import { runOnBoard } from './doing.ts';
import { readAnswer, type Interpreted } from './read-answer.ts';
import type { RawRecord } from './raw-answers.ts';
import { reuse } from './reuse.ts';
import { prepareAsk, type ContextParts, type PreparedAsk } from './prepare-ask.ts';
import { placeOf, type Slot } from './slot.ts';
import { runInTurn, Unreadable } from './within-time.ts';

/** Answers larger than this are read in a thread of their own. */
export const LARGE = 1024 * 1024;

const DEADLINE = 8000;

export interface AskParts extends ContextParts {
  transports: Transports;
  /** Hosts that are asked many at a time. */
  fleet?: Fleet;
  parseElsewhere: ParseElsewhere;
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
  relayMs?: number;
  at: number;
  mono: number;
  record?: RawRecord;
}

/** Asks one probe on one host and reads the answer. Never rejects: every way to end is in the result. */
export const askOnce = async (
  slot: Slot,
  parts: AskParts,
  signal: AbortSignal,
  { context, question }: PreparedAsk = prepareAsk(slot, parts),
): Promise<AskResult> => {
  const { clock } = parts;
  const { probe, host } = slot;
  const started = clock.mono();
  const asked: Asked = { host: host.name, command: probe.id, deadlineMs: probe.deadlineMs ?? DEADLINE };
  asked.last = context.last;
  try {
    if ('error' in question) throw question.error;
    const { ask } = question;
    asked.command = ask;
    asked.deadlineMs = ask.deadlineMs ?? asked.deadlineMs;
    const answer = await send(slot, ask, asked.deadlineMs, parts, signal);
    const moment = { at: clock.now(), mono: clock.mono() };
    // Logging in may have taken seconds: clocks of hosts are compared with the moment at which the question was sent.
    const sent = { ...context, now: Math.max(context.now, moment.at - answer.durationMs) };
    const large = answer.stdout.byteLength + answer.stderr.byteLength > LARGE && isAnswered(answer);
    const read = large
      ? await readElsewhere(slot, sent, answer, asked, parts)
      : { answer, interpreted: await readHere(slot, sent, answer, asked) };
    return {
      interpreted: withLast(read.interpreted, context),
      // On a device nothing stays behind: a line that does not end goes with its session.
      hung: 'script' in ask && answer.timedOut && answer.exitCode === undefined,
      answered: isAnswered(answer),
      untouched: answer.notConnected?.untouched === true,
      durationMs: answer.durationMs,
      ...(answer.hostMs !== undefined && { hostMs: answer.hostMs }),
      ...(answer.relayMs !== undefined && { relayMs: answer.relayMs }),
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

const inflate = promisify(gunzip);

const isPacked = ({ stdout }: RawAnswer): boolean => stdout[0] === 0x1f && stdout[1] === 0x8b;

/**
 * An answer whose output its host packed with gzip, as it was before; one that is not packed (the script ended early) stays as it is. Of
 * more than `maxBytes` nothing is kept: packed a thousand times smaller, it would fill the memory. What can't be unpacked is an answer that was cut.
 */
export const unpackAnswer = async (answer: RawAnswer, maxBytes: number): Promise<RawAnswer> => {
  if (!isPacked(answer)) return answer;
  try {
    const stdout = await inflate(answer.stdout, { maxOutputLength: maxBytes });
    return { ...answer, stdout, stdoutBytes: stdout.byteLength };
  } catch {
    return { ...answer, stdout: new Uint8Array(), truncated: true };
  }
};

/** Bytes of a packed answer, where its question sets no limit. */
const MOST_UNPACKED = 1024 * 1024;

const send = async (
  slot: Slot,
  ask: Ask,
  deadlineMs: number,
  { transports, fleet }: AskParts,
  signal: AbortSignal,
): Promise<RawAnswer> => {
  const { probe, host, explicit } = slot;
  const transport = transports.transportTo(host.name);
  if (explicit) transport.retry?.();
  const maxBytes = ask.maxBytes === undefined ? {} : { maxBytes: ask.maxBytes };
  if ('script' in ask) {
    const fresh = probe.mayHang === true ? { fresh: true } : {};
    const request = { script: ask.script, deadlineMs, ...maxBytes };
    const readAlone = () => transport.run({ ...request, ...fresh }, signal);
    if (ask.packed) return unpackAnswer(await readAlone(), ask.maxBytes ?? MOST_UNPACKED);
    return fleet && mayGoTogether(slot) ? fleet.read(host.name, request, readAlone, signal) : readAlone();
  }
  if (!transport.type) throw new Error(`${host.name} is reached in a way that has no device shell`);
  const headed = ask.headed === undefined ? {} : { headed: ask.headed };
  const stop = ask.stopOnError === undefined ? {} : { stopOnError: ask.stopOnError };
  return transport.type(
    { lines: ask.lines, dialect: ask.dialect, deadlineMs, ...maxBytes, ...headed, ...stop },
    signal,
  );
};

/** Only what touches nothing, and never what somebody wants of the host itself: guards read there, and who presses a key. */
const mayGoTogether = ({ probe, direct }: Slot): boolean => probe.touches === 'nothing' && !direct;

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
