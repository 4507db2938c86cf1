/** Words that stand in a description together. */
type Words = readonly RegExp[];

/**
 * What devices say of themselves, in LLDP's system description (which is SNMP's sysDescr) and in `show version`, by the platform that it
 * stands for. From descriptions in captures and in the vendors' manuals; the first that fits counts, so that NX-OS goes before IOS and
 * OS10 before FTOS. What fits none is not guessed.
 */
const known: readonly (readonly [platform: string, ...ways: readonly Words[]])[] = [
  ['arista_eos', [/\bArista Networks EOS\b/], [/\bArista (?:[DC]CS-|c?v?EOS)/]],
  ['cisco_nxos', [/\bNexus Operating System\b/], [/\bNX-OS\b/]],
  ['cisco_xr', [/\bIOS[ -]XR\b/]],
  [
    'cisco_ios',
    [/\bCisco IOS Software\b/],
    [/\bIOS-XE Software\b/],
    [/\bCisco Internetwork Operating System\b/],
  ],
  ['dell_os10', [/\bOS10\b/]],
  ['dell_ftos', [/\bForce10\b/], [/\bDell Real Time Operating System\b/], [/\bFTOS\b/]],
  ['juniper_junos', [/\bJunos\b/i], [/\bJuniper Networks, Inc\./]],
  ['mellanox_onyx', [/\bOnyx\b/i], [/\bMLNX-OS\b/]],
  ['cumulus', [/\bCumulus Linux\b/]],
  ['sonic', [/\bSONiC\b/]],
  ['huawei_vrp', [/\bVersatile Routing Platform\b/]],
  ['hpe_comware', [/\bComware\b/]],
  // Its releases are numbered 10.x behind two letters for the hardware: `FL.10.06.0110`.
  ['aruba_aoscx', [/\b(?:AOS|ArubaOS)-CX\b/], [/\bAruba\b/, /\b[A-Z]{2}\.10\.\d{2}\./]],
  // `HP J9773A 2530-24G-PoEP Switch, revision YA.16.02.0012`
  ['hpe_procurve', [/\bProCurve\b/], [/\b(?:HP|HPE|Aruba) J\d{4}[A-Z]\b/, /\brevision [A-Z]{1,2}\.\d/]],
  ['extreme_exos', [/\bExtremeXOS\b/], [/\bSwitch Engine\b/]],
  // IronWare runs on routers (MLX, NetIron) and on switches (ICX, FCX, FastIron), which print differently.
  ['brocade_fastiron', [/\bIronWare\b/i, /\b(?:ICX|FCX|FastIron)/]],
  ['extreme_ironware', [/\bIronWare\b/i]],
  ['broadcom_icos', [/\bICOS\b/]],
];

/** More is no description: only this much of a text is looked at. */
const LONGEST = 4000;

/** The platform that a device's own words stand for; undefined where they fit none. */
export const platformIn = (text: string): string | undefined => {
  const head = text.slice(0, LONGEST);
  return known.find(([, ...ways]) => ways.some((words) => words.every((word) => word.test(head))))?.[0];
};

/** A host with a general Linux (`Debian GNU/Linux 12 (bookworm) Linux 6.1.0-18-amd64 #1 SMP ...`): no device to be asked. */
export const isLinuxHost = (text: string): boolean =>
  platformIn(text) === undefined && /\bLinux \d+\.\d+/.test(text.slice(0, LONGEST));
