import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { cliOutput } from './xml.ts';
import { dropUndefined } from '../../../src/kit/known.ts';

/** What a `gluster` command said of itself; needs both streams. */
export interface Cli {
  ok: boolean;
  kind?: 'locked' | 'lockingFailed' | 'daemonDown' | 'noVolume' | 'timedOut' | 'other';
  volume?: string;
  peer?: string;
  message?: string;
}

/** In this order: a locking failure names a peer and is told from a lock that this peer sees. */
const kinds: readonly [RegExp, NonNullable<Cli['kind']>][] = [
  [/locking failed on|locking peers failed/i, 'lockingFailed'],
  // Some texts are cut after 63 characters (observed at op-version 30501): match the beginning.
  [
    /another transaction (?:is|could be) in progress|unable to (?:get|acquire) lock|lock held by|lock for .* held by/i,
    'locked',
  ],
  [/connection failed|gluster daemon is operational/i, 'daemonDown'],
  [/timed out/i, 'timedOut'],
  [/volume .*does not exist|no volumes present/i, 'noVolume'],
];

const failed =
  /\bfail|\berror\b|unsuccessful|does not exist|not started|not found|unable to|another transaction|timed out|^usage:|unrecognized|already|cannot|can't/im;

/** Reads the text or XML answer of any changing `gluster` command. The exit code is one sign among several. */
export const parseCli = (input: ParseInput): Cli => {
  if (input.stdout.includes('<cliOutput')) return fromXml(input.stdout);
  const message = [input.stderr ?? '', input.stdout]
    .map((text) => text.trim().replaceAll('\r', ''))
    .filter((text) => text !== '')
    .join('\n');
  if (message === '' && input.exitCode === undefined)
    throw new NotThisFormat('neither output nor an exit code');
  const badExit = input.exitCode !== undefined && input.exitCode !== 0;
  return badExit ||
    (input.exitCode === undefined && failed.test(message)) ||
    /\bfailed\b|unsuccessful|another transaction/i.test(message)
    ? failure(message)
    : { ok: true, ...(message !== '' && { message }) };
};

const failure = (message: string): Cli => {
  const volume =
    /in progress for (\S+?)\.?(?:\s|$)/.exec(message)?.[1] ??
    /\bvolume (\S+) (?:does not|is not|has|already)/i.exec(message)?.[1] ??
    /\bon volume (\S+)/i.exec(message)?.[1];
  const peer = /locking failed on (\S+?)\.?(?=\s|$)/i.exec(message)?.[1];
  return {
    ok: false,
    kind: kinds.find(([form]) => form.test(message))?.[1] ?? 'other',
    ...dropUndefined({ volume, peer }),
    ...(message !== '' && { message }),
  };
};

const fromXml = (text: string): Cli => {
  const { error } = cliOutput(text);
  if (!error) return { ok: true };
  const found = failure(error.message);
  return found.kind === 'other' && error.kind === 'locked'
    ? { ...found, kind: 'locked' }
    : found.kind === 'other' && error.kind === 'notFound'
      ? { ...found, kind: 'noVolume' }
      : found;
};
