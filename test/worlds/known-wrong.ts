/**
 * Situations that are not right yet, each with the reason: the run fails on any other that is not right, and on one of these that is.
 */
export const knownWrong: Readonly<Record<string, string>> = {
  mtu_mismatch_eos: 'giants without damage are no finding',
  just_up: 'a link is judged in the first minute after it came up',
  flapping: 'how often a link went down is not read',
};
