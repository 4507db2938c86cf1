/** A line about what failed, in parts: a place with little room shows the first, one that names the host beside it leaves it out. */
export interface Said {
  what: string;
  /** Stands behind it in parentheses. */
  detail?: string;
  /** What would be right, or comes next: stands behind a semicolon. */
  next?: string;
}

/** `what (detail)`. */
export const claimOf = ({ what, detail }: Said): string =>
  detail === undefined ? what : `${what} (${detail})`;

/** `what (detail); next`. */
export const lineOf = (said: Said): string =>
  said.next === undefined ? claimOf(said) : `${claimOf(said)}; ${said.next}`;

/** The line, with the host it is about in front. */
export const messageOn = (host: string, said: Said): string => `${host}: ${lineOf(said)}`;

/** With one thing more that comes next. */
export const addNext = (said: Said, next: string): Said => ({
  ...said,
  next: said.next === undefined ? next : `${said.next}; ${next}`,
});

/** A message without the host it begins with. */
export const reasonOf = ({ message, said }: { message: string; said?: Said }): string =>
  said ? lineOf(said) : message;

/** A tool's own words: what stands behind a semicolon or in parentheses at the end is the first to go where there is little room. */
export const splitLine = (words: string): Said => {
  const [, what = words, detail, next] = /^([^]*?)(?: \(([^()]*)\))?(?:; ([^]*))?$/.exec(words) ?? [];
  return { what, ...(detail !== undefined && { detail }), ...(next !== undefined && { next }) };
};
