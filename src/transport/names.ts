import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../model/ports.ts';
import { Places } from './places.ts';

export interface Address {
  address: string;
  family: number;
}

/** libuv has 4 threads for look-ups and files together: a dead resolver must not take them all. */
const AT_ONCE = 2;

/** How long an answer is used again, ms. */
const KEPT = 60_000;

/** Name look-ups, few at a time, answers kept for a minute, failures not. */
export class Names {
  readonly #clock: Clock;
  readonly #places = new Places(AT_ONCE);
  readonly #known = new Map<string, { until: number; addresses: Promise<Address[]> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** All addresses of a name, in the resolver's order. Throws what the resolver says; has no deadline of its own. */
  async resolve(name: string, family: 0 | 4 | 6): Promise<Address[]> {
    const literal = isIP(name);
    if (literal !== 0) return [{ address: name, family: literal }];
    const key = `${name} ${family}`;
    const known = this.#known.get(key);
    if (known && this.#clock.mono() < known.until) return known.addresses;
    const addresses = this.#ask(name, family);
    this.#known.set(key, { until: this.#clock.mono() + KEPT, addresses });
    addresses.catch(() => this.#known.delete(key));
    return addresses;
  }

  async #ask(name: string, family: 0 | 4 | 6): Promise<Address[]> {
    const freePlace = await this.#places.take();
    return lookup(name, { all: true, family }).finally(freePlace);
  }
}
