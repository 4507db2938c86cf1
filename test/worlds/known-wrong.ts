/**
 * Situations that are not right yet, each with the reason: the run fails on any other that is not right, and on one of these that is.
 * `name: 'why'`.
 */
export const knownWrong: Readonly<Record<string, string>> = {};
