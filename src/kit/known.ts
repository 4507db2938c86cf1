type Known<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * An object of what is known: entries that are undefined are left out, as exactOptionalPropertyTypes wants it. Without a list of pairs: rows
 * of thousands of ports and nodes pass here.
 */
export const dropUndefined = <T extends object>(entries: T): Known<T> => {
  const kept: Partial<Record<string, unknown>> = {};
  for (const name in entries) {
    const value: unknown = entries[name];
    if (value !== undefined) kept[name] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same entries, without those that are undefined
  return kept as Known<T>;
};
