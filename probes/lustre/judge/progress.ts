import { age, clockTime } from '../../../src/text/ages.ts';
import { count, groupThousands, percent } from '../../../src/text/units.ts';
import type { HostTask } from './tasks.ts';

/** `migrating, 37 of 60 files moved (pass 1), 4.1 files/s, about 9 s left`; of what is not known any more, when it was so. */
export const progressOf = (task: HostTask, now: number): string => {
  if (task.life === 'unknown')
    return `${task.host} does not answer; last seen ${clockTime(task.seenAt, now)}: ${stepOf(task)}`;
  if (task.life === 'silent')
    return `died on ${task.host}: no sign of life for ${age((task.silentS ?? 0) * 1000)}; it was ${stepOf(task)}`;
  return stepOf(task);
};

const stepOf = (task: HostTask): string => {
  const { remembered, state, pass } = task;
  if (remembered) {
    const { share } = remembered;
    return `${state} (pass ${pass}${share === undefined ? '' : `, about ${percent(share)} done`})`;
  }
  if (task.kind === 'fid' && state === 'listing') return 'asking for its name';
  if (state === 'listing') return listingText(task);
  return state === 'migrating' ? migratingText(task) : endText(task);
};

const notMoved = ({ skipped }: HostTask): string =>
  skipped > 0 ? `, ${groupThousands(skipped)} skipped` : '';

const listingText = (task: HostTask): string => {
  const { pass, empty, done, listing } = task;
  const again = empty > 0 ? ', the last list was empty' : '';
  const head =
    pass <= 1
      ? 'listing files'
      : `listing again (pass ${pass}${again}), ${count(done, 'file')} moved${notMoved(task)}`;
  if (!listing || listing.of === 0) return head;
  const { dirs, of, found } = listing;
  return `${head}: ${groupThousands(dirs)} of ${count(of, 'directory', 'directories')}, ${count(found, 'file')} so far${listingSpeed(listing)}`;
};

/** Files a second since this list began, and what is left when the other directories take as long. */
const listingSpeed = ({ dirs, of, found, seconds }: NonNullable<HostTask['listing']>): string =>
  dirs === 0 || seconds === 0
    ? ''
    : `, ${(found / seconds).toFixed(1)} files/s, about ${age((seconds / dirs) * (of - dirs) * 1000)} left`;

const migratingText = (task: HostTask): string => {
  const { total, done, base, pass, rate } = task;
  const moved = done - base;
  const speed =
    rate === undefined
      ? ''
      : `, ${rate.toFixed(1)} files/s, about ${age((Math.max(0, total - moved) / rate) * 1000)} left`;
  return `migrating, ${groupThousands(moved)} of ${count(Math.max(total, moved), 'file')} moved (pass ${pass})${speed}${notMoved(task)}`;
};

const endText = (task: HostTask): string => {
  const { state, kind, total, done, result } = task;
  const moved = `${count(done, 'file')} moved`;
  if (state === 'done') {
    if (kind === 'fid') return result ?? 'done';
    if (kind === 'list') return `${count(total, 'file')} found`;
    return `no file left in two lists, ${moved}${notMoved(task)}`;
  }
  if (state === 'stuck')
    return `stuck: ${count(total, 'file')} left that can't be moved (open, linked or not writable), ${moved}`;
  return `${state}${result === undefined ? '' : `: ${result}`}${kind === 'drain' ? `, ${moved}${notMoved(task)}` : ''}`;
};
