import { errorSorter } from '../../../src/kit/answers.ts';

/**
 * Kinds of failures as the storage tools word them: a controller, battery, device or UPS that is not there, a command that this
 * version does not know; the words of upsc and apcaccess. All else is `other`.
 */
export const errorOfMessage = errorSorter([
  [/un-?supported command|command invalid|command not supported/i, 'unsupported'],
  [
    /no such|no controllers? (?:found|detected)|not present|is absent|unknown ups|was not detected|not found/i,
    'notFound',
  ],
  [/data stale/i, 'timedOut'],
  [/driver not connected|connection refused/i, 'notReachable'],
]);

export type ReportedError = ReturnType<typeof errorOfMessage>;

/** Cells by which tools say that there is nothing to say. */
const EMPTY: ReadonlySet<string> = new Set(['', '-', '--', 'N/A', 'NA', '[undef]']);

/** A cell as it is printed, trimmed; undefined where it says nothing. */
export const cellText = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return EMPTY.has(trimmed) ? undefined : trimmed;
};

/** A text in which runs of blanks are one blank: tools pad names to columns. */
export const squeeze = (text: string | undefined): string | undefined =>
  cellText(text?.trim().split(/\s+/).join(' '));

/** A whole number as it is printed; undefined for other text and for what a number can't hold exactly. */
export const wholeNumber = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^-?\d{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
};

/** A number at the beginning of a text, with or without a fraction: `31 C`, `28C (82.40 F)`, `97 %`; no time, and no part of one. */
export const leadingNumber = (text: string | undefined): number | undefined => {
  const found = /^[-+]?\d{1,15}(?:\.\d{1,15})?(?!\d|[.,:]\d)/.exec(text?.trim() ?? '')?.[0];
  return found === undefined ? undefined : Number(found);
};

/** Yes or No; undefined for all else. */
export const parseYesNo = (text: string | undefined): boolean | undefined => {
  const word = text?.trim().toLowerCase();
  return word === 'yes' ? true : word === 'no' ? false : undefined;
};

/** A line `key : value`, cut at the first colon, both trimmed; blanks within the key are one. */
export const fieldIn = (line: string): readonly [key: string, value: string] | undefined => {
  const at = line.indexOf(':');
  if (at <= 0) return undefined;
  const key = squeeze(line.slice(0, at));
  return key === undefined ? undefined : [key, line.slice(at + 1).trim()];
};

/** Lines of standard error or of a message without the tool's name in front. */
export const messagesOf = (tool: RegExp, text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.replace(tool, '').trim())
    .filter((line) => line !== '');
