import type { PlatformReaders } from '../parse-capture.ts';
import { aristaEos } from './arista-eos.ts';
import { arubaAoscx } from './aruba-aoscx.ts';
import { broadcomIcos } from './broadcom-icos.ts';
import { brocadeFastiron } from './brocade-fastiron.ts';
import { ciscoXr } from './cisco-xr.ts';
import { ciscoIos, ciscoNxos } from './cisco.ts';
import { cumulus, linux } from './cumulus.ts';
import { dellFtos } from './dell-ftos.ts';
import { dellOs10 } from './dell-os10.ts';
import { extremeExos, extremeIronware } from './extreme.ts';
import { hpeComware } from './hpe-comware.ts';
import { hpeProcurve } from './hpe-procurve.ts';
import { huaweiVrp } from './huawei-vrp.ts';
import { infiniband } from './infiniband.ts';
import { juniperJunos } from './juniper-junos.ts';
import { mellanoxOnyx } from './mellanox-onyx.ts';
import { sonic } from './sonic.ts';

/** What each platform's outputs are read by; names as in the site file. */
export const platformReaders: ReadonlyMap<string, PlatformReaders> = new Map<string, PlatformReaders>([
  ['arista_eos', aristaEos],
  ['aruba_aoscx', arubaAoscx],
  ['broadcom_icos', broadcomIcos],
  ['brocade_fastiron', brocadeFastiron],
  ['cisco_ios', ciscoIos],
  ['cisco_nxos', ciscoNxos],
  ['cisco_xr', ciscoXr],
  ['cumulus', cumulus],
  ['dell_ftos', dellFtos],
  ['dell_os10', dellOs10],
  ['extreme_exos', extremeExos],
  ['extreme_ironware', extremeIronware],
  ['hpe_comware', hpeComware],
  ['hpe_procurve', hpeProcurve],
  ['huawei_vrp', huaweiVrp],
  ['infiniband', infiniband],
  ['juniper_junos', juniperJunos],
  ['linux', linux],
  ['mellanox_onyx', mellanoxOnyx],
  ['sonic', sonic],
]);
