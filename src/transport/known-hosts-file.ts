import { createHmac, timingSafeEqual } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readBounded } from '../site/regular.ts';

/** Ten thousand hosts of three keys each have 8 MB. */
const MOST_BYTES = 64_000_000;

/** One key line of a known_hosts file. */
export interface KnownKey {
  file: string;
  /** From 1. */
  line: number;
  marker?: 'revoked' | 'cert-authority';
  type: string;
  /** The key as the server sends it. */
  blob: Buffer;
}

interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/**
 * The lines of one known_hosts file, indexed by name: plain names by map, the rest (wildcards, negations, hashes) one by
 * one. Lines that are no key (comments, SSH-1 keys, unknown markers, broken base64) are passed over, as OpenSSH does. A key is
 * read when its host is asked for: a file of ten thousand is read at the start, and most are asked later.
 */
export class KnownHostsFile {
  readonly #file: string;
  readonly #exact = new Map<string, Line[]>();
  readonly #other: (Line & { names: string })[] = [];
  readonly #found = new Map<string, KnownKey[]>();

  constructor(file: string, text: string) {
    this.#file = file;
    for (const [at, line] of text.split('\n').entries()) {
      const names = /^\s*(?:@\S+[ \t]+)?([^#@\s]\S*)/.exec(line)?.[1];
      if (names !== undefined) this.#add(names, { number: at + 1, text: line });
    }
  }

  /** Keys on lines that match a name (`host` or `[host]:port`), in the order of the file. */
  find(name: string): readonly KnownKey[] {
    const known = this.#found.get(name);
    if (known) return known;
    const lines = [
      ...(this.#exact.get(name.toLowerCase()) ?? []),
      ...this.#other.filter(({ names }) => matches(names, name)),
    ].sort((a, b) => a.number - b.number);
    const found = lines.flatMap((line) => readKey(line, this.#file) ?? []);
    this.#found.set(name, found);
    return found;
  }

  #add(names: string, line: Line): void {
    if (/[*?!|]/.test(names)) {
      this.#other.push({ ...line, names });
      return;
    }
    for (const name of new Set(names.toLowerCase().split(','))) {
      const lines = this.#exact.get(name);
      if (lines) lines.push(line);
      else this.#exact.set(name, [line]);
    }
  }
}

const readKey = ({ number, text }: Line, file: string): KnownKey | undefined => {
  const words = text.trim().split(/[ \t]+/);
  const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
  if (marker !== undefined && marker !== '@revoked' && marker !== '@cert-authority') return undefined;
  const [names, type, base64] = words;
  if (names === undefined || type === undefined || base64 === undefined) return undefined;
  const blob = Buffer.from(base64, 'base64');
  if (keyType(blob) !== type) return undefined;
  return {
    file,
    line: number,
    ...(marker !== undefined && { marker: marker === '@revoked' ? 'revoked' : 'cert-authority' }),
    type,
    blob,
  };
};

/** The type a key blob begins with; empty when it is none. */
export const keyType = (blob: Buffer): string => {
  if (blob.length < 4) return '';
  const length = blob.readUInt32BE(0);
  return length > 0 && length <= 64 && blob.length > 4 + length ? blob.toString('latin1', 4, 4 + length) : '';
};

const matches = (names: string, name: string): boolean =>
  names.startsWith('|') ? matchesHash(names, name) : matchesList(names.toLowerCase(), name.toLowerCase());

/** `|1|salt|hmac-sha1(salt, name)`, both base64. */
const matchesHash = (hashed: string, name: string): boolean => {
  const [, version, salt, digest] = hashed.split('|');
  if (version !== '1' || !salt || !digest) return false;
  const wanted = Buffer.from(digest, 'base64');
  const is = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return wanted.length === is.length && timingSafeEqual(wanted, is);
};

/** A comma list of patterns: some one must match and no negated one. */
const matchesList = (names: string, name: string): boolean => {
  const patterns = names.split(',');
  const hit = (pattern: string) => matchesPattern(pattern, name);
  return (
    !patterns.some((one) => one.startsWith('!') && hit(one.slice(1))) &&
    patterns.some((one) => !one.startsWith('!') && hit(one))
  );
};

/** `*` any run, `?` any one character; everything else, brackets too, is itself. */
const matchesPattern = (pattern: string, name: string): boolean => {
  if (!/[*?]/.test(pattern)) return pattern === name;
  const source = pattern
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(name);
};

/** known_hosts files as they are on disk now; each is parsed again only when it changed. */
export class KnownHostsCache {
  readonly #known = new Map<string, { stamp: string; file: Promise<KnownHostsFile> }>();

  /** Absent files and `/dev/null` hold nothing; an unreadable one throws, naming it: what it may revoke we can't know. */
  async read(paths: readonly string[]): Promise<KnownHostsFile[]> {
    const files = await Promise.all(paths.map((path) => this.#one(path)));
    return files.filter((file) => file !== undefined);
  }

  async #one(path: string): Promise<KnownHostsFile | undefined> {
    if (path === '/dev/null') return undefined;
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      const known = this.#known.get(path);
      if (known?.stamp === stamp) return await known.file;
      // Hosts that are dialled at once wait for one and the same reading.
      const file = readBounded(path, MOST_BYTES).then((bytes) => new KnownHostsFile(path, bytes.toString()));
      this.#known.set(path, { stamp, file });
      return await file;
    } catch (error) {
      this.#known.delete(path);
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
        return undefined;
      throw new Error(`cannot read ${path}`, { cause: error });
    }
  }
}
