import type { Guard, Step, Verification } from '../../src/model/action.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { no, ok } from '../../src/model/refusal.ts';
import { deviceStep, journalSteps, portNow, shutSteps, type Target } from './action-parts.ts';
import { deviceReads, staysDown, type Undo } from './action-reads.ts';
import { journalFile } from './journal.ts';
import type { TimersReading } from './readings.ts';
import { undoUnit } from './timers.ts';

/** A port with the host on which its undo can be armed. */
export type Timed = Pick<Target, 'subject'> & { undoHost: string };

type TimedTarget = Target & Timed;

const ssh = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

/** Lines typed on a device through a pipe, with its pager off before and the session left afterwards. */
const typedLines = ({ platform }: Target, lines: readonly string[]): readonly string[] =>
  platform.via === 'cli' ? [...(platform.dialect?.pagerOff ?? []), ...lines, 'exit'] : [...lines, 'exit'];

/** A name for the transient unit is root's to give; so the proof and the timer log in to the device as root. */
const asRoot = ['sudo', '-n'] as const;

/** Says no as well while the undo is at work: then nobody knows yet whether the port stays as it is. */
const stopScript =
  'systemctl stop "$1.timer" 2>/dev/null; ! systemctl is-active --quiet "$1.timer" "$1.service"';

/** Types the lines in `$@` on the device `$h`, and whether it then shows what `$p` looks for: it answered to the end. */
const typeAndSee = (seconds: number): string =>
  `printf "%s\\n" "$@" | timeout ${seconds} ${ssh} -tt "$h" 2>/dev/null | tr -d "\\r" | grep -iE "$p" >/dev/null`;

/** Proves that the undo host can log in to the device and sees the port: the same way and account as the timer. */
const lookScript = `p=$1; h=$2; shift 2; ${typeAndSee(30)}`;

/** A device that can't be reached just then is tried again; what was not seen to be restored is not written down as that. */
const undoScript =
  `f=$1; i=$2; p=$3; h=$4; shift 4; n=1; ` +
  `until ${typeAndSee(60)}; do test $n -lt 5 || exit 1; n=$((n+1)); sleep 10; done; ` +
  `test -z "$f" || printf '{"kind":"restored","at":%s000,"port":"%s","by":"timer"}\\n' "$(date +%s)" "$i" >> "$f"`;

/** `3/46 is up`: what FTOS prints of the port itself, in no echo of the question. */
const lookAt = ({ name, change }: Target): { line: string; seen: string } =>
  change.look ?? {
    line: `show interfaces ${name}`,
    seen: `${/(\d[\d/:.]*)$/.exec(name)?.[1] ?? name} is (up|down)`,
  };

/** In front of what a timer shall run, as root, once. */
export const timed = ({ subject }: Timed, seconds: number): readonly string[] => [
  ...asRoot,
  'systemd-run',
  '--collect',
  `--unit=${undoUnit(subject.id)}`,
  `--on-active=${seconds}s`,
  '--timer-property=AccuracySec=1s',
];

/** Arms the timer on the undo host, after the proof. Root's own key logs in: the timer runs as root. */
const armSteps = (target: TimedTarget, seconds: number, site: SiteView): readonly Step[] => {
  const { host, change, subject, undoHost } = target;
  const { line, seen } = lookAt(target);
  const file = journalFile(site);
  const path = file?.host === undoHost ? file.path : '';
  const back = typedLines(target, [...change.restore, line]);
  return [
    {
      host: undoHost,
      argv: [...asRoot, 'sh', '-c', lookScript, 'faultline', seen, host.name, ...typedLines(target, [line])],
      deadlineMs: 40_000,
    },
    {
      host: undoHost,
      argv: [
        ...timed(target, seconds),
        'sh',
        '-c',
        undoScript,
        'faultline',
        path,
        subject.id,
        seen,
        host.name,
        ...back,
      ],
    },
  ];
};

/** Takes the timer away; fails when it is still there afterwards, or runs. */
export const disarmStep = ({ undoHost, subject }: Timed): Step => ({
  host: undoHost,
  argv: [...asRoot, 'sh', '-c', stopScript, 'faultline', undoUnit(subject.id)],
});

export const timerOf = ({ subject, undoHost }: Timed, live: Judgement): string | undefined =>
  live.readings
    .source<TimersReading>('switch.timers', undoHost)
    ?.good?.value.timers.find((one) => one.unit === undoUnit(subject.id))?.state;

/** Why the undo host is not there now; undefined: it is, or was not asked yet. */
export const undoHostGone = (undoHost: string, { readings }: Judgement): string | undefined =>
  readings.source<TimersReading>('switch.timers', undoHost)?.failure?.message;

/** Guard 9: the undo host is there, and no undo of ours waits for this port already. */
export const undoPossible = (target: Timed): Guard => ({
  id: '9 armed undo',
  text: `${target.undoHost} can arm the undo`,
  reads: [{ probe: 'switch.timers', host: target.undoHost }],
  absolute: true,
  check: (live) => {
    const host = live.site.host(target.undoHost);
    if (!host?.roles.includes('switch-helper'))
      return no(`${target.undoHost} has not the role switch-helper in the site file`);
    const source = live.readings.source<TimersReading>('switch.timers', target.undoHost);
    if (source?.state !== 'fresh' || !source.good)
      return no(`its timers can't be read: ${source?.failure?.message ?? 'not asked yet'}`);
    const waiting = timerOf(target, live) !== undefined;
    return waiting ? no('an undo of an earlier change waits there for this port') : ok('it answers');
  },
});

/** By a reading of the undo host's timers. */
export const timerWaits = (target: Timed): Verification => ({
  text: `the timer waits on ${target.undoHost}`,
  reads: [{ probe: 'switch.timers', host: target.undoHost }],
  deadlineMs: 15_000,
  check: (live) => {
    const found = timerOf(target, live);
    return { state: found === 'active' ? 'yes' : 'wait', text: found ?? 'no timer is seen' };
  },
});

/** Undone by a timer on the undo host: for devices that cannot take a change back themselves. */
export const undoneByTimer = (
  target: TimedTarget,
  seconds: number,
  judgement: Judgement,
  operator: string,
): Undo => {
  const { site } = judgement;
  const { undoHost, change, host, port, subject } = target;
  const timers = { probe: 'switch.timers', host: undoHost };
  return {
    by: 'timer',
    seconds,
    text: `a timer on ${undoHost} restores ${port} after ${seconds} s`,
    guards: [undoPossible(target)],
    steps: [...shutSteps(judgement, subject.id, operator), deviceStep(target, change.shut)],
    arm: armSteps(target, seconds, site),
    armed: timerWaits(target),
    keep: [disarmStep(target)],
    kept: {
      text: `no timer waits any more and ${port} reads down`,
      reads: [timers, ...deviceReads(target)],
      deadlineMs: 30_000,
      check: (live) =>
        timerOf(target, live) === undefined
          ? staysDown(portNow(live, host.name, port), port)
          : { state: 'wait', text: 'the timer is still there' },
    },
    restore: [
      deviceStep(target, change.restore),
      ...journalSteps(site, { kind: 'restored', port: subject.id, by: operator }),
    ],
  };
};
