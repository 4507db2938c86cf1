/** A file operation's failure, worded as the C library words it: `No such file or directory`. */
export class FileFault extends Error {}

interface Entry {
  /** Undefined: a directory. */
  text?: string;
  /** What it holds is made when it is read: `/proc`. */
  readLive?: () => string;
  mode: number;
  /** UTC ms. */
  changed: number;
}

const normalPath = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
};

const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** A simulated host's files, in memory: the demo never touches a real one. Paths are absolute. */
export class Files {
  private readonly entries = new Map<string, Entry>();
  private readonly now: () => number;

  constructor(directories: readonly string[], now: () => number) {
    this.now = now;
    this.entries.set('/', { mode: 0o755, changed: now() });
    for (const directory of directories) this.makeDirectory(directory, true);
    // No file has another name here: what is open as 3 is the plain file that it seems to be.
    this.live('/proc/self/fd/3', () => '');
  }

  stat(path: string): { directory: boolean; size: number; mode: number; changed: number } | undefined {
    const entry = this.entries.get(normalPath(path));
    return (
      entry && {
        directory: entry.text === undefined,
        size: Buffer.byteLength(entry.text ?? ''),
        mode: entry.mode,
        changed: entry.changed,
      }
    );
  }

  read(path: string): string {
    const entry = this.entries.get(normalPath(path));
    if (!entry) throw new FileFault('No such file or directory');
    if (entry.text === undefined) throw new FileFault('Is a directory');
    return entry.readLive ? entry.readLive() : entry.text;
  }

  /** A file whose content is made anew for each reading. */
  live(path: string, text: () => string): void {
    this.makeDirectory(parentPath(normalPath(path)), true);
    this.entries.set(normalPath(path), { text: '', readLive: text, mode: 0o444, changed: this.now() });
  }

  /** `exclusive`: fails when the file is there (`set -C`, `O_EXCL`). */
  write(path: string, text: string, how: { append?: boolean; exclusive?: boolean } = {}): void {
    const at = normalPath(path);
    const old = this.entries.get(at);
    if (old && old.text === undefined) throw new FileFault('Is a directory');
    if (old && how.exclusive) throw new FileFault('File exists');
    this.needDirectory(parentPath(at));
    const before = how.append ? (old?.text ?? '') : '';
    this.entries.set(at, { text: before + text, mode: old?.mode ?? 0o644, changed: this.now() });
  }

  makeDirectory(path: string, parents = false): void {
    const at = normalPath(path);
    const old = this.entries.get(at);
    if (old && parents && old.text === undefined) return;
    if (old) throw new FileFault('File exists');
    if (parents && at !== '/') this.makeDirectory(parentPath(at), true);
    this.needDirectory(parentPath(at));
    this.entries.set(at, { mode: 0o755, changed: this.now() });
  }

  removeDirectory(path: string): void {
    const at = normalPath(path);
    this.needDirectory(at);
    if (this.list(at).length > 0) throw new FileFault('Directory not empty');
    this.entries.delete(at);
  }

  remove(path: string, recursive = false): void {
    const at = normalPath(path);
    const entry = this.entries.get(at);
    if (!entry) throw new FileFault('No such file or directory');
    if (entry.text === undefined && !recursive) throw new FileFault('Is a directory');
    for (const other of this.entries.keys()) if (other.startsWith(`${at}/`)) this.entries.delete(other);
    this.entries.delete(at);
  }

  /** As rename(2) does, in one step: a file replaces a file, a directory takes only a new or empty name's place. */
  move(from: string, to: string): void {
    const source = normalPath(from);
    const entry = this.entries.get(source);
    if (!entry) throw new FileFault('No such file or directory');
    const target = this.stat(to)?.directory ? normalPath(`${to}/${source.split('/').pop()}`) : normalPath(to);
    this.needDirectory(parentPath(target));
    if (this.stat(target)?.directory) {
      if (entry.text !== undefined) throw new FileFault('Is a directory');
      if (this.list(target).length > 0) throw new FileFault('Directory not empty');
    }
    const moved = [...this.entries].filter(([path]) => path === source || path.startsWith(`${source}/`));
    for (const [path] of moved) this.entries.delete(path);
    for (const [path, entry] of moved) this.entries.set(target + path.slice(source.length), entry);
  }

  /** A second name for a file, refused when the name is taken: `ln`. Later writes are not shared. */
  link(from: string, to: string): void {
    const text = this.read(from);
    this.write(to, text, { exclusive: true });
  }

  setMode(path: string, mode: number): void {
    const entry = this.entries.get(normalPath(path));
    if (!entry) throw new FileFault('No such file or directory');
    entry.mode = mode;
  }

  /** Names in a directory, sorted. */
  list(path: string): string[] {
    const at = normalPath(path);
    this.needDirectory(at);
    const head = at === '/' ? '/' : `${at}/`;
    return [...this.entries.keys()]
      .filter((other) => other !== '/' && other.startsWith(head) && !other.slice(head.length).includes('/'))
      .map((other) => other.slice(head.length))
      .sort();
  }

  private needDirectory(path: string): void {
    const entry = this.entries.get(path);
    if (!entry) throw new FileFault('No such file or directory');
    if (entry.text !== undefined) throw new FileFault('Not a directory');
  }
}
