import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket's path holds 104 bytes on some systems; %C takes 40 and ssh adds 17 while it binds. */
const LONGEST = 104 - 40 - 17 - 2;

/** A private, short folder for ssh's master sockets, made when first needed and removed at the end. */
export class ControlFolder {
  readonly #env: Readonly<Record<string, string | undefined>>;
  #made: Promise<string> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Throws when no folder can be made. */
  path(): Promise<string> {
    this.#made ??= this.#make();
    return this.#made;
  }

  async remove(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    if (made) await rm(await made, { recursive: true, force: true });
  }

  async #make(): Promise<string> {
    const runtime = this.#env['XDG_RUNTIME_DIR'];
    const usable = runtime !== undefined && runtime.length + 10 < LONGEST && (await fileExists(runtime));
    return mkdtemp(join(usable ? runtime : tmpdir().length + 10 < LONGEST ? tmpdir() : '/tmp', 'fl-'));
  }
}

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
