/** A number of places to be taken and given back, in the order of asking; `limit` may change at any time. */
export class Places {
  #limit: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  set limit(limit: number) {
    this.#limit = limit;
    this.#next();
  }

  get taken(): number {
    return this.#taken;
  }

  /** Waits for a place and gives the function that frees it (calling it twice does nothing); throws when aborted. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#limit) this.#taken += 1;
    else await this.#wait(signal);
    let mine = true;
    return () => {
      if (!mine) return;
      mine = false;
      this.#taken -= 1;
      this.#next();
    };
  }

  /** The place is counted as taken by `#next`, so that nobody slips in between. */
  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const takePlace = () => {
        signal?.removeEventListener('abort', leavePlace);
        resolve();
      };
      const leavePlace = () => {
        this.#waiting.splice(this.#waiting.indexOf(takePlace), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leavePlace, { once: true });
      this.#waiting.push(takePlace);
    });
  }

  #next(): void {
    while (this.#taken < this.#limit) {
      const granted = this.#waiting.shift();
      if (!granted) return;
      this.#taken += 1;
      granted();
    }
  }
}
