/** A port's link: up; down; shut by somebody; dark: switched on and without light. `down` where the device does not tell these two apart. */
export const linkStates = ['up', 'down', 'dark', 'shut'] as const;
export type LinkState = (typeof linkStates)[number];

/** A platform's words for its links, letter for letter, as its captures and command references print them. */
export interface LinkWords {
  /** Of the link. A word that is no `up` may have its reason behind it in brackets: `down (SFP not present)`. */
  link: Readonly<Record<string, LinkState>>;
  /** Of the setting, where the platform prints one. */
  admin?: Readonly<Record<string, 'on' | 'off'>>;
}

const lookUp = <T>(words: Readonly<Record<string, T>>, text: string): T | undefined =>
  Object.hasOwn(words, text) ? words[text] : undefined;

/** The word of a link; a reason in brackets behind it makes no link that is up of what its table does not name. */
const linkWord = (words: LinkWords['link'], text: string): LinkState | undefined => {
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
export const linkStateBy = (
  words: LinkWords,
  { link, admin }: { link?: string | undefined; admin?: string | undefined },
): LinkState | undefined => {
  const linkState = link === undefined ? undefined : linkWord(words.link, link);
  const set = admin === undefined ? undefined : lookUp(words.admin ?? {}, admin);
  if (set === 'off')
    return linkState === 'up' || (link !== undefined && linkState === undefined) ? undefined : 'shut';
  return linkState === 'down' && set === 'on' ? 'dark' : linkState;
};

/** Down, whoever or whatever took it down. A state that is not known is not. */
export const isDown = ({ state }: { state?: LinkState | undefined }): boolean =>
  state !== undefined && state !== 'up';

export const upDown = { up: 'up', down: 'down' } as const;
export const onOff = { up: 'on', down: 'off' } as const;

/** `show interfaces [status]` of Cisco and its likes; err-disabled is the device's own doing. */
export const ciscoWords = {
  ...upDown,
  'administratively down': 'shut',
  connected: 'up',
  notconnect: 'dark',
  disabled: 'shut',
  'err-disabled': 'down',
  inactive: 'down',
} as const;

/** Linux `operstate` (kernel, operstates.rst). UNKNOWN is what it says of a driver that tells nothing. */
export const linuxWords: LinkWords = {
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
