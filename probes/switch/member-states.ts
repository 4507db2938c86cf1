/** What a member does in its LAG. Only `working` carries traffic of it. */
export const standings = [
  'working',
  'down',
  'suspended',
  'individual',
  'standby',
  'unselected',
  'negotiating',
  'unfit',
  'removed',
] as const;
export type Standing = (typeof standings)[number];

type Words = Readonly<Record<string, Standing>>;

/**
 * NX-OS: the legend above `show port-channel summary`: P up in port-channel, D down, I individual, H hot-standby (LACP only), s
 * suspended, r module-removed, b BFD session wait. `p` is up before LACP was heard (delay-lacp): in no bundle that LACP made. The
 * capital S of that legend is a port-channel's (switched).
 */
const nxos: Words = {
  P: 'working',
  D: 'down',
  I: 'individual',
  H: 'standby',
  s: 'suspended',
  r: 'removed',
  b: 'negotiating',
  p: 'negotiating',
};

/** IOS: the legend above `show etherchannel summary`; `f` and `M` there are a port-channel's. */
const ios: Words = {
  P: 'working',
  D: 'down',
  I: 'individual',
  H: 'standby',
  s: 'suspended',
  u: 'unfit',
  w: 'negotiating',
  m: 'unfit',
  d: 'unfit',
};

/** IOS XR: the states of `show bundle` (Cisco IOS XR command reference, link bundling). */
const xr: Words = { Active: 'working', Standby: 'standby', Negotiating: 'negotiating', Configured: 'down' };

/** FTOS: `show interfaces port-channel brief` prints Up and Down, `show lacp` Bundle and Not in Bundle (OS9 command reference, LACP). */
const ftos: Words = { Up: 'working', Down: 'down', Bundle: 'working', 'Not in Bundle': 'negotiating' };

/** OS10: the legend above `show port-channel summary`: D down, I member up but inactive, P member up and active. */
const os10: Words = { P: 'working', I: 'unselected', D: 'down' };

/** Onyx: the legend of `show interfaces port-channel summary`: P up in port-channel, S suspend, I individual, D down. */
const onyx: Words = { P: 'working', S: 'suspended', I: 'individual', D: 'down' };

/** SONiC: the legend above `show interfaces portchannel`: S selected, D deselected; `*` is not yet as teamd wants it. */
const sonic: Words = { S: 'working', D: 'unselected', 'S*': 'negotiating', 'D*': 'negotiating' };

/** Junos: the mux machine of IEEE 802.1AX in `show lacp interfaces`; only its last state sends and receives. */
const junos: Words = {
  'Collecting distributing': 'working',
  Collecting: 'negotiating',
  Attached: 'negotiating',
  Waiting: 'negotiating',
  Detached: 'unselected',
};

/** Comware: the legend of `display link-aggregation verbose`: S selected, U unselected, I individual. */
const comware: Words = { S: 'working', U: 'unselected', I: 'individual' };

/** VRP `display eth-trunk`: Selected and Unselect with LACP, Up and Down without. */
const vrp: Words = { Selected: 'working', Unselect: 'unselected', Up: 'working', Down: 'down' };

/**
 * AOS-CX `show lacp interfaces`: its legend's letters in their order: in sync, collecting and distributing with either activity and either
 * time-out. `O` out of sync, `E` no neighbour heard, `X` expired.
 */
const aoscx: Words = {
  ALFNCD: 'working',
  ASFNCD: 'working',
  PLFNCD: 'working',
  PSFNCD: 'working',
  ALFOE: 'negotiating',
  ASFOE: 'negotiating',
  PLFOE: 'negotiating',
  PSFOE: 'negotiating',
};

/** EXOS `show lacp lag detail`: the mux machine. The `A` of `show sharing` is that of the link, in its LAG or not. */
const exos: Words = { 'Collect-Dist': 'working', Detached: 'unselected', Attached: 'negotiating' };

/**
 * EOS: flags side by side, by the legend above `show port-channel summary`: P bundled in Po, s suspended, G aggregable, I individual, S
 * short time-out, w wait for aggregator, + in sync, - out of sync, i incompatible, D down, E and M beyond a limit. `bundled` is that of
 * `show lacp peer | json`.
 */
const eosWorking: ReadonlySet<string> = new Set(['P', 'PG+', 'PSG+', 'bundled']);

/** What keeps it out, the first that is said. */
const eosOut: readonly (readonly [flag: string, Standing])[] = [
  ['D', 'down'],
  ['s', 'suspended'],
  ['I', 'individual'],
  ['w', 'negotiating'],
  ['i', 'unfit'],
  ['E', 'unfit'],
  ['M', 'unfit'],
  ['-', 'negotiating'],
];

const eos = (state: string): Standing | undefined => {
  if (eosWorking.has(state)) return 'working';
  if (!/^[sGISwDiEM+-]{1,6}$/.test(state)) return undefined;
  return eosOut.find(([flag]) => state.includes(flag))?.[1];
};

const tables: Readonly<Record<string, Words>> = {
  cisco_nxos: nxos,
  cisco_ios: ios,
  cisco_xr: xr,
  dell_ftos: ftos,
  dell_os10: os10,
  mellanox_onyx: onyx,
  sonic,
  juniper_junos: junos,
  hpe_comware: comware,
  huawei_vrp: vrp,
  aruba_aoscx: aoscx,
  extreme_exos: exos,
};

/**
 * What a member does by the word of its own platform, letter for letter: `s` is suspended on NX-OS and EOS where `S` is selected on
 * SONiC. Undefined: the platform's table does not name the word, and no guard counts such a member as working.
 */
export const standingOf = (platform: string, state: string | undefined): Standing | undefined => {
  if (state === undefined) return undefined;
  if (platform === 'arista_eos') return eos(state);
  const words = tables[platform];
  return words && Object.hasOwn(words, state) ? words[state] : undefined;
};
