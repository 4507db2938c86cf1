import { isRecovering, isSince, kbAvail, type SimMdt, type SimOst, type SimState } from './state.ts';

/** Objects a second that users make on each MDT, and their mean size in KiB. */
const objectsPerSecond = 18;
const kbPerObject = 20_000;
/** Objects a second that users delete on each OST. */
const destroysPerSecond = 1.5;

/** What time brings about: objects are made where the release's allocator puts them, recoveries end, locks run out. */
export const advance = (state: SimState, now: number): void => {
  const seconds = (now - state.at) / 1000;
  if (seconds <= 0) return;
  state.at = now;
  for (const mdt of state.mdts) {
    const shares = sharesOf(state, mdt, now);
    const total = shares.reduce((sum, one) => sum + one, 0);
    for (const [index, ost] of state.osts.entries()) {
      const own = mdt.imports[index];
      const share = shares[index] ?? 0;
      if (!own) continue;
      if (total > 0 && share > 0) {
        own.carry += (share / total) * objectsPerSecond * seconds;
        const whole = Math.floor(own.carry);
        own.carry -= whole;
        own.nextId += whole;
        ost.objects += whole;
        ost.kbUsed += whole * kbPerObject;
      }
      own.destroys = own.active
        ? Math.max(0, own.destroys - Math.ceil(400 * seconds))
        : own.destroys + Math.ceil(destroysPerSecond * seconds);
    }
  }
  for (const ost of state.osts) {
    if (ost.locks.slv === 1) ost.locks.timeouts += Math.ceil(2 * seconds);
    if (ost.recoveringUntil !== undefined && now >= ost.recoveringUntil) delete ost.recoveringUntil;
  }
};

/** lod: weighing by free space while it is uneven (before 2.9 whatever the flag says), else one after the other. */
const sharesOf = (state: SimState, mdt: SimMdt, now: number): number[] => {
  const modern = isSince(state, 2, 9);
  const open = state.osts.map((ost, index) => {
    const own = mdt.imports[index];
    if (!own?.active || isRecovering(ost, now) || ost.noPrecreate || kbAvail(ost) === 0) return false;
    return !(own.max === 0 && modern);
  });
  const weighing = isWeighing(mdt, state.osts);
  const isUsable = (ost: SimOst, index: number): boolean =>
    open[index] === true && (!ost.degraded || (weighing && !modern));
  const free = state.osts.map((ost, index) => (isUsable(ost, index) ? (weighing ? kbAvail(ost) : 1) : 0));
  return free.some((one) => one > 0) ? free : state.osts.map((_, index) => Number(open[index] === true));
};

const isWeighing = (mdt: SimMdt, osts: readonly SimOst[]): boolean => {
  const free = osts
    .filter((_, index) => mdt.imports[index]?.active)
    .map(kbAvail)
    .filter((kb) => kb > 0);
  const t = Math.floor((mdt.threshold * 256) / 100);
  return free.length > 1 && Math.floor((Math.max(...free) * (256 - t)) / 256) >= Math.min(...free);
};
