/** Whether two values of plain data are equal: objects, arrays, strings, numbers, bigints. Absent and undefined are the same. */
export const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Number.isNaN(a) && Number.isNaN(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]))
    );
  }
  return sameFields(a, b);
};

const sameFields = (a: object, b: object): boolean => {
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const key in a) if (!same(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && b[key] !== undefined) return false;
  return true;
};

const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value);
