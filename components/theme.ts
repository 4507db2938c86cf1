import type { Severity, Sign } from '../src/model/subject.ts';

/** What a piece of text is, never how it looks: the theme decides that once, for every terminal. */
export type Style = 'plain' | 'dim' | 'bold' | 'accent' | 'critical' | 'warning' | 'good' | 'inverse';

/** What the colours are chosen for: a dark or a light background, weak eyes or a bad screen, eyes that take red for green. */
export const themeNames = ['dark', 'light', 'contrast', 'colour-blind'] as const;

export type ThemeName = (typeof themeNames)[number];

export interface Theme {
  name: ThemeName;
  /** The terminal and the operator want colour (16 at most are ever used). */
  colour: boolean;
  /** The locale is UTF-8; otherwise everything drawn is ASCII. */
  unicode: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads NO_COLOR (https://no-color.org) and the locale as a C program would: LC_ALL, LC_CTYPE, LANG. */
export const makeTheme = (env: Environment, name: ThemeName = 'dark'): Theme => {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value) ?? '';
  return {
    name,
    colour: (env['NO_COLOR'] ?? '') === '',
    unicode: /utf-?8/i.test(locale),
  };
};

/** SGR on and off codes; `colour` goes with NO_COLOR, `emphasis` stays. Everything is told apart by a sign, too. */
interface Look {
  colour?: number;
  emphasis?: readonly [on: number, off: number];
}

const bold = [1, 22] as const;

const dark: Readonly<Record<Style, Look>> = {
  plain: {},
  dim: { emphasis: [2, 22] },
  bold: { emphasis: bold },
  accent: { colour: 36, emphasis: bold },
  critical: { colour: 31, emphasis: bold },
  warning: { colour: 33 },
  good: { colour: 32 },
  inverse: { emphasis: [7, 27] },
};

/** Of the 16 colours only, which every terminal has, and its owner has made legible. */
const looks: Readonly<Record<ThemeName, Readonly<Record<Style, Look>>>> = {
  dark,
  // Yellow, cyan and bright colours can't be read on white.
  light: { ...dark, accent: { colour: 34, emphasis: bold }, warning: { colour: 35 } },
  // Nothing is dim; trouble is bright and bold.
  contrast: {
    ...dark,
    dim: {},
    accent: { colour: 96, emphasis: bold },
    critical: { colour: 91, emphasis: bold },
    warning: { colour: 93, emphasis: bold },
    good: { colour: 92 },
  },
  // Magenta, yellow and blue: told apart without red and green, by their brightness, too.
  'colour-blind': { ...dark, critical: { colour: 95, emphasis: bold }, good: { colour: 94 } },
};

/** Text in SGR; the text itself must hold no escapes (see `paint`). */
export const applyStyle = (theme: Theme, text: string, style: Style): string => {
  const { colour, emphasis } = looks[theme.name][style];
  let shown = text;
  if (colour !== undefined && theme.colour) shown = `\u001B[${colour}m${shown}\u001B[39m`;
  if (emphasis) shown = `\u001B[${emphasis[0]}m${shown}\u001B[${emphasis[1]}m`;
  return shown;
};

/** Backgrounds that every colour of the theme is read on. */
const bars: Readonly<Partial<Record<ThemeName, number>>> = { dark: 100, light: 47, 'colour-blind': 100 };

/** A painted line as a bar across its width: in colour a background, without colour and in high contrast reversed. */
export const drawBar = ({ colour, name }: Theme, line: string): string => {
  const background = bars[name];
  return colour && background !== undefined
    ? `\u001B[${background}m${line}\u001B[49m`
    : `\u001B[7m${line}\u001B[27m`;
};

/** Equal for themes that draw alike: part of the keys under which drawn lines are kept. */
export const themeKey = ({ name, colour, unicode }: Theme): string =>
  `${name}${colour ? 'c' : ''}${unicode ? 'u' : ''}`;

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
