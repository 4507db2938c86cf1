import { describe, expect, it } from 'vitest';
import type { Lag } from '../../../probes/switch/links/lags.ts';
import { loadGap, loadOf, loadWithout } from '../../../probes/switch/links/loads.ts';
import { platformOf } from '../../../probes/switch/platforms/index.ts';
import { captureOf } from '../../../probes/switch/read/parse-capture.ts';
import { linesByPort } from '../../../probes/switch/read/port-lines.ts';
import { settingsOf } from '../../../probes/switch/read/port-settings.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

/** `show interface | json` of NX-OS: one line, the keys of NX-API. */
const nxos = (rows: readonly object[]): string =>
  JSON.stringify({ TABLE_interface: { ROW_interface: rows.length === 1 ? rows[0] : rows } });

const settingsTold = (platform: string, stdout: string) =>
  platformOf(platform)?.settingsIn?.(captureOf(stdout)) ?? settingsOf(linesByPort(captureOf(stdout)));

describe('the speed of an NX-OS port', () => {
  const speedOf = (eth_speed: unknown, more: object = {}) =>
    settingsTold('cisco_nxos', nxos([{ interface: 'Ethernet1/1', eth_speed, ...more }])).get('Ethernet1/1');

  it.each([
    ['10 Gb/s', 10_000],
    ['1000 Mb/s', 1000],
    ['2.5 Gb/s', 2500],
    ['400 Gb/s', 400_000],
  ])('%s', (text, mbps) => expect(speedOf(text)?.speedMbps).toBe(mbps));

  it.each(['auto-speed', 'auto', '', '10 Gb', '0 Gb/s', undefined])('%s is none', (text) =>
    expect(speedOf(text)?.speedMbps).toBeUndefined(),
  );

  it('is never what `bandwidth` was set to', () => {
    expect(speedOf('auto-speed', { eth_bw: '100000000' })?.speedMbps).toBeUndefined();
    const screen =
      'Ethernet1/1 is up\n  MTU 9216 bytes, BW 100000000 Kbit, DLY 10 usec\n  full-duplex, 10 Gb/s\n';
    expect(settingsTold('cisco_nxos', screen).get('Ethernet1/1')).toMatchObject({
      speedMbps: 10_000,
      duplex: 'full',
    });
    expect(settingsTold('cisco_ios', screen.replace(', 10 Gb/s', '')).get('Ethernet1/1')?.speedMbps).toBe(
      100_000,
    );
  });

  it('comes with the other settings, one port or many', () => {
    const row = {
      eth_speed: '25 Gb/s',
      eth_duplex: 'full',
      eth_mtu: '9216',
      eth_autoneg: 'off',
      eth_oper_fec_state: 'rs-fec',
    };
    const told = { speedMbps: 25_000, duplex: 'full', mtu: 9216, autoneg: false, fec: 'rs' };
    expect(
      settingsTold('cisco_nxos', nxos([{ interface: 'Ethernet1/1', ...row }])).get('Ethernet1/1'),
    ).toEqual(told);
    const two = settingsTold(
      'cisco_nxos',
      nxos([
        { interface: 'Ethernet1/1', ...row },
        { interface: 'Vlan1', eth_duplex: 'auto' },
      ]),
    );
    expect([two.get('Ethernet1/1'), two.get('Vlan1')]).toEqual([told, {}]);
  });
});

const site = siteOf([{ name: 'sonic1', roles: ['switch'], platform: 'sonic' }]);
const host = site.host('sonic1');
if (!host) throw new Error('no host');

/** `portstat -a -j`. */
const portstat = (util: Readonly<Record<string, readonly [rx: string, tx: string]>>): string =>
  `Last cached time was 2026-11-20T09:12:33\n${JSON.stringify(
    Object.fromEntries(
      Object.entries(util).map(([port, [rx, tx]]) => [
        port,
        { STATE: 'U', RX_OK: '1,204', RX_BPS: '28.00 MB/s', RX_UTIL: rx, TX_OK: '900', TX_UTIL: tx },
      ]),
    ),
    null,
    4,
  )}\n`;

describe('the load of a SONiC port', () => {
  const lag: Lag = {
    host: 'sonic1',
    lag: 'po10',
    at: start,
    fresh: true,
    members: ['eth0', 'eth4', 'eth8'].map((port) => ({ port, active: true })),
  };
  const live = (util: Parameters<typeof portstat>[0]) => {
    const readings = new Sources();
    readings.good('switch.counters', 'sonic1', readCounters(answerOf(portstat(util)), host, site).value);
    return judgementOf({ readings, site });
  };

  it('is what the device tells of its speed, in the busier direction', () => {
    const busy = live({
      Ethernet0: ['2.25%', '1.00%'],
      Ethernet4: ['10.00%', '61.50%'],
      Ethernet8: ['0.00%', '0.00%'],
    });
    expect(['eth0', 'eth4', 'eth8'].map((port) => loadOf(busy, 'sonic1', port))).toEqual([0.0225, 0.615, 0]);
    expect(loadWithout(busy, lag, 'eth0')).toBeCloseTo(0.615 + 0.0225 / 2);
    expect(loadGap(busy, lag)).toBeUndefined();
  });

  it.each(['N/A', '', '%', '-1%', '2.24', 'high'])(
    '%s is none, and the refusal says what to look at',
    (cell) => {
      const blind = live({
        Ethernet0: ['2.25%', cell],
        Ethernet4: ['10.00%', '1.00%'],
        Ethernet8: ['0.00%', '0.00%'],
      });
      expect(loadWithout(blind, lag, 'eth4')).toBeUndefined();
      expect(loadGap(blind, lag)).toEqual({
        text: 'sonic1 reports no load of eth0: portstat prints no RX_UTIL and TX_UTIL there; see that counterpoll show names PORT_STAT enabled',
        once: false,
      });
    },
  );

  it('is nothing that other platforms print', () => {
    expect(platformOf('cisco_nxos')?.loadsIn).toBeUndefined();
  });
});
