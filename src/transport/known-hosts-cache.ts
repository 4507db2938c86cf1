import { readFile, stat } from 'node:fs/promises';
import { KnownHostsFile } from './known-hosts-file.ts';

/** known_hosts files as they are on disk now; each is parsed again only when it changed. */
export class KnownHostsCache {
  readonly #known = new Map<string, { stamp: string; file: Promise<KnownHostsFile> }>();

  /** Absent files hold nothing; an unreadable one throws, naming it: what it may revoke we can't know. */
  async read(paths: readonly string[]): Promise<KnownHostsFile[]> {
    const files = await Promise.all(paths.map((path) => this.#one(path)));
    return files.filter((file) => file !== undefined);
  }

  async #one(path: string): Promise<KnownHostsFile | undefined> {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      const known = this.#known.get(path);
      if (known?.stamp === stamp) return await known.file;
      // Hosts that are dialled at once wait for one and the same reading.
      const file = readFile(path, 'utf8').then((text) => new KnownHostsFile(path, text));
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
