/** What is due when: a heap by time. An entry counts only while its item still says the same time, so that moving is adding. */
export interface Agenda<T extends { nextAt: number }> {
  /** After `item.nextAt` was set. */
  add(item: T): void;
  /** The next item that is due, taken out. */
  take(now: number): T | undefined;
  /** When the next one is due; Infinity when nothing is. */
  next(): number;
}

interface Entry<T> {
  at: number;
  item: T;
}

/** A binary heap: 10,000 hosts cost 14 steps a poll. */
export const createAgenda = <T extends { nextAt: number }>(): Agenda<T> => {
  const heap: Entry<T>[] = [];
  const pop = (): void => {
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    sink(heap);
  };
  const dropMoved = (): Entry<T> | undefined => {
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (top.at === top.item.nextAt) return top;
      pop();
    }
    return undefined;
  };
  return {
    add: (item) => {
      if (item.nextAt === Infinity) return;
      heap.push({ at: item.nextAt, item });
      rise(heap);
    },
    take: (now) => {
      const top = dropMoved();
      if (!top || top.at > now) return undefined;
      pop();
      return top.item;
    },
    next: () => dropMoved()?.at ?? Infinity,
  };
};

const swap = <T>(heap: Entry<T>[], a: number, b: number): boolean => {
  const [upper, lower] = [heap[a], heap[b]];
  if (!upper || !lower || upper.at <= lower.at) return false;
  heap[a] = lower;
  heap[b] = upper;
  return true;
};

const rise = <T>(heap: Entry<T>[]): void => {
  for (let at = heap.length - 1; at > 0 && swap(heap, (at - 1) >> 1, at); at = (at - 1) >> 1);
};

const sink = <T>(heap: Entry<T>[]): void => {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const child = (heap[right]?.at ?? Infinity) < (heap[left]?.at ?? Infinity) ? right : left;
    if (!swap(heap, at, child)) return;
    at = child;
  }
};
