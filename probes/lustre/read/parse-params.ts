import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';

/**
 * The first parts of parameter names of the servers and clients of 2.5 to 2.17: a name glued behind a value without a
 * line feed (`statfs_state=DNobdfilter...=`, 2.17) is only seen as one when it starts with one of these.
 */
const root =
  /(?:osp|osc|obdfilter|ofd|ost|oss|osd-[a-z]+|mdt|mdd|mds|mdc|mgs|mgc|lod|lov|lmv|ldlm|llite|lwp|qmt|quota|seq|fld|nodemap|echo|sptlrpc|nrs)\./;

/** A name is a path below /proc or /sys: no longer one is PATH_MAX. Keeps what is done with names short, too. */
const longestName = 4096;

/** What `lctl get_param` printed: parameters in order, and what standard error says is missing or denied. */
export interface Params {
  params: Record<string, string>;
  missing?: string[];
  denied?: string[];
  notUnderstood?: number;
}

/**
 * Reads any `lctl get_param` output. Both shapes of `name=value` are taken: the value on the same line, or on the
 * following ones. A non-zero exit with data is data. `-n` and `-N` outputs are not this format.
 */
export const parseParams = (input: ParseInput): Params => {
  const params: Record<string, string> = {};
  let name: string | undefined;
  let lines: string[] = [];
  let skipped = 0;
  const close = (): void => {
    if (name !== undefined) params[name] = trimValue(lines);
  };
  for (const line of input.stdout.split('\n').flatMap(unglue)) {
    const found = nameLength(line);
    if (found > 0) {
      close();
      name = line.slice(0, found);
      lines = [line.slice(valueStart(line, found))];
    } else if (name !== undefined) lines.push(line);
    else if (line.trim() !== '') skipped += 1;
  }
  close();
  const missing = paths(input.stderr ?? '', missingForms);
  const denied = paths(input.stderr ?? '', deniedForms);
  if (name === undefined && skipped > 0) {
    throw new NotThisFormat(
      'no line of the form name=value: not an output of lctl get_param (-n and -N are not read)',
    );
  }
  return {
    params,
    ...(missing.length > 0 && { missing }),
    ...(denied.length > 0 && { denied }),
    ...(skipped > 0 && { notUnderstood: skipped }),
  };
};

/** Columns of the name that a line `name=value` begins with; 0 when it is no such line. Every character is looked at once. */
const nameLength = (line: string): number => {
  const end = line.indexOf('=');
  const name = end > 0 && end <= longestName ? line.slice(0, end) : '';
  return /^[A-Za-z][\w-]*(?:\.[^\s=]+)?$/.test(name) ? end : 0;
};

/** A few parameters are printed with `==`. */
const valueStart = (line: string, end: number): number => end + (line[end + 1] === '=' ? 2 : 1);

/** Where in the last word before an equals sign a name of two dots, or `ldlm.lock_*`, begins; -1: nowhere. */
const gluedAt = (word: string): number => {
  const start = word.search(root);
  const dot = word.lastIndexOf('.');
  const inside = start < 0 ? -1 : word.indexOf('.', start) + 1;
  const isName = start >= 0 && dot > inside && dot < word.length - 1;
  const lock = word.search(/ldlm\.lock_\w+$/);
  return isName && (lock < 0 || start < lock) ? start : lock;
};

/** A line with each name that is glued behind a value on a line of its own. */
const unglue = (line: string): string[] => {
  const first = nameLength(line);
  const starts: number[] = [];
  let at = first > 0 ? valueStart(line, first) : 0;
  for (let end = line.indexOf('=', at); end >= 0; end = line.indexOf('=', at)) {
    const word = line.slice(at, end).split(/\s/).at(-1) ?? '';
    const glued = word.length > longestName ? -1 : gluedAt(word);
    if (glued >= 0 && end - word.length + glued > 0) starts.push(end - word.length + glued);
    at = end + 1;
  }
  return [0, ...starts].map((from, index) => line.slice(from, starts[index]));
};

/** Outer line feeds and trailing blanks go, so that a wrapped one-line value equals an inline one. */
const trimValue = (lines: readonly string[]): string => {
  const trimmed = lines.map((line) => line.trimEnd());
  const isText = (line: string): boolean => line !== '';
  const from = trimmed.findIndex(isText);
  return from < 0 ? '' : trimmed.slice(from, trimmed.findLastIndex(isText) + 1).join('\n');
};

const missingForms = [
  /get_param: (?:param_path )?'([^']*)': (?:No such file or directory|Found no match)/,
  /get_param: ([^\s'][^:]*): (?:Found no match|No such file or directory)/,
];

/** What `lctl dl` and ioctls go by; only root may open it. */
export const DEVICES = '/dev/obd';

// A locked-down kernel refuses debugfs with EPERM.
const deniedForms = [
  /opening (\/dev\/obd) failed: (?:Permission denied|Operation not permitted)/,
  /opening ?\('([^']*)'\) failed: (?:Permission denied|Operation not permitted)/,
  /'([^']*)': (?:Permission denied|Operation not permitted)/,
  /get_param: ([^\s']\S*): (?:Permission denied|Operation not permitted)/,
];

/** What standard error says besides: parameters that are there, may be read, and could not be. */
export const otherErrors = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => /^error: (?:get|read)_param: /.test(line))
    .filter((line) => ![...missingForms, ...deniedForms].some((form) => form.test(line)))
    .map((line) => line.replace(/^error: \w+: /, ''));

const paths = (stderr: string, forms: readonly RegExp[]): string[] =>
  stderr.split('\n').flatMap((line) => {
    for (const form of forms) {
      const match = form.exec(line);
      if (match?.[1] !== undefined) return [match[1]];
    }
    return [];
  });

/** Values of one thing (an import, a target): last part of the name to its text. */
export type Values = ReadonlyMap<string, string>;

/**
 * Parameters grouped by thing: those whose name matches `form`, whose groups are the thing's key and the rest of the name.
 * `osp.fs-OST0001-osc-MDT0000.active` with `/^osp\.(.*?)\.(.*)$/` is `fs-OST0001-osc-MDT0000` with `active`.
 */
export const groupParams = ({ params }: Params, form: RegExp): Map<string, Map<string, string>> => {
  const things = new Map<string, Map<string, string>>();
  for (const [name, text] of Object.entries(params)) {
    const [, key, rest] = form.exec(name) ?? [];
    if (key === undefined || rest === undefined) continue;
    const thing = things.get(key) ?? new Map<string, string>();
    things.set(key, thing.set(rest, text));
  }
  return things;
};

/** The leading whole number of a value (`17%`, `5 Sec`, `-19`); undefined when it is none or was not printed. */
export const integer = (values: Values, name: string): number | undefined => {
  const match = /^\s*(-?\d+)/.exec(values.get(name) ?? '');
  return match ? Number(match[1]) : undefined;
};

export const flag = (values: Values, name: string): boolean | undefined => {
  const value = integer(values, name);
  return value === undefined ? undefined : value !== 0;
};

/**
 * What a target was mounted from: `mntdev` of its OSD (osd_lproc.c, 2.4 and later) is the device as mount was told it, of ZFS the dataset.
 * Another text than a name of either is none.
 */
export const mountedFrom = (values: Values): string | undefined =>
  /^[\w./:@+-]{1,255}$/.exec(values.get('mntdev')?.trim() ?? '')?.[0];
