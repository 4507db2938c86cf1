/** A release as numbers: `2.12.9` is `[2, 12, 9]`. */
export type Version = readonly number[];

/** `2.12.9` from `version=2.12.9` or from the first line of 2.5's `lustre: 2.5.3.90`; undefined when none stands there. */
export const parseVersion = (text: string | undefined): string | undefined =>
  /(?<!\d)\d+\.\d+(?:\.\d+)*/.exec(text ?? '')?.[0];

const versionOf = (text: string): Version => text.split('.').map(Number);

/** Whether `version` is this release or a later one. */
export const atLeast = (version: string, release: string): boolean => {
  const [have, want] = [versionOf(version), versionOf(release)];
  for (const [index, part] of want.entries()) {
    const own = have[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
};

/** `2.7` for the screen. */
export const shortVersion = (version: string): string => versionOf(version).slice(0, 2).join('.');
