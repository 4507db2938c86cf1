/** A document as `faultline parse` prints it: 64-bit numbers with all their digits. */
export const exactJson = (document: unknown): string =>
  `${JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value), 1)}\n`;
