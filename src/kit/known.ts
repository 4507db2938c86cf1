type Known<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object of what is known: entries that are undefined are left out, as exactOptionalPropertyTypes wants it. */
export const dropUndefined = <T extends object>(entries: T): Known<T> => {
  const kept: Partial<Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) kept[name] = value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same entries, without those that are undefined
  return kept as Known<T>;
};
