/** Words for a LAG that uses LACP, as the platforms print them; PAgP and `static` are none. */
const lacp: ReadonlySet<string> = new Set([
  'LACP',
  'lacp',
  'DT-LACP',
  'DYNAMIC',
  'Dynamic',
  'IEEE 802.3ad Dynamic link aggregation',
]);

/** Whether a LAG's own word says that it uses LACP: then the far side is told when a member goes. */
export const usesLacp = (protocol: string | undefined): boolean =>
  protocol !== undefined && lacp.has(protocol);

/**
 * LAGs that the device shows to use LACP in a way that no column holds: the `L` in front of a FTOS port-channel (`L - LACP
 * Port-channel`), and Junos' `show lacp interfaces`, which lists no others. Gives whether a LAG (as printed) is one.
 */
export const lacpMarks = (platform: string, stdout: string): ((lag: string) => boolean) => {
  if (platform === 'juniper_junos') return () => true;
  if (platform !== 'dell_ftos') return () => false;
  const marked = new Set([...stdout.matchAll(/^\s*L\s+(\d+)\s+L\d/gm)].map(([, number]) => number));
  return (lag) => marked.has(/\d+$/.exec(lag)?.[0]);
};
