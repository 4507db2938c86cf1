import { NotThisFormat } from '../../src/model/errors.ts';
import type { ParseInput } from '../../src/model/system.ts';

/**
 * The first parts of parameter names of the servers and clients of 2.5 to 2.17: a name glued behind a value without a
 * line feed (`statfs_state=DNobdfilter...=`, 2.17) is only seen as one when it starts with one of these.
 */
const ROOTS =
  'osp|osc|obdfilter|ofd|ost|oss|osd-[a-z]+|mdt|mdd|mds|mdc|mgs|mgc|lod|lov|lmv|ldlm|llite|lwp|qmt|quota|seq|fld|nodemap|echo|sptlrpc|nrs';

const atLineStart = /^([A-Za-z][\w-]*(?:\.[^\s=]+)*)==?(.*)$/;
const glued = new RegExp(`(?:(?:${ROOTS})\\.[^\\s=]+\\.[^\\s=.]+|ldlm\\.lock_\\w+)==?`, 'g');

/** What `lctl get_param` printed: parameters in order, and what standard error says is missing or denied. */
export interface Params {
  params: Record<string, string>;
  missing?: string[];
  denied?: string[];
  notUnderstood?: number;
}

/**
 * Reads any `lctl get_param` output. Both shapes of `name=value` are taken: the value on the same line, or on the
 * following ones. A non-zero exit with data is data (domain/lustre.md section 4). `-n` and `-N` outputs are not this format.
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
    const match = atLineStart.exec(line);
    if (match) {
      close();
      name = match[1] ?? '';
      lines = [match[2] ?? ''];
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

const unglue = (line: string): string[] => {
  const first = atLineStart.exec(line);
  const from = first ? line.length - (first[2] ?? '').length : 0;
  const starts = [...line.slice(from).matchAll(glued)]
    .map((match) => from + match.index)
    .filter((at) => at > 0);
  if (starts.length === 0) return [line];
  return [0, ...starts].map((at, index) => line.slice(at, starts[index]));
};

/** Outer line feeds and trailing blanks go, so that a wrapped one-line value equals an inline one. */
const trimValue = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');

const missingForms = [
  /get_param: (?:param_path )?'([^']*)': (?:No such file or directory|Found no match)/,
  /get_param: ([^\s'][^:]*): (?:Found no match|No such file or directory)/,
];

// A locked-down kernel refuses debugfs with EPERM.
const deniedForms = [
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
