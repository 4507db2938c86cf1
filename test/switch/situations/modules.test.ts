import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { lanesOf, readCounters } from '../../../probes/switch/read/read-answers.ts';
import type { Lane } from '../../../probes/switch/readings.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const site = siteOf(
  ['sw', 'peer'].map((name) => ({ name, roles: ['switch'], platform: 'cisco_ios' })),
  { links: [{ from: 'sw:te1/0/3', to: 'peer:te1/0/48' }] },
);

const counters = (port: string, state: string, crc: number, packets: number): string =>
  `TenGigabitEthernet${port} is ${state}
  MTU 1500 bytes, BW 10000000 Kbit/sec, DLY 10 usec,
  Full-duplex, 10Gb/s, link type is auto, media type is 10GBase-SR
     ${packets} packets input, 100000 bytes, 0 no buffer
     ${crc} input errors, ${crc} CRC, 0 frame, 0 overrun, 0 ignored
     2000 packets output, 200000 bytes, 0 underruns
`;

const up = 'up, line protocol is up (connected)';

/** What is found where a module says this; `bad` frames more at each reading. */
const judged = (lanes: readonly Lane[], { state = up, bad = 0 } = {}) => {
  const readings = new Sources();
  for (const [host, port] of [
    ['sw', '1/0/3'],
    ['peer', '1/0/48'],
  ] as const) {
    const known = site.host(host);
    if (!known) throw new Error(`no host ${host}`);
    for (const at of [0, 1, 2]) {
      const text = counters(
        port,
        host === 'sw' ? state : up,
        host === 'sw' ? bad * at : 0,
        100_000 * (at + 1),
      );
      readings.good(
        'switch.screens',
        host,
        readCounters(answerOf(text), known, site).value,
        start + at * 60_000,
        20,
        3,
      );
    }
  }
  readings.good('switch.optics', 'sw', { lanes }, start + 120_000);
  return findings(judgementOf({ readings, site, now: start + 120_000 })).map(
    ({ kind, severity, summary }) => `${severity} ${kind} ${summary}`,
  );
};

const limits = { alarmHigh: 2, warnHigh: 0, warnLow: -9, alarmLow: -11 };
const lane = (rxDbm: number, more: Partial<Lane> = {}): Lane => ({
  port: 'te1/0/3',
  rxDbm,
  txDbm: -2,
  rxLimits: limits,
  txLimits: limits,
  ...more,
});

describe('a link that is up and receives less light than its module wants', () => {
  it('is a notice while no frame is lost', () => {
    expect(judged([lane(-12.5)])).toEqual([
      "notice weak-light sw te1/0/3 receives -12.5 dBm from peer te1/0/48, below its module's alarm limit; no bad frames yet",
    ]);
  });

  it.each([
    ['only its warning limit is crossed', [lane(-10)], {}],
    ['its module has no limits', [lane(-12.5, { rxLimits: undefined })], {}],
    ['its limits were never written', [lane(-12.5, { rxLimits: { alarmHigh: 0, alarmLow: 0 } })], {}],
    ['the port is shut', [lane(-40)], { state: 'administratively down, line protocol is down (disabled)' }],
    ['a module in a port without a cable', [{ ...lane(-40), port: 'te1/0/9' }], {}],
  ])('nothing where %s', (_what, lanes, more) => expect(judged(lanes, more)).toEqual([]));

  it('bad frames are told with it, once', () => {
    expect(judged([lane(-12.5)], { bad: 3000 })).toEqual([
      expect.stringMatching(/^critical bad-link .*suspect/),
    ]);
  });
});

describe('a module that is too hot', () => {
  const tempLimits = { alarmHigh: 75, warnHigh: 70, warnLow: 0, alarmLow: -5 };
  const hot = (port: string, tempC: number): Lane => ({ port, tempC, tempLimits });

  it('is a warning for a device, with all of its hot ports; lanes of one module count once', () => {
    expect(judged([hot('te1/0/3', 78.2)])).toEqual([
      'warning module-hot sw te1/0/3 at 78 °C, above the alarm limit of its module',
    ]);
    const two = [1, 2].map((n): Lane => ({ ...hot('te1/0/4', 81), lane: n }));
    expect(judged([hot('te1/0/3', 78), ...two])).toEqual([
      'warning module-hot sw te1/0/4 at 81 °C, above the alarm limit of its module, 1 other port too',
    ]);
  });

  it('is read with its limit as devices print it', () => {
    const thresholds = { tempC: { alarmHigh: 75, alarmLow: -5 } };
    expect(lanesOf([{ port: 'x', tempC: 80, thresholds }], (port) => port)).toEqual([
      { port: 'x', tempC: 80, tempLimits: { alarmHigh: 75, alarmLow: -5 } },
    ]);
  });

  it.each([
    ['between its warning and its alarm', hot('te1/0/3', 72)],
    ['no limit', { port: 'te1/0/3', tempC: 90 }],
    ['limits that leave no room', { port: 'te1/0/3', tempC: 40, tempLimits: { alarmHigh: 0, alarmLow: 0 } }],
  ])('nothing: %s', (_what, one) => expect(judged([one])).toEqual([]));
});
