import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A line that takes the text of a file beside it: `. ./say.sh`. ShellCheck follows it, and run from its folder the script does. */
const include = /^\s*\. ((?:\.\.?\/)+[a-z0-9/-]+\.sh)$/;

/** Nothing that a shell does anything about: it would be sent with every poll. */
const isIdle = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);

/** A script as it is sent: with what it includes, without comments and blank lines. */
export const shellText = (path: string): string =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !isIdle(line))
    .map((line) => {
      const included = include.exec(line)?.[1];
      return included === undefined ? line : shellText(join(dirname(path), included));
    })
    .join('\n');

/** Files that are imported as text: what is sent to hosts, and what completes words in the shells of operators. */
export const shellFile = /\.(?:sh|bash|zsh|fish|py)$/;

/** The same as a module whose default export is the text; what is not sent is taken as it stands. */
export const shellModule = (path: string): string =>
  `export default ${JSON.stringify(path.endsWith('.sh') ? shellText(path) : readFileSync(path, 'utf8'))};\n`;
