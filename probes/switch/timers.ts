import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { TimersReading } from './readings.ts';

/** The systemd unit of the undo timer of a port: `faultline-undo-core3-te3-46`. */
export const undoUnit = (portId: string): string =>
  `faultline-undo-${portId.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** `systemctl list-units --plain --no-legend`: unit, load, active, sub, description. */
export const readTimers = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: TimersReading; notUnderstood: number } => {
  if (exitCode !== 0)
    throw new CommandFailed('timers', `undo timers can't be read: ${stderr.trim().split('\n')[0] ?? ''}`);
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const timers = lines.flatMap((line) => {
    const [unit = '', , state = ''] = line.trim().split(/\s+/);
    return unit.startsWith('faultline-undo-') && unit.endsWith('.timer')
      ? [{ unit: unit.slice(0, -'.timer'.length), state }]
      : [];
  });
  return { value: { timers }, notUnderstood: lines.length - timers.length };
};
