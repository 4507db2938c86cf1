import type { ConnectFailure, ConnectFailureKind, RawAnswer } from '../../model/answer.ts';
import type { Said } from '../../text/said.ts';
import { failure, unsentAnswer } from '../failure.ts';
import { answerFrom } from '../frame-answer.ts';
import { StreamDecoder } from '../frame-stream.ts';
import { judgeOpenSsh } from '../openssh-failure.ts';
import type { NodeLine } from './lines.ts';
import type { NodeRequest } from './node-command.ts';

/**
 * What is needed to read a node's line: the host that asked it, the nonce of the frame, how long ago it was begun, and how long that host
 * is busy with all of them, ms.
 */
export interface NodeContext {
  through: string;
  mark: string;
  request: NodeRequest;
  sinceMs: number;
  relayMs: number;
}

/** Nothing came through from a host, and why. */
export const unrelayedAnswer = (notRelayed: Said, durationMs: number): RawAnswer => ({
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  stdoutBytes: 0,
  truncated: false,
  timedOut: false,
  lost: true,
  notRelayed,
  cancelled: false,
  durationMs,
});

/** A node's line as the answer of that host: as if it had been asked by itself. */
export const nodeAnswer = (
  line: NodeLine,
  { through, mark, request, sinceMs, relayMs }: NodeContext,
): RawAnswer => {
  if (line.garbled) {
    const what = `what came of it through ClusterShell on ${through} is not what was asked for`;
    return unrelayedAnswer({ what, next: 'see what its login shell and its sshd put in between' }, sinceMs);
  }
  if (typeof line.out !== 'string') return unbegunAnswer(line, through, sinceMs);
  const streams = [line.out, line.err ?? ''].map((text) => {
    const decoder = new StreamDecoder(mark, request.maxBytes);
    decoder.push(Buffer.from(text, 'base64'));
    return decoder;
  });
  const [out, err] = streams as [StreamDecoder, StreamDecoder];
  const { seconds } = request;
  const answer = answerFrom(out, err, { timedOut: line.late, seconds, durationMs: sinceMs });
  const { hostMs = sinceMs } = answer;
  // Others were asked before it: what it took itself is what it took on the host. The clock there ticks in steps of 10 ms.
  const timedOut = line.late || (answer.timedOut && hostMs + 20 >= seconds * 1000);
  return { ...answer, timedOut, relayMs, durationMs: hostMs, truncated: answer.truncated || line.cut };
};

/** The node never began what was sent: ssh there says why, or the node does something else. */
const unbegunAnswer = (
  { node, rc, late, cut, said }: NodeLine,
  through: string,
  sinceMs: number,
): RawAnswer => {
  const why = `ClusterShell on ${through}`;
  const next = `try on ${through}: clush -w ${node} true`;
  const unsent = (...[kind, what]: [ConnectFailureKind, Parameters<typeof failure>[2]]): RawAnswer =>
    unsentAnswer(failure(kind, node, what, next), sinceMs);
  if (late) return unsent('timeout', `no answer to ${why}`);
  if (cut) return unsent('other', `floods ${why} in place of an answer`);
  const words = Buffer.from(said, 'base64').toString().trim();
  const cause =
    typeof rc === 'number' ? judgeOpenSsh(node, { answered: false, stderr: words, exitCode: rc }) : undefined;
  if (cause) return unsentAnswer(behind(cause, node, why), sinceMs);
  const last = words.split('\n').at(-1)?.trim() ?? '';
  return unsent('other', [
    `did not run what ${why} sent`,
    last === '' ? `exit code ${rc ?? 'not known'}` : last,
  ]);
};

/** What ssh of the admin host says of the host. */
const behind = ({ kind, said, message }: ConnectFailure, host: string, why: string): ConnectFailure =>
  failure(
    kind,
    host,
    said?.detail === undefined ? `${why}: ${said?.what ?? message}` : [`${why}: ${said.what}`, said.detail],
    said?.next ?? 'look at it from there',
  );
