import type { Judgement } from '../../../src/model/system.ts';
import { deviceStep, journalSteps, portNow, shutSteps, type Target } from './parts.ts';
import { deviceReads, checkStaysDown, type Undo } from './reads.ts';
import { timerHold, requireUndoPossible } from './timer.ts';
import { refusalsOf, type UndoWords } from './undo-script.ts';
import type { PortChange } from '../platforms/contracts.ts';

/** What is typed with the pager off before and the session left afterwards, or run in the device's shell as our own transport does it. */
const linesOn = ({ platform }: Target, lines: readonly string[]): readonly string[] =>
  platform.via === 'cli'
    ? [...(platform.dialect?.pagerOff ?? []), ...lines, 'exit']
    : ['export LC_ALL=C PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...lines];

/** What puts the port back and looks whether it is switched on. */
const undoOf = (target: Target, look: NonNullable<PortChange['look']>): UndoWords => ({
  reach: target.platform.via,
  host: target.host.name,
  refuses: refusalsOf(target.platform.dialect),
  prompt: look.prompt ?? '',
  on: look.on,
  undo: linesOn(target, target.change.restore),
  look: linesOn(target, look.lines),
});

/**
 * Undone by a timer on the undo host, which types on the device and looks: for devices that cannot take a change back themselves.
 * Root's own key logs in, for the proof as for the timer.
 */
export const planTimerUndo = (
  target: Target & { undoHost: string },
  look: NonNullable<PortChange['look']>,
  seconds: number,
  judgement: Judgement,
  operator: string,
): Undo => {
  const { site } = judgement;
  const { change, host, port, subject } = target;
  const undo = undoOf(target, look);
  return {
    ...timerHold(target, {
      seconds,
      site,
      // Commands that are known to change nothing while the port is up: never a mode that takes a lock on the configuration.
      proof: undo,
      undo,
      reads: deviceReads(target),
      stays: (live) => checkStaysDown(portNow(live, host.name, port), target),
    }),
    guards: [requireUndoPossible(target)],
    steps: [deviceStep(target, change.shut), ...shutSteps(judgement, subject.id, operator)],
    restore: [
      deviceStep(target, change.restore),
      ...journalSteps(site, { kind: 'restored', port: subject.id, by: operator }),
    ],
  };
};
