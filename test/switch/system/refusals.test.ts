import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/model/action.ts';
import {
  deviceRefusals,
  ibportstateRefusals,
  journalRefusals,
  shellSwitchRefusals,
} from '../../../probes/switch/act/refusals.ts';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { changeOf } from '../../../probes/switch/platforms/shut.ts';
import { ended, provedBy } from '../../helpers/refusing.ts';

const typed = (lines: readonly string[], at: string, words: string) => {
  const step: Step = { host: 'sw', lines, dialect: { prompt: '#', pagerOff: [], errors: [] } };
  return provedBy(deviceRefusals(lines), ended(1, `${at}: ${words}\n`), step);
};

const ftos = ['configure', 'interface tengigabitethernet 3/46', 'shutdown', 'end'];

describe('words of device command lines', () => {
  it.each([
    '% Error: Invalid input at "^" marker.',
    "% Invalid input detected at '^' marker.",
    "% Invalid command at '^' marker.",
    '% Incomplete command.',
    '% Invalid input',
    '% Permission denied for the role',
    '% Authorization failed',
    "% Authorization denied for command 'shutdown'",
    'unknown command.',
    'error: configuration database modified',
    'error: permission denied: shutdown',
  ])('%j: the port was not touched', (words) => {
    expect(typed(ftos, 'shutdown', words)).toBe('nothing done');
    expect(typed(ftos, 'configure', words)).toBe('nothing done');
    expect(typed(ftos, 'end', words)).toBe('earlier lines done');
  });

  it.each([
    ['a word without a cause', '% Error'],
    ['a device that is busy', '% Error: Configuration is being saved, try again'],
    ['one engine of two', 'error: remote commit-configuration failed on re1'],
    ['another language', '% Ungültige Eingabe'],
    ['a line of the log', 'Error: %PORT-5-IF_DOWN: interface te3/46 is down'],
  ])('%s: %j proves nothing', (_, words) => {
    expect(typed(ftos, 'shutdown', words)).toBe('not known');
  });

  it('what is not committed yet is not done', () => {
    const junos = ['configure exclusive', 'set interfaces xe-0/0/1 disable', 'commit confirmed 2', 'exit'];
    expect(typed(junos, 'commit confirmed 2', 'error: configuration check-out failed')).toBe('nothing done');
    expect(typed(junos, 'exit', 'unknown command.')).toBe('earlier lines done');
    const eos = [
      'enable',
      'configure session faultline-1',
      'interface Ethernet1',
      'shutdown',
      'commit timer 00:02:00',
    ];
    expect(typed(eos, 'commit timer 00:02:00', '% Invalid input')).toBe('nothing done');
    expect(
      typed(['enable', 'configure', 'interface Ethernet1', 'shutdown', 'end'], 'end', '% Invalid input'),
    ).toBe('earlier lines done');
  });

  it('a line that shuts in one go is no mode', () => {
    const onyx = ['configure terminal', 'interface ethernet 1/1 shutdown', 'exit'];
    expect(typed(onyx, 'exit', '% Unrecognized command "exit".')).toBe('earlier lines done');
    expect(typed(onyx, 'interface ethernet 1/1 shutdown', '% Unrecognized command "shutdown".')).toBe(
      'nothing done',
    );
  });

  it('of every platform the line that takes effect is none of the harmless ones', () => {
    const ports = {
      dell_ftos: 'te3/46',
      dell_os10: 'eth1/1/1',
      cisco_nxos: 'eth1/1',
      arista_eos: 'eth1',
      mellanox_onyx: 'eth1/1',
      juniper_junos: 'xe-0/0/1',
    };
    for (const [id, port] of Object.entries(ports)) {
      const platform = platformOf(id);
      const change = platform && changeOf(platform, platform.nameOf(port) ?? '');
      if (!change) throw new Error(`${id} changes nothing`);
      for (const lines of [change.shut, change.restore])
        expect(typed(lines, lines.at(-1) ?? '', '% Invalid input'), lines.join(' / ')).toBe(
          'earlier lines done',
        );
    }
  });
});

describe('words of switches with a shell, of fabrics and of the journal', () => {
  it.each([
    [shellSwitchRefusals, 2, 'RTNETLINK answers: Operation not permitted', 'nothing done'],
    [shellSwitchRefusals, 1, 'Cannot find device "swp99"', 'nothing done'],
    [
      shellSwitchRefusals,
      2,
      'Usage: config interface shutdown [OPTIONS] <interface_name>\nTry "config interface shutdown -h" for help.\nError: Interface name is invalid. Please enter a valid interface name!!',
      'nothing done',
    ],
    [shellSwitchRefusals, 2, 'RTNETLINK answers: Device or resource busy', 'not known'],
    [shellSwitchRefusals, 1, 'could not connect to redis', 'not known'],
    [
      ibportstateRefusals,
      1,
      "ibportstate: iberror: failed: Failed to open '(null)' port '0'",
      'nothing done',
    ],
    [ibportstateRefusals, 1, 'ibportstate: iberror: failed: smp set portinfo failed', 'not known'],
    [ibportstateRefusals, 1, 'ibwarn: [12] mad_rpc_open_port: can’t open UMAD port', 'not known'],
    [
      journalRefusals,
      2,
      'faultline: 1: cannot create /var/lib/faultline/journal: Permission denied',
      'nothing done',
    ],
    [journalRefusals, 1, 'faultline: line 1: /srv/journal: Read-only file system', 'nothing done'],
    [journalRefusals, 1, 'faultline: 1: printf: I/O error', 'not known'],
    [journalRefusals, 1, 'date: not found', 'not known'],
  ])('%j exit %i %j: %s', (table, exit, text, proof) => {
    expect(provedBy(table, ended(exit, text))).toBe(proof);
  });
});
