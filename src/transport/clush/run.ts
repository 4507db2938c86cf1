import { randomBytes } from 'node:crypto';
import type { RawAnswer } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { Said } from '../../text/said.ts';
import { makeSafe } from '../../text/safe.ts';
import { newNonce } from '../frame.ts';
import type { HostTransport } from '../host-state.ts';
import program from './ask-nodes.py';
import { LineSplitter, readLine, type EndLine, type FaultLine, type RunLine } from './lines.ts';
import { nodeAnswer, unrelayedAnswer } from './node-answer.ts';
import { nodeCommand, sentBytes, type NodeRequest } from './node-command.ts';
import boot from './boot.sh';

/** Seconds that connecting to a node may take, and so many more than the command itself each node has in all. */
const CONNECT_S = 8;
const NODE_GRACE_S = 4;

/** To start Python and ClusterShell, and what one host costs an admin host that has other work, s: a run that hangs ends by it. */
const START_S = 20;
const PER_HOST_S = 0.1;

/** One run: the same question to many hosts. */
export interface Run {
  through: string;
  fanout?: number;
  transport: HostTransport;
  clock: Clock;
  hosts: ReadonlySet<string>;
  request: NodeRequest;
  /** How long the same kept the admin host busy the last time, ms. */
  busyMs: number;
  /** Called once for each host, as soon as its answer is known. */
  onAnswer(host: string, answer: RawAnswer): void;
}

/** How long the hosts may be asked, s. */
const wholeSeconds = (hosts: number, { seconds }: Pick<NodeRequest, 'seconds'>): number =>
  Math.ceil(seconds + NODE_GRACE_S + START_S + hosts * PER_HOST_S);

/** Asks hosts through ClusterShell on the admin host. Each host has an answer when it resolves; gives why those of which nothing came have none, and how long the admin host was busy. */
export const runClush = async (run: Run, signal: AbortSignal): Promise<{ why?: Said; busyMs: number }> => {
  const { through, transport, clock, hosts, request, onAnswer } = run;
  const from = clock.mono();
  const [mark, id] = [newNonce(), randomBytes(16).toString('hex')];
  const whole = wholeSeconds(hosts.size, request);
  const bytes = Math.ceil(sentBytes(request) / 3) * 4 + 100;
  const waiting = new Set(hosts);
  let busyMs = 0;
  const heard: Heard = { strange: 0 };
  const splitter = new LineSplitter(2 * bytes + 10_000);

  const take = (line: RunLine | undefined): void => {
    const sinceMs = clock.mono() - from;
    if (line === undefined) heard.strange += 1;
    else if ('end' in line) heard.end = line;
    else if ('fault' in line) heard.fault = line;
    else if ('node' in line) {
      // A second word about a host, or one about a host that nobody asked, is nobody's answer.
      if (!waiting.delete(line.node)) heard.strange += 1;
      else {
        // Who hangs keeps nobody busy.
        if (!line.late) busyMs = sinceMs;
        const relayMs = Math.max(busyMs, run.busyMs);
        onAnswer(line.node, nodeAnswer(line, { through, mark, request, sinceMs, relayMs }));
      }
    }
  };
  const job = jobOf(run, { mark, run: id, whole, bytes });
  const ended = await transport.run(
    {
      script: boot,
      stdin: JSON.stringify(job),
      deadlineMs: (whole + START_S) * 1000,
      maxBytes: Number.MAX_SAFE_INTEGER,
      fresh: true,
      onStdout: (piece) => {
        for (const text of splitter.push(piece)) take(text === undefined ? undefined : readLine(text));
      },
    },
    signal,
  );
  if (ended.cancelled) return { busyMs };
  const why = whyUnheard(ended, heard, {
    through,
    id,
    whole,
    hosts: hosts.size,
    heard: hosts.size - waiting.size,
  });
  const rest = why ?? { what: `ClusterShell on ${through} said nothing of it within ${whole} s` };
  for (const host of waiting) onAnswer(host, unrelayedAnswer(rest, clock.mono() - from));
  return { busyMs, ...(why && { why }) };
};

/** What the program gets on standard input. */
const jobOf = (
  { hosts, request, fanout }: Run,
  more: { mark: string; run: string; whole: number; bytes: number },
): object => ({
  program,
  nodes: [...hosts],
  command: nodeCommand(more.mark, request),
  seconds: request.seconds + NODE_GRACE_S,
  connect: CONNECT_S,
  fanout: fanout ?? null,
  ...more,
});

/** What a run said besides the hosts' answers. `strange`: lines that are none of it, or a second time about a host. */
interface Heard {
  end?: EndLine;
  fault?: FaultLine;
  strange: number;
}

/** Why nothing is known of the hosts of which no line came; undefined when the run came to its end. */
const whyUnheard = (
  ended: RawAnswer,
  { end, fault, strange }: Heard,
  {
    through,
    id,
    whole,
    hosts,
    heard,
  }: { through: string; id: string; whole: number; hosts: number; heard: number },
): Said | undefined => {
  const what = `ClusterShell on ${through}`;
  if (ended.notConnected) {
    const { said, message } = ended.notConnected;
    return {
      ...said,
      what: `${through}, which asks it by ClusterShell, is not reached: ${said?.what ?? message}`,
    };
  }
  if (fault) return faultWords(fault, through);
  if (end?.end === id && end.asked === hosts && end.told === heard && strange === 0 && ended.exitCode === 0)
    return undefined;
  if (end && end.end !== id)
    return { what: `${what} ended with a summary of another run`, next: 'see what answers there' };
  if (end) {
    const counts = `${end.told} of ${end.asked} answers by its summary, ${heard} of ${hosts} came, ${strange} lines were none`;
    return { what: `${what} gave other answers than its summary counts`, detail: counts };
  }
  if (ended.exitCode === 127)
    return {
      what: `python3 not found on ${through}, which asks it by ClusterShell`,
      next: 'install python3 there',
    };
  if (ended.timedOut) return { what: `${what} did not end within ${whole + START_S} s` };
  if (ended.exitCode === undefined)
    return { what: `connection to ${through} lost while ClusterShell ran there` };
  const last = makeSafe(Buffer.from(ended.stderr).toString().trim().split('\n').at(-1) ?? '', 200);
  return {
    what: `${what} ended before all hosts were asked`,
    detail: last === '' ? `exit code ${ended.exitCode}` : `exit code ${ended.exitCode}: ${last}`,
    next: `see the log of ${through}: was it killed?`,
  };
};

const faultWords = ({ fault, what }: FaultLine, through: string): Said => {
  const said = makeSafe(what, 200);
  switch (fault) {
    case 'missing':
      return {
        what: `ClusterShell not found on ${through}`,
        detail: said,
        next: 'install clustershell for its python3',
      };
    case 'old':
      return { what: `ClusterShell ${said} on ${through} is too old`, next: 'install 1.8 or newer' };
    case 'held':
      return {
        what: `hosts sent ClusterShell on ${through} more than 512 MB at once`,
        next: 'find who floods it, or lower the fan-out',
      };
    case 'failed':
      return {
        what: `ClusterShell on ${through} failed`,
        detail: said,
        next: `try there: clush -w HOST true`,
      };
  }
};
