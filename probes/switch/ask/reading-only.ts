import { commonErrors, commonPager, type Platform } from '../platform.ts';

const readingOnly = 'this platform is read only here: its shutdown was never tried on a real device';

/** A command line that is only read. */
const reads = (
  id: string,
  title: string,
  pagerOff: readonly string[],
  ask: Platform['ask'],
  prompt = '[A-Za-z0-9][A-Za-z0-9._:@-]*(?:\\([A-Za-z0-9/:. -]+\\))?[>#]\\s*$',
): Platform => ({
  id,
  title,
  via: 'cli',
  dialect: { prompt, pagerOff, pager: commonPager, errors: commonErrors },
  machineReadable: false,
  ask,
  nameOf: () => undefined,
  readingOnly,
});

const cisco: Platform['ask'] = {
  counters: ['show interfaces'],
  lags: ['show etherchannel summary'],
  neighbors: ['show lldp neighbors detail'],
  optics: { all: ['show interfaces transceiver detail'] },
};

/** Platforms of which only the readings are known (captures exist), one line each. */
export const readingOnlyAsk: readonly Platform[] = [
  reads('cisco_ios', 'Cisco IOS', ['terminal length 0'], cisco),
  reads(
    'cisco_xr',
    'Cisco IOS XR',
    ['terminal length 0'],
    { counters: ['show interfaces'], neighbors: ['show lldp neighbors detail'] },
    '(?:RP/\\S+:)?[A-Za-z0-9][A-Za-z0-9._-]*[>#]\\s*$',
  ),
  reads(
    'hpe_comware',
    'HPE Comware',
    ['screen-length disable'],
    {
      counters: ['display interface'],
      lags: ['display link-aggregation verbose'],
      neighbors: ['display lldp neighbor-information list'],
      optics: { all: ['display transceiver diagnosis interface'] },
    },
    '(?:<[^<>]+>|\\[[^\\[\\]]+\\])\\s*$',
  ),
  reads('hpe_procurve', 'HPE ProCurve', ['no page'], {
    counters: ['show interfaces'],
    lags: ['show trunks'],
  }),
  reads('aruba_aoscx', 'Aruba AOS-CX', ['no page'], {
    counters: ['show interface'],
    lags: ['show lacp interfaces'],
    neighbors: ['show lldp neighbor-info detail'],
    optics: { all: ['show interface dom detail'] },
  }),
  reads(
    'extreme_exos',
    'Extreme EXOS',
    ['disable clipaging'],
    { counters: ['show ports rxerrors no-refresh'], lags: ['show sharing'] },
    '(?:\\* )?[A-Za-z0-9._()-]+\\.\\d+ [>#]\\s*$',
  ),
  reads('extreme_ironware', 'Extreme IronWare', ['skip-page-display'], {
    optics: { all: ['show optic'] },
  }),
  reads(
    'huawei_vrp',
    'Huawei VRP',
    ['screen-length 0 temporary'],
    { counters: ['display interface'], lags: ['display eth-trunk'] },
    '(?:<[^<>]+>|\\[[^\\[\\]]+\\])\\s*$',
  ),
  reads('brocade_fastiron', 'Brocade FastIron', ['skip-page-display'], { counters: ['show interfaces'] }),
  reads('broadcom_icos', 'Broadcom ICOS', ['terminal length 0'], {
    neighbors: ['show lldp remote-device all'],
  }),
];
