import { glob } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MOST_BYTES } from '../../site/file.ts';
import { Names } from '../../site/names.ts';
import { readBounded } from '../../site/regular.ts';
import { shownNames } from './host-lists.ts';

/** As deep as ssh itself follows includes (READCONF_MAX_DEPTH in OpenSSH's readconf.c). */
const DEEPEST = 16;
/** A pattern of a folder full of other things must not keep anybody waiting. */
const MOST_FILES = 1000;

/** The words of one line of ssh_config(5): `Keyword word word`, `Keyword=word`, `"a word"`. */
const wordsOf = (line: string): string[] => {
  const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
  return [
    keyword.toLowerCase(),
    ...[...rest.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
  ];
};

/** `Match host a,b user x`: lists that follow `host` and `originalhost`. Both are read as lists of patterns, with `!` for none of them. */
const hostsOfMatch = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => (/^(?:original)?host$/i.test(word) ? (words[at + 1]?.split(',') ?? []) : []));

/**
 * Hosts that an SSH configuration names, in `Host` and `Match`, in the files that it includes, too: patterns and what is excepted are none.
 * Included files are found as ssh finds those of a user: relative ones in `~/.ssh`. What can't be read names nobody; only how a host is reached
 * is ssh's own to say, and it is asked.
 */
export const hostsInSshConfig = async (file: string, home = homedir()): Promise<string[]> => {
  const names = new Names();
  const found = new Set<string>();
  const seen = new Set<string>();
  const readOne = async (path: string, depth: number): Promise<void> => {
    if (depth > DEEPEST || seen.size >= MOST_FILES || seen.has(path)) return;
    seen.add(path);
    const text = String(await readBounded(path, MOST_BYTES).catch(() => ''));
    for (const line of text.split('\n')) {
      const [keyword = '', ...words] = wordsOf(line);
      const named = keyword === 'host' ? words : keyword === 'match' ? hostsOfMatch(words) : [];
      for (const name of named.flatMap((one) => names.add(one) ?? [])) found.add(name);
      if (keyword !== 'include') continue;
      for (const pattern of words)
        for (const included of await filesOf(pattern, home)) await readOne(included, depth + 1);
    }
  };
  await readOne(file, 0);
  return [...found];
};

/** The files of one pattern after `Include`, in their order; `~` is the home, tokens and variables are ssh's own and match no file. */
const filesOf = async (pattern: string, home: string): Promise<string[]> => {
  const path = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern;
  const files: string[] = [];
  for await (const one of glob(path, { cwd: join(home, '.ssh') })) {
    if (files.length >= MOST_FILES) break;
    files.push(join(path.startsWith('/') ? '/' : join(home, '.ssh'), one));
  }
  return files.toSorted();
};

/** Hosts of the operator's SSH configuration that nothing else tells of: named for the operator, never asked by themselves. */
export const sshConfigNotes = async (
  given: string | undefined,
  isKnown: (name: string) => boolean,
): Promise<string[]> => {
  const file = given ?? join(homedir(), '.ssh', 'config');
  const others = (await hostsInSshConfig(file)).filter((name) => !isKnown(name));
  return others.length === 0
    ? []
    : [
        `in ${file}, but no machine that was asked says what they are for: ${shownNames(others)}; faultline init HOST asks one`,
      ];
};
