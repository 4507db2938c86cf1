/** What a member does in its LAG. Only `working` carries traffic of it. */
export const standings = [
  'working',
  'down',
  'suspended',
  'individual',
  'standby',
  'unselected',
  'negotiating',
  'unfit',
  'removed',
] as const;
export type Standing = (typeof standings)[number];

/** A platform's words for what a member does, letter for letter; a function where they are put together of flags. */
export type MemberWords = Readonly<Record<string, Standing>> | ((state: string) => Standing | undefined);

/**
 * What a member does by the word of its own platform: `s` is suspended on NX-OS and EOS where `S` is selected on SONiC. Undefined: the
 * platform does not name the word, and no guard counts such a member as working.
 */
export const standingOfState = (words: MemberWords, state: string | undefined): Standing | undefined => {
  if (state === undefined) return undefined;
  if (typeof words === 'function') return words(state);
  return Object.hasOwn(words, state) ? words[state] : undefined;
};

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
export const isLacp = (protocol: string | undefined): boolean => protocol !== undefined && lacp.has(protocol);
