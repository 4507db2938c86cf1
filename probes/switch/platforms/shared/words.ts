import type { LinkWords } from '../../read/link-words.ts';

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
