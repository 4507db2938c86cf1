import type { Answer, ConnectFailureKind, RawAnswer, Transport } from '../../model/answer.ts';
import type { Devices } from '../../model/discover.ts';
import { decode } from '../../text/bytes.ts';
import { answersIn, OWN, scriptOf, type Answers, type Question } from './questions.ts';

/** A machine's own answers, or why there are none. */
export type Asked =
  { answers: Answers } | { device: { platform: string; answer: Answer } } | { failure: string };

/** All of a machine's commands together, ms. */
const SHELL_MS = 60_000;
const DEVICE_MS = 20_000;
const MOST_BYTES = 16_000_000;

const textOf = (raw: RawAnswer): Answer => ({
  ...raw,
  stdout: decode(raw.stdout),
  stderr: decode(raw.stderr),
});

/** Names the host, as failures to connect do. */
const whyNot = (host: string, raw: RawAnswer): string => {
  if (raw.notConnected) return raw.notConnected.message;
  const what = raw.timedOut ? 'it gave no answer in time' : raw.lost ? 'the connection went away' : undefined;
  return `${host}: ${what ?? 'its shell does not answer'}`;
};

/** How a device ends that lets us in and has no shell: it says so, hangs up, or never answers. A host that let nobody in is asked no more. */
const withoutShell: ReadonlySet<ConnectFailureKind> = new Set([
  'other',
  'timeout',
  'unreachable',
  'sessions',
]);

const askShell = async (
  transport: Transport,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<Asked & { mayBeDevice?: boolean }> => {
  const request = { script: scriptOf(questions), deadlineMs: SHELL_MS, maxBytes: MOST_BYTES };
  const raw = await transport.run(request, signal);
  // Those that came to their end before the time was up count.
  const answers = answersIn(decode(raw.stdout), questions);
  if (answers.get(OWN)?.has('name') === true) return { answers };
  const { notConnected, cancelled } = raw;
  const mayBeDevice =
    !cancelled && (!notConnected || (withoutShell.has(notConnected.kind) && notConnected.untouched !== true));
  return { failure: whyNot(transport.connection().host, raw), mayBeDevice };
};

/** A device's own command line, and where its lines are shown before they are typed. */
interface DeviceTalk {
  devices: Devices;
  guessed: string | undefined;
  tell(line: string): void;
  signal: AbortSignal;
}

const askDevice = async (
  transport: Transport,
  { devices, guessed, tell, signal }: DeviceTalk,
): Promise<Asked> => {
  const { host } = transport.connection();
  if (!transport.type)
    return {
      failure: `${host}: it has no shell, and a device's command line is not reached through OpenSSH`,
    };
  const show = (lines: readonly string[]): void => tell(`  ${host} is typed: ${lines.join('; ')}`);
  let platform = guessed;
  if (platform === undefined) {
    show(devices.identify.lines);
    const raw = await transport.type({ ...devices.identify, deadlineMs: DEVICE_MS }, signal);
    if (raw.notConnected) return { failure: whyNot(host, raw) };
    platform = devices.platformIn(decode(raw.stdout));
    if (platform === undefined)
      return {
        failure: `${host}: neither a shell nor a device whose make is known; write its roles and platform`,
      };
  }
  const ask = devices.ask(platform);
  if (!ask || !('lines' in ask))
    return { failure: `${host}: it is ${platform}, but its shell does not answer` };
  show(ask.lines);
  const raw = await transport.type({ ...ask, deadlineMs: DEVICE_MS }, signal);
  return raw.notConnected ? { failure: whyNot(host, raw) } : { device: { platform, answer: textOf(raw) } };
};

/** Asks a machine what it is: by its shell, or as a device where it has none. Changes nothing there, throws nothing for what is wrong there. */
export const askHost = async (
  transport: Transport,
  {
    questions,
    devices,
    platform,
    hasRole,
    tell,
    signal,
  }: {
    questions: readonly Question[];
    devices: Devices | undefined;
    /** What its neighbours, or a list of hosts, say that it is. */
    platform: string | undefined;
    /** Somebody knows what it is for, so that it has a shell. */
    hasRole: boolean;
    tell(line: string): void;
    signal: AbortSignal;
  },
): Promise<Asked> => {
  if (devices && platform !== undefined && devices.ask(platform))
    return askDevice(transport, { devices, guessed: platform, tell, signal });
  const asked = await askShell(transport, questions, signal);
  if (!devices || hasRole || asked.mayBeDevice !== true) return asked;
  // It let us in: that it has no shell is no reason to wait before its command line is asked.
  transport.retry?.();
  return askDevice(transport, { devices, guessed: undefined, tell, signal });
};
