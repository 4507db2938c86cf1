import type { PlanContext, Refusal, Step } from '../../src/model/action.ts';
import type { HostView, SiteView } from '../../src/model/site.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { platformOf } from './ask/index.ts';
import { journalFile } from './journal.ts';
import type { Platform, PortChange } from './platform.ts';
import type { Port } from './readings.ts';
import { sourceOf } from './sources.ts';
import { undoUnit } from './timers.ts';

/** A port to act on, with everything its commands are made of. */
export interface Target {
  subject: Subject;
  host: HostView;
  port: string;
  /** The port as its platform's commands name it. */
  name: string;
  platform: Platform;
  change: PortChange;
  /** The probe that reads its counters. */
  counters: string;
  /** Where the undo is armed. */
  undoHost: string;
}

export const refusal = (guard: string, reason: string): Refusal => ({ refused: true, guard, reason });

export const splitId = (id: string): { host: string; port: string } => {
  const at = id.indexOf(':');
  return { host: id.slice(0, at), port: id.slice(at + 1) };
};

/** The port as it was read last; undefined: it is not in the last reading, or that is old. */
export const portNow = ({ readings }: Judgement, host: string, port: string): Port | undefined => {
  const source = sourceOf(readings, 'counters', host);
  return source?.state === 'fresh' ? source.good?.value.ports.find((one) => one.port === port) : undefined;
};

/** Guard 5 and what a change needs at all. */
export const targetOf = (subject: Subject, { judgement }: PlanContext): Target | Refusal => {
  const { site } = judgement;
  if (subject.kind !== 'port' || site.resolve('port', subject.id)?.id !== subject.id)
    return refusal('5 targets', `${subject.id} is not a port of this site`);
  const { host: hostName, port } = splitId(subject.id);
  const host = site.host(hostName);
  const platform = host && platformOf(host.platform);
  if (!host || !platform || !host.roles.includes('switch'))
    return refusal('5 targets', `${hostName} is not a switch of this site`);
  const name = platform.nameOf(port);
  if (!platform.change || name === undefined)
    return refusal(
      '5 targets',
      platform.readingOnly ?? `${port} is no port that ${platform.title} can be told to shut`,
    );
  if (host.undoHost === undefined)
    return refusal('9 armed undo', `the site file names no undoHost for ${host.name}`);
  if (!portNow(judgement, host.name, port))
    return refusal('3 preconditions', `${port} is not in the last reading of ${host.name}`);
  return {
    subject,
    host,
    port,
    name,
    platform,
    change: platform.change(name),
    counters: platform.machineReadable ? 'switch.counters' : 'switch.screens',
    undoHost: host.undoHost,
  };
};

/** Old supervisors take seconds for each line. */
const deviceDeadlineMs = 20_000;

/** Lines on the device, or its one command in the shell. */
export const deviceStep = ({ host, platform }: Target, lines: readonly string[]): Step =>
  platform.dialect && platform.via === 'cli'
    ? { host: host.name, lines, dialect: platform.dialect, deadlineMs: deviceDeadlineMs }
    : { host: host.name, argv: (lines[0] ?? '').split(' '), deadlineMs: deviceDeadlineMs };

const ssh = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

/** Lines typed on a device through a pipe, with its pager off before and the session left afterwards. */
const typedLines = ({ platform }: Target, lines: readonly string[]): readonly string[] =>
  platform.via === 'cli' ? [...(platform.dialect?.pagerOff ?? []), ...lines, 'exit'] : [...lines, 'exit'];

const journalLine =
  `printf '{"kind":"%s","at":%s000,"port":"%s","part":"%s","by":"%s","text":"%s"}\\n'` +
  ' "$2" "$(date +%s)" "$3" "$4" "$5" "$6" >> "$1"';

/** One line in the consoles' journal, stamped by the host that holds it: all consoles see one clock. */
export const journalStep = (
  site: SiteView,
  line: { kind: string; port: string; by: string; part?: string; text?: string },
): Step | undefined => {
  const file = journalFile(site);
  if (!file) return undefined;
  const { kind, port, by, part = '', text = '' } = line;
  return {
    host: file.host,
    argv: ['sh', '-c', journalLine, 'faultline', file.path, kind, port, part, by, text],
  };
};

/** A name for the transient unit is root's to give; so the proof and the timer log in to the device as root. */
const asRoot = ['sudo', '-n'] as const;

const stopScript = 'systemctl stop "$1" 2>/dev/null; ! systemctl is-active --quiet "$1"';

/** Proves that the undo host can log in to the device and sees the port: the same way and account as the timer. */
const lookScript = `p=$1; h=$2; shift 2; printf '%s\\n' "$@" | timeout 30 ${ssh} -tt "$h" 2>/dev/null | tr -d '\\r' | grep -qiE "$p"`;

const undoScript =
  `f=$1; i=$2; h=$3; shift 3; printf '%s\\n' "$@" | timeout 60 ${ssh} -tt "$h"; ` +
  `test -z "$f" || printf '{"kind":"restored","at":%s000,"port":"%s","by":"timer"}\\n' "$(date +%s)" "$i" >> "$f"`;

/** What the console prints of the port itself, not the echo of the question: `3/46 is up`, `eth0 ... state`. */
const seenPattern = (target: Target): string => {
  const number = /(\d[\d/:.]*)$/.exec(target.name)?.[1] ?? target.name;
  return target.change.look === undefined
    ? `${number}:? is (up|down|administratively)`
    : `${number}.*(up|down|state)`;
};

/** Arms the timer on the undo host, after the proof. Root's own key logs in: the timer runs as root. */
export const armSteps = (target: Target, seconds: number, site: SiteView): readonly Step[] => {
  const { host, name, change, subject, undoHost } = target;
  const look = typedLines(target, [change.look ?? `show interfaces ${name}`]);
  const file = journalFile(site);
  const path = file?.host === undoHost ? file.path : '';
  const unit = `--unit=${undoUnit(subject.id)}`;
  const timer = [
    'systemd-run',
    '--collect',
    unit,
    `--on-active=${seconds}s`,
    '--timer-property=AccuracySec=1s',
  ];
  const back = typedLines(target, change.restore);
  return [
    {
      host: undoHost,
      argv: [...asRoot, 'sh', '-c', lookScript, 'faultline', seenPattern(target), host.name, ...look],
      deadlineMs: 40_000,
    },
    {
      host: undoHost,
      argv: [...asRoot, ...timer, 'sh', '-c', undoScript, 'faultline', path, subject.id, host.name, ...back],
    },
  ];
};

/** Takes the timer away; fails when it is still there afterwards. */
export const disarmStep = ({ undoHost, subject }: Target): Step => ({
  host: undoHost,
  argv: [...asRoot, 'sh', '-c', stopScript, 'faultline', `${undoUnit(subject.id)}.timer`],
});
