import type { Severity, Sign } from '../src/model/subject.ts';

/** What a piece of text is, never how it looks: the theme decides that once, for every terminal. */
export type Style = 'plain' | 'dim' | 'bold' | 'accent' | 'critical' | 'warning' | 'good' | 'inverse';

export interface Theme {
  /** The terminal and the operator want colour (16 at most are ever used). */
  colour: boolean;
  /** The locale is UTF-8; otherwise everything drawn is ASCII. */
  unicode: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads NO_COLOR (https://no-color.org) and the locale as a C program would: LC_ALL, LC_CTYPE, LANG. */
export const makeTheme = (env: Environment): Theme => {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value) ?? '';
  return {
    colour: (env['NO_COLOR'] ?? '') === '',
    unicode: /utf-?8/i.test(locale),
  };
};

/** SGR on and off codes; the first pair of a style is colour and goes with NO_COLOR, the second is emphasis. */
const codes: Record<Style, { colour?: number; emphasis?: readonly [number, number] }> = {
  plain: {},
  dim: { emphasis: [2, 22] },
  bold: { emphasis: [1, 22] },
  accent: { colour: 36, emphasis: [1, 22] },
  critical: { colour: 31, emphasis: [1, 22] },
  warning: { colour: 33 },
  good: { colour: 32 },
  inverse: { emphasis: [7, 27] },
};

/** Text in SGR; the text itself must hold no escapes (see `paint`). */
export const styled = (theme: Theme, text: string, style: Style): string => {
  const { colour, emphasis } = codes[style];
  let shown = text;
  if (colour !== undefined && theme.colour) shown = `\u001B[${colour}m${shown}\u001B[39m`;
  if (emphasis) shown = `\u001B[${emphasis[0]}m${shown}\u001B[${emphasis[1]}m`;
  return shown;
};

/** A painted line as a bar across its width: in colour a background that every colour is read on, without colour reversed. */
export const asBar = ({ colour }: Theme, line: string): string =>
  colour ? `\u001B[100m${line}\u001B[49m` : `\u001B[7m${line}\u001B[27m`;

const signs: Record<Sign, string> = {
  critical: '✖',
  warning: '!',
  notice: '·',
  fine: '✓',
  unknown: '?',
  stale: '⏸',
};

export const signOf = (sign: Sign | undefined): string => (sign === undefined ? ' ' : signs[sign]);

const signStyles: Record<Sign, Style> = {
  critical: 'critical',
  warning: 'warning',
  notice: 'plain',
  fine: 'dim',
  unknown: 'warning',
  stale: 'dim',
};

export const styleOf = (sign: Sign | undefined): Style => (sign === undefined ? 'plain' : signStyles[sign]);

/** Worst first. */
export const severities: readonly Severity[] = ['critical', 'warning', 'notice'];
