/** Words and letters for a member that carries traffic: P (bundled in the LAG) of Cisco and EOS, S of SONiC, Bundle of FTOS. */
const active = /^(?:up|ps?g?\+?|s|bundle[d]?|in[ -]?sync|selected|active|collecting distributing|\(?up\)?)$/i;
const inactive =
  /^(?:down|d|g-|i|h|r|u|w|m|f|suspended|individual|hot-standby|standby|unselected|unbundled|not in bundle|detached|inactive|.*wait.*)$/i;

/** Whether a member carries traffic by the device's own word for its state; undefined: a word not known here. */
export const isActive = (state: string | undefined): boolean | undefined => {
  const word = state?.trim().replace(/^\((.*)\)$/, '$1') ?? '';
  return active.test(word) ? true : inactive.test(word) ? false : undefined;
};
