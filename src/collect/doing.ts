import type { Doing } from '../model/wire.ts';

/** Two numbers, then the text of what is being done. */
const [BEATS, LENGTH, HEAD, BYTES] = [0, 1, 8, 1024];

const boardOf = (memory: SharedArrayBuffer) => ({
  numbers: new Int32Array(memory, 0, HEAD / 4),
  text: new Uint8Array(memory, HEAD),
});

/** Memory of two threads: one shows there that it goes on and what it is doing, and the other sees it also when the first stands still. */
export const createBoard = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES);

let mine: ReturnType<typeof boardOf> | undefined;

/** From now on this thread shows there each second that it goes on. */
export const showLife = (memory: SharedArrayBuffer): void => {
  const { numbers } = (mine = boardOf(memory));
  const beat = (): void => {
    // What was ended from outside is not being done any more.
    Atomics.store(numbers, LENGTH, 0);
    Atomics.add(numbers, BEATS, 1);
  };
  setInterval(beat, 1000).unref();
};

const encoder = new TextEncoder();

/** Does the work; who watches this thread can tell of whom it is. Costs a microsecond. */
export const runOnBoard = <T>({ probe, host }: Doing, work: () => T): T => {
  if (!mine) return work();
  const { numbers, text } = mine;
  Atomics.store(numbers, LENGTH, encoder.encodeInto(`${probe}\n${host}`, text).written);
  try {
    return work();
  } finally {
    Atomics.store(numbers, LENGTH, 0);
  }
};

/** A minute: more than all that is done under a deadline may take together. Counted, for after a sleep of the machine only one look was missed. */
const LOOKS = 12;
export const LOOK_MS = 5000;

/** Calls back once when a thread that had begun shows no life any more, with what it was doing. Gives the way to stop. */
export const watchLife = (
  memory: SharedArrayBuffer,
  silent: (at: Doing | undefined) => void,
  lookMs = LOOK_MS,
): (() => void) => {
  const { numbers, text } = boardOf(memory);
  let last = 0;
  let still = 0;
  const look = (): void => {
    const beats = Atomics.load(numbers, BEATS);
    still = beats === last ? still + 1 : 0;
    last = beats;
    if (beats === 0 || still < LOOKS) return;
    clearInterval(timer);
    const [probe, host] = new TextDecoder().decode(text.slice(0, Atomics.load(numbers, LENGTH))).split('\n');
    silent(probe !== undefined && host !== undefined ? { probe, host } : undefined);
  };
  const timer = setInterval(look, lookMs);
  timer.unref();
  return () => clearInterval(timer);
};
