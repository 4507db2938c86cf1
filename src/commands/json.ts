declare global {
  interface JSON {
    /** Text that `stringify` writes as it is (Node 22 and later; TypeScript's own library has no type for it yet). */
    rawJSON(text: string): object;
  }
}

const exact = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;

/** One JSON document; big integers are written unquoted with all their digits. */
export const jsonText = (value: unknown, indent = 0): string => JSON.stringify(value, exact, indent);
