import type { Kind } from './kind.ts';
import { isTooBusy, saidOf } from './program.ts';
import { inTurn } from './random.ts';
import {
  happened,
  judgeShut,
  newShut,
  PORTS,
  quiet,
  SHUTTABLE,
  startShut,
  type Port,
} from './switch-shut.ts';
import type { SwitchWorld } from './switch-world.ts';

/** Those whose undo is a timer's: the first is where an account that may only look is modelled. */
const [, nxos, ftos, sonic, cumulus] = PORTS;
const TIMED = [ftos, nxos, sonic, ...(SHUTTABLE.includes(cumulus) ? [cumulus] : [])] as const;

/** The undo's account may not undo: it may only look, or it may shut and not bring up, as rights per command have it. */
const takeRights = async (world: SwitchWorld, at: Port): Promise<string> => {
  if (at === ftos) {
    await world.ask(`w.devices["${at.device}"].monitors.add("monitor")`);
    await world.onHelper(
      `printf 'Host ${at.device}\\n  User monitor\\n' | cat - /root/.ssh/config >/root/.ssh/new && mv /root/.ssh/new /root/.ssh/config`,
    );
    return 'the undo account may only look';
  }
  const refused = at === cumulus ? `ip link set dev ${at.port} up` : (at.undo ?? '');
  await world.ask(`w.devices["${at.device}"].refuse.add("${refused}")`);
  return `"${refused}" is refused`;
};

const giveBack = async (world: SwitchWorld, at: Port): Promise<void> => {
  if (at === ftos) await world.onHelper("sed -i '1,2d' /root/.ssh/config");
  await quiet(world, at);
};

/** No undo that cannot undo: found before anything is shut. */
export const lookOnly: Kind<SwitchWorld> = {
  name: 'look-only',
  about: 'the account of the undo may not bring the port up again',
  short: 1,
  long: 10,
  lane: (seed) => inTurn(TIMED, seed).device,
  try: async (world, seed) => {
    const at = inTurn(TIMED, seed);
    await quiet(world, at);
    const how = await takeRights(world, at);
    try {
      const shut = await newShut(world, at);
      shut.claim = await startShut(shut).ended;
      const { claim } = shut;
      if (isTooBusy(claim)) return { what: `${at.target}, ${how}`, broke: [], untried: saidOf(claim) };
      const broke = await judgeShut(world, shut);
      const events = await happened(world, shut);
      if (events.length > 0) broke.push(`it was shut all the same (${events.join(', ')}): ${saidOf(claim)}`);
      else if (!/^(9|2|3) /.test(claim.said?.refused?.guard ?? '') && !/undo|9 armed/.test(saidOf(claim)))
        broke.push(`it was refused for another reason: ${saidOf(claim)}`);
      return { what: `${at.target}, ${how}: ${claim.said?.outcome ?? 'killed'}`, broke };
    } finally {
      await giveBack(world, at);
    }
  },
};
