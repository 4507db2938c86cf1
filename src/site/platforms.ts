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

/** How operators call them. */
export const platformWords: Readonly<Record<(typeof platforms)[number], string>> = {
  linux: 'any Linux host; what is not said is this',
  cumulus: 'NVIDIA Cumulus Linux',
  arista_eos: 'Arista EOS',
  aruba_aoscx: 'Aruba AOS-CX',
  broadcom_icos: 'Broadcom ICOS',
  brocade_fastiron: 'Brocade FastIron (Ruckus ICX)',
  cisco_ios: 'Cisco IOS and IOS XE',
  cisco_nxos: 'Cisco NX-OS',
  cisco_xr: 'Cisco IOS XR',
  dell_ftos: 'Dell (Force10) FTOS, OS9',
  dell_os10: 'Dell OS10',
  extreme_exos: 'Extreme EXOS',
  extreme_ironware: 'Extreme (Brocade) IronWare',
  hpe_comware: 'HPE Comware',
  hpe_procurve: 'HPE ProCurve, ArubaOS-Switch',
  huawei_vrp: 'Huawei VRP',
  infiniband: 'an InfiniBand fabric, asked from a host with infiniband-diags',
  juniper_junos: 'Juniper Junos',
  mellanox_onyx: 'NVIDIA (Mellanox) Onyx',
  sonic: 'SONiC',
};
