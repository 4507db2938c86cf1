import { heldKills } from './held-kills.ts';
import type { Place } from './kind.ts';
import { lookOnly } from './look-only.ts';
import { suspended } from './members.ts';
import { shuts } from './shuts.ts';
import { SwitchWorld, whyNoSwitches } from './switch-world.ts';

/** Strangers' models of FTOS, EOS, NX-OS, SONiC and Cumulus with a helper host; a fixed port, so there is one of them at a time. */
export const switchPlace: Place<SwitchWorld> = {
  name: 'switches',
  kinds: [heldKills, shuts, suspended, lookOnly],
  beside: 'shared',
  absent: whyNoSwitches,
  open: () => SwitchWorld.open(),
  close: (world) => world.close(),
};
