import { CommandFailed } from '../../../src/model/errors.ts';

/** What a Slurm command says of its own failure. `kind` is the word of `faultline parse`, `code` ours. */
export interface SlurmError {
  code:
    | 'controllerDown'
    | 'controllerHung'
    | 'standby'
    | 'noAnswer'
    | 'munge'
    | 'refused'
    | 'noPermission'
    | 'noConfig'
    | 'noCommand'
    | 'unsupported'
    | 'notFound'
    | 'invalidState'
    | 'other';
  kind: 'notReachable' | 'timedOut' | 'notPermitted' | 'unsupported' | 'notFound' | 'usage' | 'other';
  message: string;
}

/**
 * Texts of Slurm 20.11 to 25.05 (captures of 22.05; munge and configuration texts from the domain notes). Order
 * matters: a munge failure is followed by a line that reads like a refusal, a hung controller like a dead one.
 */
const known: readonly { match: RegExp; code: SlurmError['code']; kind: SlurmError['kind'] }[] = [
  {
    match:
      /munge (encode|decode) failed|did you start munged|protocol authentication error|invalid authentication credential/i,
    code: 'munge',
    kind: 'notReachable',
  },
  // slurmctld/backup.c: a backup that waits for its turn refuses all but pings.
  { match: /controller (?:is )?in standby mode/i, code: 'standby', kind: 'notReachable' },
  // It took the connection and refused what was sent: another release, or another munge key (then it closes without a word).
  {
    match: /incompatible versions of client and server|incompatible rpc version|zero bytes were transmitted/i,
    code: 'refused',
    kind: 'notReachable',
  },
  { match: /socket timed out/i, code: 'controllerHung', kind: 'timedOut' },
  {
    match:
      /could not establish a configuration source|unable to process configuration file|unable to open configuration|fetch_config: DNS SRV/i,
    code: 'noConfig',
    kind: 'other',
  },
  {
    match: /unable to contact slurm controller|connect failure|connection refused/i,
    code: 'controllerDown',
    kind: 'notReachable',
  },
  { match: /invalid user id|permission denied/i, code: 'noPermission', kind: 'notPermitted' },
  {
    match:
      /unrecognized option|unknown option|invalid option|unable to find plugin: (?:serializer|data_parser)|JSON support not/i,
    code: 'unsupported',
    kind: 'unsupported',
  },
  { match: /command not found|: not found$|no such file or directory$/i, code: 'noCommand', kind: 'other' },
  {
    match: /^(?:Node|Partition|Reservation) .* not found$|invalid node name/i,
    code: 'notFound',
    kind: 'notFound',
  },
  { match: /invalid node state/i, code: 'invalidState', kind: 'other' },
  // `sinfo --json` says so whatever it was: the failures of other questions tell (`othersSay`).
  { match: /^unspecified error$/i, code: 'noAnswer', kind: 'notReachable' },
  { match: /^(?:sinfo|squeue|scontrol|sdiag|slurm_\w+)(?: error)?: /i, code: 'other', kind: 'other' },
];

/** The first failure that a text tells of, or undefined. The message is the line that says so. */
export const findError = (text: string): SlurmError | undefined => {
  if (text === '') return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  for (const { match, code, kind } of known) {
    const line = lines.find((one) => match.test(one));
    if (line !== undefined) return { code, kind, message: line };
  }
  return undefined;
};

/** `errors[]` of the JSON forms: one entry is a failure, also where the exit code is 0. An empty list is none (seen with exit 0). */
export const jsonError = (errors: unknown): SlurmError | undefined => {
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const texts = errors.map((one: unknown) => {
    if (typeof one === 'string') return one;
    if (typeof one !== 'object' || one === null) return 'Unspecified error';
    const text = [
      'description' in one ? one.description : undefined,
      'error' in one ? one.error : undefined,
    ].filter((part): part is string => typeof part === 'string' && part !== '');
    return text.length > 0 ? text.join(': ') : 'Unspecified error';
  });
  const message = texts[0] ?? 'Unspecified error';
  return { ...(findError(texts.join('\n')) ?? { code: 'other', kind: 'other' }), message };
};

/** Throws the failure as the collector wants it: the source is failed, its last good reading stays. */
export const throwError = (command: string, error: SlurmError): never => {
  throw new CommandFailed(error.code, `${command}: ${error.message}`);
};
