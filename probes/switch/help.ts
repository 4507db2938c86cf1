import type { CommandHelp } from '../../src/model/system.ts';

/** What `--help` of the commands says of the switches. */
export const switchHelp: CommandHelp = {
  parse: ['faultline parse switch.counters --platform dell_ftos show-interfaces.txt'],
  format: 'switch.counters',
};

/** What `?` says of the switches: how a link's row is read, whose turn the verdict says it is, and what a shutdown does. */
export const help: readonly string[] = [
  'A link has one row. BAD/S and SHARE: damaged frames that the end named first receives, a second and of all its frames. BACK/S: those that the other end receives. Frames are damaged on the way, so the sending side is the suspect, unless light, lanes, settings or neighbours say otherwise.',
  'VERDICT: "suspect" names the end to check first. Clean, reseat, then swap; note each repair (with its part; "far optic" for the other end) and the verdict moves on when errors continue.',
  'Jumbo matrix: replies to small and to large pings, "20/20 16/20". Lossy large beside clean small: damage on one link of the way. MTU: large ones do not fit at all. Marked clients, or one, that are read again run it, after a confirmation.',
  'shut port takes a member out of its LAG and holds that: unless you type keep it comes back by itself, also when this console dies. The startup configuration is never written: a restart of the switch brings the port up. restore port puts it back.',
  'A link that came up less than 60 s ago shows its bad frames, but they are not judged.',
];
