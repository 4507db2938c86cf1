import { firstLine } from '../../../src/kit/answers.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import { type NotRestored, notRestoredSchema, type TimersReading, type UndosReading } from '../readings.ts';
import { parseLine } from './journal.ts';

/** The systemd unit of the undo timer of a port: `faultline-undo-core3-te3-46`. */
export const undoUnit = (portId: string): string =>
  `faultline-undo-${portId.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** Where undos that could not restore their port tell so on the host that they run on: root's alone, and gone with a restart. */
const failureFolder = '/run/faultline-undo';
export const failureFile = (portId: string): string => `${failureFolder}/${undoUnit(portId)}`;
export const failureScript = `cat ${failureFolder}/*`;

/** Ends of a unit's life: a service that a timer has not started yet is listed as well. */
const isOver = (state: string): boolean => /^(?:inactive|failed)$/.test(state);

/**
 * `systemctl list-units --plain --no-legend`: unit, load, active, sub, description. An undo that is at work is a service, its timer
 * perhaps gone: it stands for the timer then.
 */
export const readTimers = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: TimersReading; notUnderstood: number } => {
  if (exitCode !== 0) throw new CommandFailed('timers', `undo timers can't be read: ${firstLine(stderr)}`);
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const timers = lines.flatMap((line) => {
    const [name = '', , state = ''] = line.trim().split(/\s+/);
    const [, unit, kind] = /^(faultline-undo-\S+)\.(timer|service)$/.exec(name) ?? [];
    return unit === undefined ? [] : [{ unit, kind, state }];
  });
  const working = timers.filter(({ kind, state }) => kind === 'service' && !isOver(state));
  const atWork = new Set(working.map(({ unit }) => unit));
  const waiting = timers.filter(({ unit, kind }) => kind === 'timer' && !atWork.has(unit));
  return {
    value: {
      timers: [
        ...waiting.map(({ unit, state }) => ({ unit, state })),
        ...[...atWork].map((unit) => ({ unit, state: 'running' })),
      ],
    },
    notUnderstood: lines.length - timers.length,
  };
};

/** What undos on a host tell of their failures, a line each; no such file: none failed. */
export const readUndos = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: UndosReading; notUnderstood: number } => {
  if (exitCode !== 0 && !/no such file/i.test(stderr))
    throw new CommandFailed('undos', `failed undos can't be read: ${firstLine(stderr)}`);
  const lines = stdout.split('\n').filter((one) => one.trim() !== '');
  const failed = lines.flatMap((one): NotRestored[] => {
    const line = parseLine(one);
    return line?.kind === 'notRestored' ? [notRestoredSchema.parse(line)] : [];
  });
  return { value: { failed }, notUnderstood: lines.length - failed.length };
};
