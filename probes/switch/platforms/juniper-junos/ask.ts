import type { PlatformAsk } from '../contracts.ts';
import { verbatim } from '../shared/command-lines.ts';

/**
 * Entering and leaving: `exit` from configuration mode leaves nothing behind when nothing is uncommitted. `configure exclusive` refuses
 * when somebody else has changes open (`error: configuration database modified`), and what is uncommitted is dropped when the session ends.
 */
export const configured = (...lines: readonly string[]): readonly string[] => [
  'configure exclusive',
  ...lines,
  'exit',
];

/** Junos: XML. */
export const junosAsk: PlatformAsk = {
  id: 'juniper_junos',
  title: 'Junos',
  via: 'cli',
  dialect: {
    prompt: '(?:\\{[a-z0-9:]+\\}\\s*)?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+[>#]\\s*$',
    pagerOff: ['set cli screen-length 0', 'set cli screen-width 511'],
    errors: ['^error:', '^syntax error', 'unknown command', 'missing argument', '^\\s*\\^\\s*$'],
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces extensive | display xml | no-more'],
    lags: ['show lacp interfaces | display xml | no-more'],
    neighbors: ['show lldp neighbors | display xml | no-more'],
    optics: { all: ['show interfaces diagnostics optics | display xml | no-more'] },
  },
  minLinks: ['show interfaces ae* | match "Physical interface|Minimum links" | no-more'],
  chassis: () => ['show interfaces mc-ae | no-more'],
  // Releases without the mark `rollback pending` tell by the age of the newest commit, for which the device's own clock is needed.
  commits: ['show system commit | display xml | no-more', 'show system uptime | display xml | no-more'],
  tryConfigure: configured(),
  nameOf: verbatim(/^(?:ge|xe|et)-\d+\/\d+\/\d+(?::\d+)?$/),
  restore: (name) => configured(`delete interfaces ${name} disable`, 'commit comment faultline'),
  shutLasts: 'restart',
};
