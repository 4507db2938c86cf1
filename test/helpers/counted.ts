/** Work is counted, never timed: how long it takes says more of what else the machine has to do. */

/** How often a method is called, on any object that has it from this prototype, while `work` goes on; `weigh` counts otherwise. */
export const callsOf = <T extends object, K extends keyof T>(
  prototype: T,
  name: K,
  work: () => void,
  weigh: (result: unknown, self: unknown) => number = () => 1,
): number => {
  const method: unknown = prototype[name];
  if (typeof method !== 'function') throw new Error(`${String(name)} is no method`);
  let count = 0;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(method, this, args);
      count += weigh(result, this);
      return result;
    },
  });
  try {
    work();
  } finally {
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: method });
  }
  return count;
};

/** The same object, and how many of its fields were read so far. */
export const watched = <T extends object>(value: T, read: () => void): T =>
  new Proxy(value, {
    get(target, name, receiver): unknown {
      read();
      return Reflect.get(target, name, receiver);
    },
  });
