import { makeSafe } from '../text/safe.ts';

export type Path = readonly (string | number)[];

/** Something wrong in the site file: where, and `what; what would be right`. */
export interface Problem {
  path: Path;
  text: string;
  /** Point at the key in place of its value. */
  atKey?: boolean;
}

/** The site file can't be used: exit 78. One line for each thing that is wrong, `FILE:LINE:COL: what; what would be right`. */
export class SiteError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.name = 'SiteError';
    this.lines = lines;
  }
}

/** No site file was named and none was found where they are looked for. */
export class NoSiteFile extends SiteError {
  constructor(lines: readonly string[]) {
    super(lines);
    this.name = 'NoSiteFile';
  }
}

/** `hosts[2].roles[0]`. */
export const pathText = (path: Path): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');

/** One line for the screen; whatever the file holds is made visible. */
export const problemLine = (file: string, place: { line: number; col: number }, text: string): string =>
  makeSafe(`${file}:${place.line}:${place.col}: ${text}`, 1000);
