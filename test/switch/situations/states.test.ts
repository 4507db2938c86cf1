import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import type { Lane } from '../../../probes/switch/readings.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import type { Point } from '../../../src/model/reading.ts';
import { answerOf } from '../../helpers/answer.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const counted = `     1000 packets input, 100000 bytes, 0 no buffer
     0 input errors, 0 CRC, 0 frame, 0 overrun, 0 ignored
     2000 packets output, 200000 bytes, 0 underruns
`;
const cisco = (name: string, words: string): string => `${name} ${words}
  Description: to be (err-disabled) next week
  MTU 1500 bytes, BW 10000000 Kbit/sec, DLY 10 usec,
  Full-duplex, 10Gb/s, link type is auto, media type is 10GBase-SR
${counted}`;
const comware = (name: string, state: string): string => `${name}
Current state: ${state}
Line protocol state: DOWN
Description: ${name} Interface
10Gbps-speed mode, full-duplex mode
Last link flapping: 0 hours 5 minutes 11 seconds
 Input (total):  1000 packets, 64000 bytes
 Input:  0 input errors, 0 runts, 0 giants, 0 throttles
         0 CRC, 0 frame, - overruns, 0 aborts
 Output (total): 2000 packets, 128000 bytes
`;
const huawei = (
  name: string,
  state: string,
  since = '2026-11-20 01:00:00',
): string => `${name} current state : ${state}
Line protocol current state : DOWN
Speed : 10000, Loopback: NONE
Duplex: FULL, Negotiation: DISABLE
Last physical up time   : 2020-02-08 16:30:16
Last physical down time : ${since}
Current system time: 2026-11-20 02:00:00
Input:  1000 packets, 10000 bytes
  CRC:                    0,  Giants:               0
Output:  1000 packets, 10000 bytes
`;

interface Night {
  platform: string;
  text: string;
  /** The site file names the cable of the first port. */
  cable?: string;
  history?: Readonly<Record<string, readonly Point[]>>;
  lanes?: readonly Lane[];
}

const judged = ({ platform, text, cable, history = {}, lanes = [] }: Night) => {
  const site = siteOf(
    [
      { name: 'sw', roles: ['switch'], platform },
      { name: 'peer', roles: ['switch'], platform },
    ],
    cable === undefined ? {} : { links: [{ from: cable, to: 'peer:te1/0/48' }] },
  );
  const host = site.host('sw');
  if (!host) throw new Error('no host');
  const readings = new Sources();
  for (const at of [start, start + 60_000])
    readings.good('switch.screens', 'sw', readCounters(answerOf(text), host, site).value, at, 20, 3);
  if (lanes.length > 0) readings.good('switch.optics', 'sw', { lanes }, start + 60_000);
  const judgement = judgementOf({ readings, site, now: start + 60_000, history: historyOf(history) });
  return findings(judgement).map(
    ({ kind, severity, subject: { id }, summary, suspects = [] }) =>
      `${severity} ${kind} ${id}: ${summary} [${suspects.map(({ cause }) => cause).join(' ')}]`,
  );
};

const limits = { alarmHigh: 2, warnHigh: 0, warnLow: -9, alarmLow: -11 };

describe('a port that is down: who took it down', () => {
  it.each<[string, Night, RegExp]>([
    [
      'IOS err-disables',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is down, line protocol is down (err-disabled)'),
      },
      /^warning taken-down sw:te1\/0\/3: sw te1\/0\/3: taken down by the switch itself: err-disabled/,
    ],
    [
      'XR',
      { platform: 'cisco_xr', text: cisco('TenGigE0/0/0/3', 'is error disabled, line protocol is down') },
      /^warning taken-down sw:te0\/0\/0\/3/,
    ],
    [
      'Comware by spanning tree',
      { platform: 'hpe_comware', text: comware('Ten-GigabitEthernet1/0/3', 'STP DOWN') },
      /^warning taken-down .*: STP DOWN/,
    ],
    [
      'Comware by BPDU, of a cable of the site file',
      {
        platform: 'hpe_comware',
        text: comware('Ten-GigabitEthernet1/0/3', 'DOWN ( BPDU-protected )'),
        cable: 'sw:te1/0/3',
      },
      /^warning taken-down .*: BPDU-protected/,
    ],
    [
      'VRP for a flapping link, an hour ago',
      { platform: 'huawei_vrp', text: huawei('XGigabitEthernet0/0/3', 'ERROR DOWN(link-flap)') },
      /^warning taken-down sw:te0\/0\/3.*: link-flap/,
    ],
    [
      'two ports for one reason are one finding',
      {
        platform: 'cisco_ios',
        text: ['3', '4']
          .map((one) =>
            cisco(`TenGigabitEthernet1/0/${one}`, 'is down, line protocol is down (err-disabled)'),
          )
          .join(''),
      },
      /^warning taken-down .*sw te1\/0\/3 and 1 more port/,
    ],
    [
      'an interface of which the LAG is down follows from that',
      {
        platform: 'hpe_comware',
        text: comware('Ten-GigabitEthernet1/0/3', 'DOWN ( Link-Aggregation interface down )'),
      },
      /^notice taken-down/,
    ],
    [
      'long ago, and nobody is known to use it',
      {
        platform: 'huawei_vrp',
        text: huawei('XGigabitEthernet0/0/3', 'ERROR DOWN(bpdu-protection)', '2026-10-01 01:00:00'),
      },
      /^notice taken-down/,
    ],
    [
      'no light, with the module that says so',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is down, line protocol is down (notconnect)'),
        cable: 'sw:te1/0/3',
        lanes: [{ port: 'te1/0/3', rxDbm: -36, txDbm: -2.1, rxLimits: limits, txLimits: limits }],
      },
      /^warning link-down sw:te1\/0\/3: .* \[down light-lost\]/,
    ],
    [
      'its own laser is dead',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is down, line protocol is down (notconnect)'),
        cable: 'sw:te1/0/3',
        lanes: [{ port: 'te1/0/3', rxDbm: -3, txDbm: -33, rxLimits: limits, txLimits: limits }],
      },
      /^warning link-down .* \[down transmitter\]/,
    ],
  ])('%s', (_, night, expected) => {
    const found = judged(night);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });

  it.each<[string, Night]>([
    [
      'IOS shut by a person',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is administratively down, line protocol is down (disabled)'),
        cable: 'sw:te1/0/3',
      },
    ],
    [
      'IOS up; its description speaks of err-disabled',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is up, line protocol is up (connected)'),
      },
    ],
    [
      'IOS empty port',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is down, line protocol is down (notconnect)'),
      },
    ],
    [
      'IOS mirror port',
      {
        platform: 'cisco_ios',
        text: cisco('TenGigabitEthernet1/0/3', 'is up, line protocol is down (monitoring)'),
      },
    ],
    [
      'Comware shut by a person, both spellings',
      {
        platform: 'hpe_comware',
        text:
          comware('Ten-GigabitEthernet1/0/3', 'DOWN ( Administratively )') +
          comware('Ten-GigabitEthernet1/0/4', 'Administratively DOWN'),
      },
    ],
    [
      'Comware, dark, with a description that looks like a state',
      {
        platform: 'hpe_comware',
        text: comware('Ten-GigabitEthernet1/0/3', 'DOWN').replace(
          /^Description: .*$/m,
          'Description: current state: DOWN (loop)',
        ),
      },
    ],
    [
      'FTOS, dark, with a description that looks like a heading',
      {
        platform: 'dell_ftos',
        text: cisco('TenGigabitEthernet 0/3', 'is down, line protocol is down').replace(
          /^ *Description: .*$/m,
          'Description: is down (errors)',
        ),
      },
    ],
    [
      'VRP shut by a person',
      { platform: 'huawei_vrp', text: huawei('XGigabitEthernet0/0/3', 'Administratively DOWN') },
    ],
    [
      'XR shut by a person',
      {
        platform: 'cisco_xr',
        text: cisco('TenGigE0/0/0/3', 'is administratively down, line protocol is administratively down'),
      },
    ],
  ])('silent: %s', (_, night) => {
    expect(judged(night)).toEqual([]);
  });
});
