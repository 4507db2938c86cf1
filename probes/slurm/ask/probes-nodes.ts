import { firstLine, readAnswer } from '../../../src/kit/answers.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { AskContext, ParseInput, Probe } from '../../../src/model/system.ts';
import type { HostView } from '../../../src/model/site.ts';
import { type SlurmError, throwError } from '../read/errors.ts';
import { isJson } from '../read/json.ts';
import { parseNodes } from '../read/parse-nodes.ts';
import { type NodeForm, type NodesReading, nodesSchema } from '../readings.ts';
import { splitNode } from '../judge/narrow-site.ts';

/** Commands of a dead or hung controller come back after 9 to 10 s (observed, 22.05): wait for their own words. */
export const controllerDeadlineMs = 12_000;

/** Times in UTC and in one spelling, whatever the account's environment says. */
export const runInUtc = (command: string): string => `TZ=UTC SLURM_TIME_FORMAT=standard ${command}`;

/** Reads with a parser of `faultline parse`; a reported failure is thrown, so that the last good reading stays. */
export const reader =
  <T extends object>(
    command: string,
    parse: (input: ParseInput) => T & { notUnderstood?: number; error?: SlurmError },
  ) =>
  (answer: Answer): { value: Omit<T, 'notUnderstood' | 'error'>; notUnderstood: number } => {
    const { error, notUnderstood = 0, ...value } = readAnswer(command, answer, parse);
    if (error) throwError(command, error);
    const { exitCode, stdout, stderr } = answer;
    // What fails without a row lists nothing, which is not that there is none: `sudo: a password is required`.
    if (exitCode !== 0 && stdout.trim() === '')
      throw new CommandFailed('other', `${command}: ${firstLine(stderr) || `exit ${exitCode}`}`);
    return { value, notUnderstood };
  };

const text = runInUtc('scontrol show nodes');

/** Stands before the text form where what was printed before it is none: the command was killed. */
const ANEW = '@@text';

/**
 * A command that was killed by a signal (a limit of memory, a plugin that crashes) has printed a part of its JSON: the text form, which is
 * a fraction of it and needs no plugin, is asked in the same breath. All other failures have their own words.
 */
const orText = (json: string): string =>
  `${json}; code=$?; [ "$code" -gt 128 ] || exit "$code"; printf '\\n${ANEW}\\n'; ${text}`;

/** One question in each of the forms: `scontrol --json` is there from 23.02 on, `sinfo --json` from 21.08. */
const scripts: Readonly<Record<NodeForm, string>> = {
  scontrolJson: orText('scontrol show nodes --json'),
  sinfoJson: orText('sinfo --json'),
  text,
};

/** What counts of an answer: after a command that was killed, the text form behind it. A reason may hold that line, too. */
const countedOf = (answer: Answer): Answer => {
  const at = answer.stdout.indexOf(`\n${ANEW}\n`);
  return at < 0 || /^NodeName=/m.test(answer.stdout.slice(0, at))
    ? answer
    : { ...answer, stdout: answer.stdout.slice(at + ANEW.length + 2) };
};

/**
 * Finds the best form: `-V` behind an option prints the version when the option is known and fails when it is not,
 * without asking the controller; trying the real question would wait for a dead controller three times over.
 */
const findForm = [
  `scontrol --json -V >/dev/null 2>&1 && { ${scripts.scontrolJson}; exit "$?"; }`,
  `sinfo --json -V >/dev/null 2>&1 && { ${scripts.sinfoJson}; exit "$?"; }`,
  scripts.text,
].join('\n');

/**
 * `sinfo --json` of 22.05 says "Unspecified error" with exit 0 where `scontrol` says what it is ("Access/permission denied" under
 * PrivateData=nodes): after a failure that names no cause the text form is asked.
 */
const unexplained = new Set(['noAnswer', 'noPermission', 'refused']);

/** Whether the last question was put in a form that the host does not know (any more). */
const hasRefusedForm = (host: HostView, context: AskContext): boolean =>
  context.readings.source(nodesProbe.id, host.name)?.failure?.code === 'unsupported';

const ask = (host: HostView, context: AskContext): { script: string; maxBytes: number } => {
  const { code = '' } = context.readings.source(nodesProbe.id, host.name)?.failure ?? {};
  if (unexplained.has(code)) return { script: scripts.text, maxBytes: 64_000_000 };
  const last = nodesSchema.shape.form.safeParse(formOf(context.last?.value));
  const script = last.success && !hasRefusedForm(host, context) ? scripts[last.data] : findForm;
  // 10,000 nodes are up to 30 MB of indented JSON.
  return { script, maxBytes: 64_000_000 };
};

const formOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'form' in value ? value.form : undefined;

const read = (given: Answer): { value: NodesReading; notUnderstood: number } => {
  const answer = countedOf(given);
  const { nodes, notUnderstood, error } = readAnswer('asking for the nodes', answer, parseNodes);
  if (error) return throwError(commandOf(answer), error);
  // A cluster has nodes: an empty list is an answer that hides something, and must not read as "none is drained".
  if (nodes.length === 0) throw new CommandFailed('noAnswer', `${commandOf(answer)}: lists no node at all`);
  return { value: { form: formIn(answer.stdout), nodes }, notUnderstood };
};

/** `command` in the JSON's meta names scontrol's words from 23.02 on; 21.08 and 22.05 have sinfo only. */
const formIn = (stdout: string): NodeForm => {
  if (!isJson(stdout)) return 'text';
  const tail = stdout.slice(0, 3000) + stdout.slice(-3000);
  return /"command"\s*:\s*\[[^\]]*"show"/.test(tail) || /data_parser/.test(tail)
    ? 'scontrolJson'
    : 'sinfoJson';
};

const commandOf = ({ stdout }: Answer): string => (isJson(stdout) ? 'sinfo --json' : 'scontrol show nodes');

export const nodesProbe: Probe<NodesReading> = {
  id: 'slurm.nodes',
  role: 'slurm-controller',
  everyMs: 10_000,
  touches: 'nothing',
  deadlineMs: controllerDeadlineMs,
  ask,
  read,
  schema: nodesSchema,
  // The names of the text form and of both forms of JSON.
  locate: ({ id }) => ({
    names: [splitNode(id).name],
    words: [
      'State',
      'Reason',
      'reason_set_by_user',
      'reason_changed_at',
      'BootTime',
      'boot_time',
      'LastBusyTime',
    ],
  }),
};
