/** What a host may be: `linux`, `cumulus` and the network devices whose output the parsers know. */
export const platforms = [
  'linux',
  'cumulus',
  'arista_eos',
  'aruba_aoscx',
  'broadcom_icos',
  'brocade_fastiron',
  'cisco_ios',
  'cisco_nxos',
  'cisco_xr',
  'dell_ftos',
  'dell_os10',
  'extreme_exos',
  'extreme_ironware',
  'hpe_comware',
  'hpe_procurve',
  'huawei_vrp',
  'infiniband',
  'juniper_junos',
  'mellanox_onyx',
  'sonic',
] as const;

/** The platform that people call so: `cisco-nxos`, `nxos`; undefined where it is none, or more than one. */
export const nameOfPlatform = (text: string): (typeof platforms)[number] | undefined => {
  const word = text.toLowerCase().replaceAll(/[-. ]/g, '_');
  const exact = platforms.find((one) => one === word);
  const [only, ...others] = platforms.filter((one) => one.endsWith(`_${word}`));
  return exact ?? (others.length === 0 ? only : undefined);
};
