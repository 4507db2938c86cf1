/** A word for POSIX sh: bare when it holds nothing special, else single-quoted. The one quoting function. */
export const quote = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** An argv as one line of sh. Refuses NUL, which no argument can hold. */
export const shellCommand = (argv: readonly string[]): string => {
  if (argv.some((word) => word.includes('\0'))) throw new Error('a command word holds a NUL byte');
  return argv.map(quote).join(' ');
};

/** Environment settings in front of a command: `A='x' cmd`. */
export const withEnv = (env: Readonly<Record<string, string>>, argv: readonly string[]): string => {
  const settings = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new Error(`not a variable name: ${name}`);
    return `${name}=${quote(value)}`;
  });
  return [...settings, shellCommand(argv)].join(' ');
};

/**
 * A script as one line, for a word of a command: one with a line feed would not be shown as it is sent. At the end of a line a command goes
 * on after the words below, and ends after others; the script has no here-documents.
 */
export const joinInOneLine = (script: string): string =>
  script
    .split('\n')
    .map((line) => line.trim())
    .map((line) => (/(?:[{(|&]|;;|\b(?:do|then|else|in))$/.test(line) ? `${line} ` : `${line}; `))
    .join('')
    .replace(/; $/, '');

/** A script file with its words, which become `$1` and following. */
export const withWords = (script: string, ...words: readonly string[]): string =>
  `set -- ${words.map(quote).join(' ')}\n${script}`;
