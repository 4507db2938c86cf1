/** A reason as a group key: lower case, blanks collapsed, digits and hex runs as `#`. */
export const groupKey = (reason: string): string =>
  reason
    .toLowerCase()
    .replace(/\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{2,}\b|\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
