import { isHostName } from './hosts.ts';

/** An IPv4 or IPv6 address: no name for a host in a site file. */
export const isAddress = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || (/^[0-9a-fA-F:.]+$/.test(text) && text.includes(':'));

const shortOf = (name: string): string => name.split('.')[0] ?? '';

/**
 * One name for each host, whichever way machines spell it: the one that was heard first, in upper or lower case, with or without its
 * domain. Two full names of different domains are two machines (as in src/site/view.ts).
 */
export class Names {
  readonly #exact = new Map<string, string>();
  readonly #short = new Map<string, string[]>();
  readonly #addresses = new Map<string, Set<string>>();

  /** The host of this name or address where it is known. */
  find(text: string): string | undefined {
    const typed = text.toLowerCase().replace(/\.$/, '');
    if (isAddress(typed)) {
      const [host, ...others] = this.#addresses.get(typed) ?? [];
      // Of several that have an address (127.0.0.1, one behind a balancer) none is meant.
      return others.length === 0 ? host : undefined;
    }
    const found = this.#exact.get(typed);
    if (found !== undefined) return found;
    const [name, ...others] = (this.#short.get(shortOf(typed)) ?? []).filter(
      (one) => !(one.includes('.') && typed.includes('.')),
    );
    return others.length === 0 ? name : undefined;
  }

  /** The same, and a new host where it was not known; undefined for what is no plain name. */
  add(text: string): string | undefined {
    const known = this.find(text);
    if (known !== undefined) return known;
    const name = text.replace(/\.$/, '');
    if (isAddress(name) || !isHostName(name)) return undefined;
    const short = shortOf(name.toLowerCase());
    this.#exact.set(name.toLowerCase(), name);
    const alike = this.#short.get(short);
    if (alike) alike.push(name);
    else this.#short.set(short, [name]);
    return name;
  }

  /** The host says that this name or address is its own. */
  note(host: string, text: string): void {
    const own = text.toLowerCase();
    const of = this.#addresses.get(own) ?? new Set<string>();
    if (isAddress(own)) this.#addresses.set(own, of.add(host));
    else if (isHostName(text) && this.find(text) === undefined) this.#exact.set(own, host);
  }
}
