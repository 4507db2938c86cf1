import type { RankedFinding } from '../src/model/finding.ts';
import { textOf } from '../src/model/words.ts';
import { makeSafe } from '../src/text/safe.ts';
import { cut } from '../src/text/width.ts';

/** What the site file wants of the terminal on a new critical finding. */
export interface AlertSettings {
  bell: boolean;
  title: boolean;
}

const isLoud = (finding: RankedFinding): boolean =>
  (finding.worst ?? finding.severity) === 'critical' &&
  finding.explainedBy === undefined &&
  finding.acked === undefined;

/** The terminal's title; nothing in it ends the sequence or reaches the terminal otherwise. */
export const titleSequence = (text: string): string => `\u001B]0;${cut(makeSafe(text, 200), 100)}\u0007`;

/** Gives the bytes for the terminal after each change of the findings: a bell for what is new, the title for what is worst. */
export const createAlerts = (): ((
  findings: readonly RankedFinding[] | undefined,
  site: string,
  settings: AlertSettings,
) => string) => {
  let seen: ReadonlySet<string> | undefined;
  let title = '';
  return (findings, site, { bell, title: wanted }) => {
    if (!findings) return '';
    const loud = findings.filter(isLoud);
    const ids = new Set(loud.map(({ id }) => id));
    const before = seen;
    seen = ids;
    // What stood there when the console came up is no news.
    const rings = bell && before !== undefined && loud.some(({ id }) => !before.has(id));
    const [worst] = loud;
    const text = worst
      ? `faultline ${site}: ${loud.length} critical: ${textOf(worst.summary)}`
      : `faultline ${site}`;
    const renamed = wanted && text !== title ? titleSequence(text) : '';
    if (wanted) title = text;
    return `${rings ? '\u0007' : ''}${renamed}`;
  };
};
