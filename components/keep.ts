/**
 * Makes a value once for each object and keeps it as long as the object lives; another one is made when the key is another
 * than last time.
 */
export const memoPerObject = <Of extends object, Args extends unknown[], Value>(
  make: (of: Of, ...args: Args) => Value,
  keyOf: (of: Of, ...args: Args) => unknown = () => undefined,
): ((of: Of, ...args: Args) => Value) => {
  const kept = new WeakMap<Of, { key: unknown; value: Value }>();
  return (of, ...args) => {
    const key = keyOf(of, ...args);
    const known = kept.get(of);
    if (known?.key === key && known) return known.value;
    const value = make(of, ...args);
    kept.set(of, { key, value });
    return value;
  };
};
