import type { Stats } from 'node:fs';
import { glob, lstat, readlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { shellCommand } from '../text/shell.ts';
import { NotBounded, readBounded } from './regular.ts';

/** As many links as Linux follows (path_resolution(7)). */
const MOST_LINKS = 40;

/** As deep as ssh follows Include (readconf.c, READCONF_MAX_DEPTH). */
const MOST_INCLUDES = 16;

/** One for 10,000 hosts is well below. */
const MOST_SSH_BYTES = 4_000_000;

export interface Trust {
  /** Whom this process runs as. */
  uid: number;
  /** The group may write to what belongs to root: for files that a team of administrators keeps together. */
  rootsGroup: boolean;
}

/**
 * Why a file that decides what runs here is not to be trusted, and what would be right; undefined when it is. It must belong to root or to
 * who runs this, and nobody else may write to it, to a folder on the way to it, or set a link on the way. In a sticky folder (`/tmp`)
 * nobody can put another file in its place. Rejects as `lstat` does.
 */
export const distrust = async (path: string, trust: Trust): Promise<string | undefined> => {
  let links = 0;
  let at = '/';
  const open = resolve(path).split('/').filter(Boolean);
  for (let part = open.shift(); part !== undefined; part = open.shift()) {
    const name = join(at, part);
    const found = await lstat(name);
    const what = open.length > 0 ? `its folder ${name} ` : found.isSymbolicLink() ? `the link ${name} ` : '';
    const problem = problemOf(what, name, found, trust);
    if (problem !== undefined) return problem;
    if (!found.isSymbolicLink()) {
      at = name;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return `${what}leads to too many others; name the file itself`;
    const target = resolve(at, await readlink(name));
    open.unshift(...target.split('/').filter(Boolean));
    at = '/';
  }
  return undefined;
};

const problemOf = (what: string, name: string, found: Stats, trust: Trust): string | undefined => {
  const { uid, mode } = found;
  if (uid !== 0 && uid !== trust.uid)
    return `${what}belongs to user ${uid}, neither to you nor to root; copy the file to a folder of your own`;
  // Who may write to a link is asked of its folder; a sticky folder keeps what belongs to others.
  if (found.isSymbolicLink() || (found.isDirectory() && (mode & 0o1000) !== 0)) return undefined;
  const isTeams = uid === 0 && trust.rootsGroup;
  const by = (mode & 0o002) !== 0 ? 'everybody' : (mode & 0o020) !== 0 && !isTeams ? 'its group' : undefined;
  return by === undefined
    ? undefined
    : `${what}can be written by ${by}, who could then make this console act elsewhere; ${shellCommand(['chmod', by === 'everybody' && isTeams ? 'o-w' : 'go-w', name])}`;
};

/**
 * The same for an OpenSSH configuration and all that it includes: `Match exec` and `ProxyCommand` in it run here. OpenSSH itself looks at
 * who may write to it only for `~/.ssh/config`, not for `-F`. The group may write to none. A pipe would hold
 * `ssh -F`, too, for ever.
 */
export const distrustSshConfig = async (
  path: string,
  uid: number,
  depth = 0,
): Promise<string | undefined> => {
  const problem = await distrust(path, { uid, rootsGroup: false });
  if (problem !== undefined) return problem;
  if (depth >= MOST_INCLUDES) return undefined;
  const text = await readBounded(path, MOST_SSH_BYTES).catch((error: unknown) => {
    if (error instanceof NotBounded) return error;
    throw error;
  });
  if (text instanceof NotBounded) return `${text.message}; name a file in the form of ssh_config(5)`;
  for (const file of await includedBy(text.toString())) {
    const inner = await distrustSshConfig(file, uid, depth + 1);
    if (inner !== undefined) return `it includes ${file}, and that ${inner}`;
  }
  return undefined;
};

/** The files that `Include` lines name, in `~/.ssh` where the path is relative (ssh_config(5)). */
const includedBy = async (text: string): Promise<string[]> => {
  const named = text
    .split('\n')
    .flatMap((line) => /^\s*include[\s=]+(.*)$/i.exec(line)?.[1] ?? [])
    .flatMap((list) =>
      [...list.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
    );
  const found: string[] = [];
  for (const one of named) {
    const path = one.startsWith('~/') ? join(homedir(), one.slice(2)) : one;
    const whole = isAbsolute(path) ? path : join(homedir(), '.ssh', path);
    for await (const file of glob(whole)) found.push(file);
  }
  return found;
};
