import type { Kind } from './kind.ts';
import { isTooBusy, saidOf, start } from './program.ts';
import { happened, judgeShut, newShut, portOf, quiet, shutLocks, startShut } from './switch-shut.ts';
import type { SwitchWorld } from './switch-world.ts';

/** A member of a sound LAG is shut: tried and restored, or kept and undone. */
export const shuts: Kind<SwitchWorld> = {
  name: 'shut',
  about: 'a port of a sound LAG of each platform: tried and restored, or kept and undone',
  short: 5,
  long: 25,
  lane: (seed) => portOf(seed).device,
  try: async (world, seed) => {
    const at = portOf(seed);
    const keep = seed % 2 === 0;
    await quiet(world, at);
    const shut = await newShut(world, at);
    shut.claim = await startShut(shut, ...(keep ? ['--keep-if-verified'] : [])).ended;
    const { claim } = shut;
    const what = `${at.target}, ${keep ? 'kept' : 'tried'}: ${claim.said?.outcome ?? 'killed'}`;
    if (isTooBusy(claim)) return { what, broke: [], untried: saidOf(claim) };
    const broke = await judgeShut(world, shut);
    // The model of Cumulus has no bonding driver: then it must be said what is missing.
    const isMissing = at.device.startsWith('cumulus') && saidOf(claim).includes('/proc/net/bonding');
    if (claim.said?.outcome === 'refused' && isMissing)
      return { what: `${what}, says what is missing`, broke };
    if (claim.said?.outcome === 'refused')
      return { what, broke: [...broke, `a sound case was refused: ${saidOf(claim)}`] };
    const right = keep ? 'done' : 'undone';
    if (claim.said?.outcome !== right)
      broke.push(`says ${claim.said?.outcome} where ${right} is right: ${saidOf(claim)}`);
    const timers = await world.onHelper(`systemctl list-timers --no-legend 'faultline-undo-${at.device}-*'`);
    if (timers.trim() !== '') broke.push(`an undo timer is left: ${timers.trim()}`);
    if (keep && claim.said?.run !== undefined) {
      const words = ['act', `undo:${claim.said.run.id}`, at.target];
      const shown = await start([...words, '--dry-run', '--json'], { env: shut.home.env }).ended;
      const typed = /"confirmText": "([^"]*)"/.exec(shown.text)?.[1] ?? '';
      const undo = await start([...words, '--confirm', typed, '--json'], { env: shut.home.env }).ended;
      const up = await world.isUp(at.device, at.port);
      if (undo.code !== 0 || !up)
        broke.push(`its undo exits ${undo.code} and the port is ${up ? 'up' : 'down'}: ${saidOf(undo)}`);
    }
    const events = await happened(world, shut);
    if (events.length !== 2) broke.push(`on the device it was: ${events.join(', ')}`);
    const locks = await shutLocks(world, shut);
    if (locks.length > 0) broke.push(`locks left behind: ${locks.join(', ')}`);
    return { what, broke };
  },
};
