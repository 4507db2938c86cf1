import type { Guard, Reread, Step, Verification } from '../../../src/model/action.ts';
import type { Hold } from '../../../src/model/hold.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import stopScript from './stop-undo.sh';
import { proofScript, undoScript, wordsOf, type UndoWords } from './undo-script.ts';
import { journalFile, journalReads } from '../read/journal.ts';
import type { TimersReading } from '../readings.ts';
import { failureFile, undoUnit } from '../read/undos.ts';
import { undoFailure } from '../judge/undo-failures.ts';

/** A port with the host on which its undo can be armed. */
export interface Timed {
  subject: Subject;
  port: string;
  undoHost: string;
}

/** A name for the transient unit is root's to give; so the proof and the timer do their work as root. */
const asRoot = ['sudo', '-n'] as const;

/** Two logins on a device, twice 20 s at most. */
const proofDeadlineMs = 45_000;

/** A script of `sh` as root on the undo host, its words behind it. */
const rootScript = ({ undoHost }: Timed, script: string, words: readonly string[]): Step => ({
  host: undoHost,
  argv: [...asRoot, 'sh', '-c', script, 'faultline', ...words],
});

/** Starts the timer, as root, once. */
const startTimer = ({ subject, undoHost }: Timed, seconds: number, site: SiteView, undo: UndoWords): Step => {
  const file = journalFile(site);
  const path = file?.host === undoHost ? file.path : '';
  const run = [
    'systemd-run',
    '--collect',
    `--unit=${undoUnit(subject.id)}`,
    `--on-active=${seconds}s`,
    '--timer-property=AccuracySec=1s',
  ];
  const own = [path, failureFile(subject.id), subject.id, undoHost];
  const script = ['sh', '-c', undoScript, 'faultline', ...own, ...wordsOf(undo)];
  return { host: undoHost, argv: [...asRoot, ...run, ...script] };
};

const timerOf = ({ subject, undoHost }: Timed, live: Judgement): string | undefined =>
  live.readings
    .source<TimersReading>('switch.timers', undoHost)
    ?.good?.value.timers.find((one) => one.unit === undoUnit(subject.id))?.state;

/** Why the undo host is not there now; undefined: it is, or was not asked yet. */
export const whyUndoHostGone = (undoHost: string, { readings }: Judgement): string | undefined =>
  readings.source<TimersReading>('switch.timers', undoHost)?.failure?.message;

const timersOf = ({ undoHost }: Timed): Reread => ({ probe: 'switch.timers', host: undoHost });

/** Guard 9: the undo host is there, and no undo of ours waits for this port already. That it can undo is proven when it is armed. */
export const requireUndoPossible = (target: Timed): Guard => ({
  id: '9 armed undo',
  text: `${target.undoHost} answers, and no earlier undo of this port waits there`,
  reads: [timersOf(target)],
  absolute: true,
  check: (live) => {
    const host = live.site.host(target.undoHost);
    if (!host?.roles.includes('switch-helper'))
      return failGuard(`${target.undoHost} does not have the role switch-helper in the site file`);
    const source = live.readings.source<TimersReading>('switch.timers', target.undoHost);
    if (source?.state !== 'fresh' || !source.good)
      return failGuard(`its timers can't be read: ${source?.failure?.message ?? 'not asked yet'}`);
    const waiting = timerOf(target, live) !== undefined;
    return waiting
      ? failGuard('an undo of an earlier change waits there for this port')
      : passGuard('it answers');
  },
});

/** What a timer on the undo host is made of. */
interface Undoing {
  seconds: number;
  site: SiteView;
  /** What the undo host shows that it can do, by the same way and account as the timer, before the timer is started. */
  proof: UndoWords;
  undo: UndoWords;
  /** What reads the port, and whether it is as a change that is kept must be. */
  reads: readonly Reread[];
  stays: Verification['check'];
}

/** A change that a timer on the undo host undoes. It is kept by taking the timer away. */
export const timerHold = (
  target: Timed,
  { seconds, site, proof, undo, reads, stays }: Undoing,
): Pick<Hold, 'by' | 'seconds' | 'text' | 'arm' | 'armed' | 'keep' | 'kept' | 'failure'> => ({
  by: 'timer',
  seconds,
  text: `a timer on ${target.undoHost} restores ${target.port} after ${seconds} s`,
  arm: [
    {
      ...rootScript(target, proofScript, wordsOf(proof)),
      deadlineMs: proofDeadlineMs,
    },
    startTimer(target, seconds, site, undo),
  ],
  armed: {
    text: `the timer waits on ${target.undoHost}`,
    reads: [timersOf(target)],
    deadlineMs: 15_000,
    check: (live) => {
      const found = timerOf(target, live);
      return { state: found === 'active' ? 'yes' : 'wait', text: found ?? 'no timer is seen' };
    },
  },
  keep: [rootScript(target, stopScript, [undoUnit(target.subject.id), failureFile(target.subject.id)])],
  kept: {
    text: `no timer waits any more and ${target.port} reads down`,
    reads: [timersOf(target), ...reads],
    deadlineMs: 30_000,
    check: (live) =>
      timerOf(target, live) === undefined ? stays(live) : { state: 'wait', text: 'the timer is still there' },
  },
  failure: {
    reads: [{ probe: 'switch.undos', host: target.undoHost }, ...journalReads(site)],
    explain: (live) => undoFailure(target.subject.id, live),
  },
});
