import { fold } from '../../text/nodeset.ts';
import { makeSafe } from '../../text/safe.ts';
import { count } from '../../text/units.ts';

/** One thing looked at on one host. `note`: worth knowing, nothing to mend. `skipped`: could not or need not be looked at. */
export interface Check {
  name:
    | 'reach'
    | 'host key'
    | 'login'
    | 'shell'
    | 'kernel'
    | 'tools'
    | 'version'
    | 'rights'
    | 'clock'
    | 'shared folder'
    | 'clush'
    | 'readings';
  state: 'ok' | 'note' | 'fail' | 'skipped';
  /** One line. */
  text: string;
  /** What makes it the same on several hosts, where the text has the host's name or an address in it. */
  same?: string;
  /** The text names the host. */
  isNamed?: boolean;
  /** The lines to type, for a failure. */
  mend?: readonly string[];
}

export interface HostReport {
  host: string;
  checks: readonly Check[];
}

/** Hosts with the same result in one paragraph, those with something to mend first. */
export const reportLines = (site: string, reports: readonly HostReport[]): string[] => {
  const groups = Map.groupBy(reports, sameness);
  const paragraphs = [...groups.values()].map((members) => paragraph(members));
  const bad = reports.filter(isMendable).length;
  return [
    `${site}: ${count(reports.length, 'host')}`,
    ...paragraphs.toSorted((a, b) => Number(b.bad) - Number(a.bad)).flatMap(({ lines }) => ['', ...lines]),
    '',
    bad === 0 ? 'nothing to mend' : `${count(bad, 'host')} of ${reports.length} to mend`,
  ];
};

/** True when a check failed: exit code 1. */
export const isMendable = ({ checks }: HostReport): boolean => checks.some(({ state }) => state === 'fail');

const sameness = ({ checks }: HostReport): string =>
  JSON.stringify(checks.map(({ name, state, text, same }) => [name, state, same ?? text]));

/** What a host said, made safe: where its own name stands in it, the same words are the same result on another host. */
export const quoteHost = (
  host: string,
  words: string,
  columns: number,
): Pick<Check, 'text' | 'same' | 'isNamed'> => {
  const text = makeSafe(words, columns);
  return { text, same: maskName(host, text), isNamed: text.includes(host) };
};

/** What a host said, for a comparison with what others said: its own name is left out. */
export const maskName = (host: string, words: string): string => words.replaceAll(host, '\0');

const signs: Readonly<Record<Check['state'], string>> = { ok: '✓', note: '·', fail: '✖', skipped: '?' };

const paragraph = (members: readonly HostReport[]): { bad: boolean; lines: string[] } => {
  const [first] = members;
  if (!first) return { bad: false, lines: [] };
  const bad = isMendable(first);
  const fine = first.checks.filter(({ state }) => state === 'ok').map(({ text }) => text);
  const more = members.length - 1;
  const rest = first.checks.filter(({ state }) => state !== 'ok');
  return {
    bad,
    lines: [
      `${bad ? '✖' : '✓'} ${fold(members.map(({ host }) => host))}`,
      ...(fine.length > 0 ? [`  ✓ ${fine.join(' · ')}`] : []),
      ...rest.flatMap(({ state, text, isNamed, mend = [] }) => [
        `  ${signs[state]} ${text}${more > 0 && isNamed ? ` (and ${more} more)` : ''}`,
        ...mend.map((line) => `      ${line}`),
      ]),
    ],
  };
};
