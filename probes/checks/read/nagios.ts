import { MOST, type CheckReading, type State, type Value } from '../readings.ts';

/** `'label'=value[UOM];[warn];[crit];[min];[max]`; a quote in a label is written twice, and `U` is a value that could not be told. */
const ITEM =
  /^(?:'((?:[^']|'')+)'|([^\s='][^\s=]*))=(?:(-?[\d.]+(?:[eE][-+]?\d+)?)([^\s;\d.-][^\s;]*)?|U)((?:;[^\s;]*){0,4});?$/;

/** A label in quotes may hold blanks. */
const WORDS = /'(?:[^']|'')*'\S*|\S+/g;

const finite = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text === undefined || text === '' || !Number.isFinite(value) ? undefined : value;
};

/** Values of perfdata; `lost`: items that are none. */
export const parsePerfdata = (text: string): { values: Value[]; lost: number } => {
  const values: Value[] = [];
  let lost = 0;
  for (const [word] of text.slice(0, 65_536).matchAll(WORDS)) {
    const found = ITEM.exec(word);
    const value = finite(found?.[3]);
    if (!found || (found[3] !== undefined && value === undefined)) {
      lost += 1;
      continue;
    }
    if (values.length === MOST.values) break;
    const [, quoted, bare, , unit, ranges = ''] = found;
    const [, warning, critical] = ranges.split(';');
    values.push({
      name: (quoted?.replaceAll("''", "'") ?? bare ?? '').slice(0, MOST.name),
      ...(value !== undefined && { value }),
      ...(unit !== undefined && { unit: unit.slice(0, 20) }),
      ...(warning && { warning: warning.slice(0, 60) }),
      ...(critical && { critical: critical.slice(0, 60) }),
    });
  }
  return { values, lost };
};

const stateOf: Readonly<Record<number, State>> = { 0: 'ok', 1: 'warning', 2: 'critical', 3: 'unknown' };

/** What the shell says by exit codes that no plug-in has (POSIX 2.8.2). */
const whyOf = (exitCode: number | undefined, said: string): string => {
  const why =
    exitCode === 127
      ? 'no such command'
      : exitCode === 126
        ? 'the command can not be run'
        : 'no state of a plug-in';
  return `exit ${exitCode ?? 'not known'}, ${why}${said === '' ? '' : `: ${said}`}`;
};

/** The answer of a Nagios plug-in: the exit code is the state, the first line what it says, perfdata stands behind `|`. */
export const readNagios = ({
  stdout,
  stderr,
  exitCode,
}: {
  stdout: string;
  stderr: string;
  exitCode?: number | undefined;
}): CheckReading & { lost: number } => {
  const [first = '', ...rest] = stdout.trim().split('\n');
  const [text = '', perfdata = ''] = splitOnce(first);
  const long = rest.map(splitOnce);
  // Of the lines behind the first, perfdata begins at the next `|` and goes on to the end.
  const at = long.findIndex(([, more]) => more !== undefined);
  const lines = (at < 0 ? long : long.slice(0, at + 1)).map(([line = '']) => line.trimEnd());
  const more = at < 0 ? '' : [long[at]?.[1] ?? '', ...rest.slice(at + 1)].join(' ');
  // A plug-in speaks on its standard output. A shell that can't read a command, and many a tool that is called wrongly, end with 2 or 1.
  const isMute = stdout.trim() === '' && stderr.trim() !== '' && (exitCode === 1 || exitCode === 2);
  const { values, lost } = parsePerfdata(`${perfdata} ${more}`);
  const said = text.trim() || (stderr.trim().split('\n')[0] ?? '');
  const state = exitCode === undefined ? undefined : isMute ? 'unknown' : stateOf[exitCode];
  return {
    state: state ?? 'unknown',
    text: (state === undefined
      ? whyOf(exitCode, said)
      : isMute
        ? `exit ${exitCode}, and no word but an error: ${said}`
        : said || 'it said nothing'
    ).slice(0, MOST.text),
    more: lines
      .filter((line) => line !== '')
      .slice(0, MOST.more)
      .map((line) => line.slice(0, MOST.text)),
    values,
    lost,
  };
};

const splitOnce = (line: string): [string, string?] => {
  const at = line.indexOf('|');
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1)];
};
