import type { Clock } from '../model/ports.ts';
import { deadline } from './deadline.ts';

/** One deadline over several steps that stands still while we wait for our own turn. */
export class Stopwatch {
  readonly #clock: Clock;
  readonly #late = Promise.withResolvers<'late'>();
  #leftMs: number;
  #from = 0;
  #stop = () => {};

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#leftMs = ms;
    this.resume();
  }

  /** What a step gives, or `late`. */
  race<T>(work: Promise<T>): Promise<T | 'late'> {
    return Promise.race([work, this.#late.promise]);
  }

  pause(): void {
    this.#stop();
    this.#leftMs -= this.#clock.mono() - this.#from;
  }

  resume(): void {
    this.#from = this.#clock.mono();
    this.#stop = deadline(this.#clock, this.#leftMs, () => this.#late.resolve('late'));
  }

  end(): void {
    this.#stop();
  }
}
