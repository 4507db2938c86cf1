import { randomBytes } from 'node:crypto';

/** The machine's own clock into a variable, without a process; empty where there is no such file (proc_uptime(5)). */
const clockInto = (name: string): string =>
  `{ read -r ${name} flx </proc/uptime; } 2>/dev/null || ${name}=; `;

/**
 * What is left in the group of a command that has ended is killed: it would hold the streams of its answer open. A daemon between its
 * fork(2) and its setsid(2) stands there too, so whatever is left has a second to go; not where the time was over. Some builds of busybox
 * have a `sleep` that takes whole seconds only.
 */
const END_GROUP =
  'case $flc in 124|137) ;; *) for fli in 1 2 3 4 5 6 7 8 9 10; do kill -0 -$flp || break; sleep 0.1 || { sleep 1; break; }; done 2>/dev/null 3>&-;; esac; kill -9 -$flp 2>/dev/null';

/** `fl NONCE SECONDS SCRIPT`; with an input, `fs NONCE SECONDS SCRIPT INPUT`. */
const shellFunction = (name: string, feed: string, from: string): string =>
  `${name}() { printf '%s\\n' "$1"; printf '%s\\n' "$1" >&2; ${clockInto('fla')}flr=$({ { { ${feed}timeout -k 1 "$2" sh -c "$3" ${from}3>&- 4>&- 5>&- 6>&- & flp=$!; wait $flp; flc=$?; echo $flc >&3; ${END_GROUP}; } 2>&6 6>&- | cat >&4 3>&- 6>&-; } 6>&1 | cat >&5 3>&-; } 3>&1); ${clockInto('flb')}printf '\\n%s %s %s %s\\n' "$1" "\${flr:-lost}" "$fla" "$flb"; printf '\\n%s\\n' "$1" >&2; }\n`;

/** How every version of the prelude begins. */
export const GREETING = `LC_ALL=C LANG=C PATH=/usr/sbin:/usr/bin:/sbin:/bin; export LC_ALL LANG PATH; unset ENV BASH_ENV
exec 4>&1 5>&2
`;

/**
 * Written once to a new `sh`: two functions that run a script apart from the shell's own streams and put a start and an
 * end marker on both. Measured and explained in decision record 0010; every descriptor in it has a reason, change
 * nothing here without running the hostile cases of the tests against dash, bash and busybox.
 */
export const PRELUDE = [
  GREETING,
  shellFunction('fl', '', '</dev/null '),
  shellFunction('fs', `printf '%s' "$4" 2>/dev/null 3>&- 4>&- 5>&- 6>&- | `, ''),
].join('');

/** The longest script in bytes: one argument may hold 128 KiB (MAX_ARG_STRLEN), at 200 kB `sh` answers 126. */
export const MAX_SCRIPT_BYTES = 100_000;

/** The longest standard input of a script, in bytes. */
const MAX_STDIN_BYTES = 8_000_000;

/** A script that can't be sent: it holds NUL, is not valid text, or is too long. */
export class FrameError extends Error {
  override name = 'FrameError';
}

/** One request to a framed shell. `seconds` is the remote limit, whole seconds from 1. */
export interface FrameRequest {
  nonce: string;
  seconds: number;
  script: string;
  stdin?: string;
}

/** `fl` and 32 hex digits, new for each request: what the remote script can't know it can't forge. */
export const newNonce = (): string => `fl${randomBytes(16).toString('hex')}`;

/** A request as the line (or lines) written to the shell. Throws FrameError. */
export const encode = (script: string, seconds: number, nonce: string, stdin?: string): string => {
  check(script, 'script');
  if (Buffer.byteLength(script) > MAX_SCRIPT_BYTES)
    throw new FrameError(`the script is longer than ${MAX_SCRIPT_BYTES / 1000} kB`);
  if (stdin === undefined) return `fl ${nonce} ${seconds} ${singleLine(script)}\n`;
  check(stdin, 'standard input');
  if (Buffer.byteLength(stdin) > MAX_STDIN_BYTES)
    throw new FrameError(`the standard input is longer than ${MAX_STDIN_BYTES / 1e6} MB`);
  return `fs ${nonce} ${seconds} ${singleLine(script)} ${singleLine(stdin)}\n`;
};

const check = (text: string, what: string): void => {
  if (text.includes('\0')) throw new FrameError(`the ${what} holds a NUL byte`);
  if (!text.isWellFormed()) throw new FrameError(`the ${what} is not valid text`);
};

const singleLine = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** What stands behind the nonce at the end of the standard output: exit code, and how long the command took on the host. */
export interface Ending {
  exitCode: number;
  /** By the host's own clock, to 10 ms; absent where it has none that a shell can read. */
  hostMs?: number;
}

/** Accepts digits only: a killed shell prints "lost" or nothing, which must never read as 0. Undefined for anything else. */
export const readEnding = (tail: string): Ending | undefined => {
  const found = /^ (\d{1,3})(?: (\d{1,12}\.\d\d) (\d{1,12}\.\d\d)| {0,2})$/.exec(tail);
  if (!found) return undefined;
  const hostMs = Math.round((Number(found[3]) - Number(found[2])) * 1000);
  return { exitCode: Number(found[1]), ...(hostMs >= 0 && { hostMs }) };
};

/** What a simulated shell sends for one request, the bytes of each stream. */
export const encodeAnswer = (
  nonce: string,
  answer: { stdout?: string | Uint8Array; stderr?: string | Uint8Array; exitCode?: number },
): { stdout: Uint8Array; stderr: Uint8Array } => ({
  stdout: Buffer.concat([
    Buffer.from(`${nonce}\n`),
    Buffer.from(answer.stdout ?? ''),
    Buffer.from(`\n${nonce} ${answer.exitCode ?? 0}\n`),
  ]),
  stderr: Buffer.concat([
    Buffer.from(`${nonce}\n`),
    Buffer.from(answer.stderr ?? ''),
    Buffer.from(`\n${nonce}\n`),
  ]),
});

const request = /f[ls] (fl[0-9a-f]{32}) (\d{1,6}) '([^']*(?:'\\''[^']*)*)'(?: '([^']*(?:'\\''[^']*)*)')?\n/y;

/** Behind the greeting; another version of the program has other functions of these names, which are called alike. */
const functions = /^fl\(\) [^\n]*\nfs\(\) [^\n]*\n/;

/**
 * The shell's side for simulators: takes what arrives on standard input, gives the requests that are whole. An empty
 * script is the client asking whether the shell lives: answer it with exit code 0. Throws FrameError for anything that
 * is not the prelude followed by requests.
 */
export class RequestDecoder {
  #text = '';
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  #greeted = false;

  push(chunk: Uint8Array): FrameRequest[] {
    this.#text += this.#utf8.decode(chunk, { stream: true });
    if (!this.#greeted && !this.#greet()) return [];
    const found: FrameRequest[] = [];
    for (let one = this.#next(); one; one = this.#next()) found.push(one);
    return found;
  }

  #greet(): boolean {
    const isGreeting = this.#text.startsWith(GREETING.slice(0, this.#text.length));
    const rest = this.#text.slice(GREETING.length);
    const [found] = functions.exec(rest) ?? [];
    if (!isGreeting || (found === undefined && rest.split('\n').length > 2))
      throw new FrameError('not the prelude of a framed shell');
    if (found === undefined) return false;
    this.#text = rest.slice(found.length);
    this.#greeted = true;
    return true;
  }

  #next(): FrameRequest | undefined {
    request.lastIndex = 0;
    const match = request.exec(this.#text);
    if (!match) {
      if (!/^(?:f|f[ls](?: [^]*)?)?$/.test(this.#text) || this.#text.length > 4 * MAX_STDIN_BYTES)
        throw new FrameError('not a framed request');
      return undefined;
    }
    const [whole, nonce = '', seconds = '', script = '', stdin] = match;
    this.#text = this.#text.slice(whole.length);
    return {
      nonce,
      seconds: Number(seconds),
      script: unquote(script),
      ...(stdin !== undefined && { stdin: unquote(stdin) }),
    };
  }
}

const unquote = (text: string): string => text.replaceAll(`'\\''`, "'");
