/** A port's link: up; down; shut by somebody; dark: switched on and without light. `down` where the device does not tell these two apart. */
export const linkStates = ['up', 'down', 'dark', 'shut'] as const;
export type LinkState = (typeof linkStates)[number];

interface Words {
  /** Of the link. A word that is no `up` may have its reason behind it in brackets: `down (SFP not present)`. */
  link: Readonly<Record<string, LinkState>>;
  /** Of the setting, where the platform prints one. */
  admin?: Readonly<Record<string, 'on' | 'off'>>;
}

const upDown = { up: 'up', down: 'down' } as const;
const onOff = { up: 'on', down: 'off' } as const;
/** `show interfaces [status]` of Cisco and its likes; err-disabled is the device's own doing. */
const ciscoLike = {
  ...upDown,
  'administratively down': 'shut',
  connected: 'up',
  notconnect: 'dark',
  disabled: 'shut',
  'err-disabled': 'down',
  inactive: 'down',
} as const;

/** Linux `operstate` (kernel, operstates.rst). UNKNOWN is what it says of a driver that tells nothing. */
const linux: Words = {
  link: {
    ...upDown,
    UP: 'up',
    DOWN: 'down',
    LOWERLAYERDOWN: 'down',
    NOTPRESENT: 'down',
    DORMANT: 'down',
    TESTING: 'down',
  },
  admin: onOff,
};

/** Words of each platform, letter for letter, as its captures and command references print them. */
const tables: Readonly<Record<string, Words>> = {
  // `show interfaces` and its JSON (EOS manual, interfaceStatus).
  arista_eos: { link: { ...ciscoLike, errdisabled: 'down', notpresent: 'down' } },
  cisco_ios: { link: { ...ciscoLike, reset: 'down' } },
  cisco_xr: { link: { ...upDown, 'administratively down': 'shut', 'admin-down': 'shut' } },
  cisco_nxos: { link: { ...ciscoLike, 'down (Administratively down)': 'shut' }, admin: onOff },
  // A shut port of FTOS reads down like one without light; its status table writes capitals.
  dell_ftos: { link: { ...upDown, Up: 'up', Down: 'down', 'administratively down': 'shut' } },
  dell_os10: { link: { ...upDown, 'administratively down': 'shut' }, admin: onOff },
  // portstat: U up, D down, X disabled (sonic-utilities); `show interfaces status` writes words.
  sonic: { link: { ...upDown, U: 'up', D: 'down', X: 'shut' }, admin: onOff },
  cumulus: linux,
  linux,
  juniper_junos: {
    link: { ...upDown, Up: 'up', Down: 'down' },
    admin: { ...onOff, Enabled: 'on', 'Administratively down': 'off', Disabled: 'off' },
  },
  mellanox_onyx: { link: { Up: 'up', Down: 'down' }, admin: { Enabled: 'on', Disabled: 'off' } },
  aruba_aoscx: { link: { ...upDown, 'down (Administratively down)': 'shut' }, admin: onOff },
  hpe_comware: {
    link: {
      UP: 'up',
      DOWN: 'down',
      ADM: 'shut',
      'Administratively DOWN': 'shut',
      'DOWN ( Administratively )': 'shut',
    },
  },
  hpe_procurve: { link: { Up: 'up', Down: 'down' }, admin: { Yes: 'on', No: 'off' } },
  // `*down` is administratively down by the legend of `display interface brief`.
  huawei_vrp: {
    link: { ...upDown, UP: 'up', DOWN: 'down', '*down': 'shut', 'Administratively DOWN': 'shut' },
  },
  // Legend of `show ports`: A active, R ready, NP port not present, D disabled.
  extreme_exos: { link: { A: 'up', R: 'dark', NP: 'down', D: 'shut' } },
  brocade_fastiron: {
    link: { ...upDown, Up: 'up', Down: 'down', disabled: 'shut', Disable: 'shut', 'ERR-DISABLED': 'down' },
  },
  // What the fabric's links are written down as in the history.
  infiniband: { link: upDown },
};

const none: Words = { link: {} };

const lookUp = <T>(words: Readonly<Record<string, T>>, text: string): T | undefined =>
  Object.hasOwn(words, text) ? words[text] : undefined;

/** The word of a link; a reason in brackets behind it makes no link that is up of what its table does not name. */
const linkWord = (words: Words['link'], text: string): LinkState | undefined => {
  const whole = lookUp(words, text);
  if (whole !== undefined) return whole;
  const bare = /^(.*\S) ?\([^()]*\)$/.exec(text)?.[1];
  const found = bare === undefined ? undefined : lookUp(words, bare);
  return found === 'up' ? undefined : found;
};

/**
 * What a port's own words say of its link. Undefined: the platform's table does not name them, or the two contradict each other; that is
 * neither up nor down.
 */
export const linkStateOf = (
  platform: string,
  { link, admin }: { link?: string | undefined; admin?: string | undefined },
): LinkState | undefined => {
  const words = tables[platform] ?? none;
  const told = link === undefined ? undefined : linkWord(words.link, link);
  const set = admin === undefined ? undefined : lookUp(words.admin ?? {}, admin);
  if (set === 'off') return told === 'up' || (link !== undefined && told === undefined) ? undefined : 'shut';
  return told === 'down' && set === 'on' ? 'dark' : told;
};

/** Down, whoever or whatever took it down. A state that is not known is not. */
export const isDown = ({ state }: { state?: LinkState | undefined }): boolean =>
  state !== undefined && state !== 'up';
