import { ZodError } from 'zod';
import type { RawAnswer } from '../model/answer.ts';
import { CommandFailed, ParseError } from '../model/errors.ts';
import type { Failure, Reading } from '../model/reading.ts';
import type { Ask } from '../model/system.ts';
import { addNext, messageOn, splitLine, type Said } from '../text/said.ts';
import { makeSafe } from '../text/safe.ts';
import { cut } from '../text/width.ts';
import { Unreadable } from './within-time.ts';

/** Which host and command a failure is about, and the limit that was set. */
export interface Asked {
  host: string;
  /** What was asked, or the probe of which even the question failed. */
  command: Ask | string;
  deadlineMs: number;
  /** The last good reading of the same: what it took tells a slow link from a slow command. */
  last?: Pick<Reading, 'durationMs' | 'hostMs'> | undefined;
}

/** From here on the way there and back is worth a remark, ms. */
const SLOW_WAY = 1000;

const tenths = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `its last answer took 14.0 s, 13.8 s of it there and back: the link is slow`, where something says so. */
const slowLink = ({ last }: Asked): { next?: string } => {
  const way = last?.hostMs === undefined ? 0 : last.durationMs - last.hostMs;
  return way < SLOW_WAY
    ? {}
    : {
        next: `its last answer took ${tenths(last?.durationMs ?? 0)}, ${tenths(way)} of it there and back: the link is slow`,
      };
};

const bytes = (count: number): string =>
  count >= 1e6
    ? `${Math.round(count / 1e6)} MB`
    : count >= 1e3
      ? `${Math.round(count / 1e3)} kB`
      : `${count} B`;

/** The command in words. Not worked out before it is needed: a script has a hundred lines. */
const nameOf = ({ command }: Asked): string => (typeof command === 'string' ? command : commandName(command));

const oneLine = (text: string, columns = 200): string => cut(makeSafe(text), columns);

/** A failure of what was asked on a host. */
export const failureOn = (host: string, kind: Failure['kind'], said: Said): Failure => ({
  kind,
  message: messageOn(host, said),
  said,
});

/** A failure after which it is asked again later: when is said behind the rest. */
export const delayFailure = (failure: Failure, next: string): Failure => {
  const { message, said } = failure;
  return { ...failure, message: `${message}; ${next}`, ...(said && { said: addNext(said, next) }) };
};

const safeSaid = ({ what, detail, next }: Said): Said => ({
  what: oneLine(what),
  ...(detail !== undefined && { detail: oneLine(detail) }),
  ...(next !== undefined && { next: oneLine(next) }),
});

/** What kept an answer from being whole; undefined when it can be read. */
export const answerFailure = (answer: RawAnswer, asked: Asked): Failure | undefined => {
  const { host } = asked;
  if (answer.notRelayed) return failureOn(host, 'lost', safeSaid(answer.notRelayed));
  if (answer.notConnected) {
    const { kind, message, said } = answer.notConnected;
    return { kind: 'connect', connect: kind, message: oneLine(message), ...(said && { said }) };
  }
  if (answer.cancelled) {
    const waited =
      answer.durationMs < 1000 ? '' : ` after ${Math.round(answer.durationMs / 1000)} s without an answer`;
    return failureOn(host, 'cancelled', {
      what: `${nameOf(asked)} was given up${waited}`,
      ...slowLink(asked),
    });
  }
  if (answer.stoppedAt !== undefined)
    return failureOn(host, 'timeout', {
      what: `${nameOf(asked)} stopped at "${oneLine(answer.stoppedAt, 60)}", a pager or question not known here`,
      next: 'is paging off there?',
    });
  if (answer.timedOut) {
    const seconds = Math.round(asked.deadlineMs / 1000);
    // With an exit code it ended on the host: the link had no part in it.
    const link = answer.exitCode === undefined ? slowLink(asked) : {};
    return failureOn(host, 'timeout', { what: `${nameOf(asked)} timed out after ${seconds} s`, ...link });
  }
  if (answer.truncated) {
    const kept = answer.stdout.byteLength;
    const how =
      answer.stdoutBytes > kept
        ? `${bytes(answer.stdoutBytes)} came, ${bytes(kept)} kept`
        : 'too much error output came';
    return failureOn(host, 'truncated', { what: `answer of ${nameOf(asked)} truncated: ${how}` });
  }
  if (answer.lost || (answer.exitCode === undefined && answer.signal === undefined)) {
    return failureOn(host, 'lost', { what: `connection lost while ${nameOf(asked)} ran` });
  }
  return undefined;
};

/** What a probe threw while reading: the system's own failure, a part that can't be read, or a fault in the parser. */
export const readFailure = (error: unknown, asked: Asked): Failure => {
  const { host } = asked;
  if (error instanceof CommandFailed) {
    return { ...failureOn(host, 'command', splitLine(oneLine(error.message))), code: error.code };
  }
  if (error instanceof Unreadable)
    return failureOn(host, 'unreadable', {
      what: `answer of ${nameOf(asked)} can't be read: ${error.message}`,
    });
  const what = `answer of ${nameOf(asked)} not understood`;
  if (error instanceof ParseError) {
    const text = error.text === '' ? '' : `: "${oneLine(error.text, 120)}"`;
    return failureOn(host, 'parse', {
      what: `${what} at ${oneLine(error.place, 60)}: ${oneLine(error.message)}${text}`,
    });
  }
  if (error instanceof ZodError) {
    const [first] = error.issues;
    const place = first?.path.join('.') ?? '';
    const more = error.issues.length > 1 ? `, and ${error.issues.length - 1} more` : '';
    return failureOn(host, 'parse', {
      what: `${what} at ${oneLine(place, 60)}: ${oneLine(first?.message ?? '')}${more}`,
    });
  }
  return failureOn(host, 'parse', {
    what: `${what}: ${oneLine(error instanceof Error ? error.message : String(error))}`,
  });
};

/** What was asked, whole: for the evidence view. */
export const commandText = (ask: Ask): string => ('script' in ask ? ask.script : ask.lines.join('\n'));

const preamble = /^(?:export\b|set\b|printf\b|echo\b|true\b|\{|$)/;

/**
 * The command as a message names it: its first line that does something, without settings (`A=b`), `timeout` and `sudo -n` in
 * front, at most 40 columns.
 */
export const commandName = (ask: Ask): string => {
  const lines = 'script' in ask ? ask.script.split(/\n|;|&&|\|\|/) : [...ask.lines];
  const bare = lines.map((line) =>
    line
      .trim()
      .replace(/^(?:[A-Za-z_]\w*=(?:'[^']*'|\S*)\s+)+/, '')
      .replace(/^(?:(?:sudo -n|timeout(?: -\S+(?: \d+)?)* \d+s?)\s+)+/, '')
      .replace(/\s*\d?>\S*(?:\/dev\/null|&\d)/g, ''),
  );
  const chosen = bare.find((line) => !preamble.test(line)) ?? bare[0] ?? '';
  return cut(makeSafe(chosen), 40);
};
