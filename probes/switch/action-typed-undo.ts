import type { Judgement } from '../../src/model/system.ts';
import { deviceStep, journalSteps, portNow, shutSteps, type Target } from './action-parts.ts';
import { deviceReads, staysDown, type Undo } from './action-reads.ts';
import { rootScript, timerHold, undoPossible } from './action-timer.ts';

const ssh = 'ssh -o BatchMode=yes -o ConnectTimeout=10';

/** Lines typed on a device through a pipe, with its pager off before and the session left afterwards. */
const typedLines = ({ platform }: Target, lines: readonly string[]): readonly string[] =>
  platform.via === 'cli' ? [...(platform.dialect?.pagerOff ?? []), ...lines, 'exit'] : [...lines, 'exit'];

/**
 * Words: what to look for, the device, the lines to type. Whether the device then shows it: it answered to the end. In brackets, so
 * that the words are still there for another attempt.
 */
const typeAndSee = (seconds: number): string =>
  `(p=$1; h=$2; shift 2; printf "%s\\n" "$@" | timeout ${seconds} ${ssh} -tt "$h" 2>/dev/null | tr -d "\\r" | grep -iE "$p" >/dev/null)`;

/** `3/46 is up`: what FTOS prints of the port itself, in no echo of the question. */
const lookAt = ({ name, change }: Target): { line: string; seen: string } =>
  change.look ?? {
    line: `show interfaces ${name}`,
    seen: `${/(\d[\d/:.]*)$/.exec(name)?.[1] ?? name} is (up|down)`,
  };

/**
 * Undone by a timer on the undo host, which types on the device and looks: for devices that cannot take a change back themselves.
 * Root's own key logs in, for the proof as for the timer.
 */
export const undoneByTimer = (
  target: Target & { undoHost: string },
  seconds: number,
  judgement: Judgement,
  operator: string,
): Undo => {
  const { site } = judgement;
  const { change, host, port, subject } = target;
  const { line, seen } = lookAt(target);
  const typed = (lines: readonly string[]): readonly string[] => [
    seen,
    host.name,
    ...typedLines(target, lines),
  ];
  return {
    ...timerHold(target, {
      seconds,
      site,
      proof: { ...rootScript(target, typeAndSee(30), typed([line])), deadlineMs: 40_000 },
      undo: { attempt: typeAndSee(60), words: typed([...change.restore, line]) },
      reads: deviceReads(target),
      stays: (live) => staysDown(portNow(live, host.name, port), port),
    }),
    guards: [undoPossible(target)],
    steps: [deviceStep(target, change.shut), ...shutSteps(judgement, subject.id, operator)],
    restore: [
      deviceStep(target, change.restore),
      ...journalSteps(site, { kind: 'restored', port: subject.id, by: operator }),
    ],
  };
};
