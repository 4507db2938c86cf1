import { memoPer } from '../../src/kit/memo.ts';
import { patternOf } from '../../src/kit/settings.ts';
import { arrayParts, type ArrayPart } from '../../src/model/fact.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { SubjectKind } from '../../src/model/subject.ts';
import type { Touches } from '../../src/model/system.ts';
import { durationMs } from '../../src/text/ages.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { library, type LibraryCheck } from './library/index.ts';
import type { CheckReading } from './readings.ts';
import { readJsonLines } from './read/json-lines.ts';
import { readMatches } from './read/match-lines.ts';
import { readNagios } from './read/nagios.ts';
import { withThresholds } from './read/thresholds.ts';
import { settingsSchema, type ActionEntry, type CheckEntry } from './settings.ts';
import { placesOf, type Named, type Places } from './where.ts';

/** A check as the site file has it, ready to be asked. */
export interface Check {
  name: string;
  probe: string;
  /** Where it is asked. */
  places: Places;
  everyMs: number;
  timeoutMs: number;
  touches: Touches;
  severity: CheckEntry['severity'];
  summary?: string;
  runbook?: string;
  actions: Readonly<Record<string, ActionEntry>>;
  /** Parts of storage arrays that it tells of. */
  tells: readonly { part: ArrayPart; array: string }[];
  /** As the detail shows it. */
  command: string;
  /** What is sent to ask this host. */
  scriptFor(host: string): string;
  /** `lost`: lines or values that were not understood. */
  read(answer: Answered): CheckReading & { lost: number };
}

export interface Answered {
  stdout: string;
  stderr: string;
  exitCode?: number | undefined;
}

export const kindOfCheck: SubjectKind = 'check';

export const checkId = (check: string, host: string): string => `${check}@${host}`;

/** Where `munge@ctl1` runs: names of checks hold no `@`. */
export const splitId = (id: string): { check: string; host: string } => {
  const at = id.indexOf('@');
  return { check: id.slice(0, Math.max(0, at)), host: id.slice(at + 1) };
};

/** The command for one host: text for sh with the host as `$1`, or words of which `{host}` is the host. */
export const commandFor = (run: string | readonly string[], host: string): readonly string[] =>
  typeof run === 'string'
    ? ['sh', '-c', run, 'check', host]
    : run.map((word) => (word === '{host}' ? host : word));

/** What in a text for sh may read its words: `$1`, `${@}`, `$#`, and what does so without naming them (`for x do`, a file that is read in). */
const readsWords =
  /\$\{?[#@*\d]|\b(?:shift|getopts|eval|source)\b|\bfor\s+\w+\s*(?:[;\n]|do\b)|(?:^|[\s;&|({])\.\s/;

/** The question of a check: the same for all hosts where the text does not ask for the host, so that they can be asked together. */
const questionFor = (run: string | readonly string[], host: string): readonly string[] =>
  typeof run === 'string' && !readsWords.test(run) ? ['sh', '-c', run, 'check'] : commandFor(run, host);

/** A check of the library before its own script: what it is told, as variables of the shell. */
const libraryScript = (
  { script, parameters }: LibraryCheck,
  given: Readonly<Record<string, string | number>>,
) =>
  [
    ...Object.entries({ ...parameters, ...given }).map(
      ([name, value]) => `${name}=${shellCommand([String(value)])}`,
    ),
    script,
  ].join('\n');

const readerOf = ({ format, match, values, thresholds = {} }: CheckEntry): Check['read'] => {
  const expression = match === undefined ? undefined : patternOf(match);
  return (answer) => {
    const read =
      format === 'json-lines'
        ? readJsonLines(answer, values)
        : expression
          ? readMatches(answer, expression)
          : readNagios(answer);
    return withThresholds(read, thresholds);
  };
};

const checkOf = (name: string, entry: CheckEntry, site: Named): Check => {
  const { run = '', use, summary, runbook, touches, severity } = entry;
  const own = use === undefined ? undefined : library[use];
  const on = entry.on ?? own?.on ?? [];
  return {
    name,
    probe: `checks.${name}`,
    places: placesOf([on].flat(), site),
    everyMs: durationMs(entry.every) ?? 60_000,
    timeoutMs: durationMs(entry.timeout) ?? 10_000,
    touches,
    severity,
    ...(summary !== undefined && { summary }),
    ...(runbook !== undefined && { runbook }),
    actions: entry.actions ?? {},
    tells: arrayParts.flatMap((part) => {
      const array = entry.tells?.[part];
      return array === undefined ? [] : [{ part, array }];
    }),
    command:
      use === undefined ? (typeof run === 'string' ? run : shellCommand(run)) : `${use} of the library`,
    scriptFor: (host) => (own ? libraryScript(own, entry.with ?? {}) : shellCommand(questionFor(run, host))),
    read: readerOf(entry),
  };
};

/** The checks of a site by name, made ready once for each site. */
export const checksOf: (site: Named & Pick<SiteView, 'settings'>) => ReadonlyMap<string, Check> = memoPer(
  (site) =>
    new Map(
      Object.entries(settingsSchema.parse(site.settings['checks'] ?? {})).map(([name, entry]) => [
        name,
        checkOf(name, entry, site),
      ]),
    ),
);
