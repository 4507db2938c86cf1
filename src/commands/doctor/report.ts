import { fold } from '../../text/nodeset.ts';
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
    | 'readings';
  state: 'ok' | 'note' | 'fail' | 'skipped';
  /** One line. Apart from the host's name it is the same for hosts in the same state, or `same` says what is. */
  text: string;
  /** What makes it the same on several hosts, where the text has addresses in it. */
  same?: string;
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

/** Messages name their host; apart from that the same text is the same result. */
const sameness = ({ host, checks }: HostReport): string =>
  JSON.stringify(
    checks.map(({ name, state, text, same }) => [name, state, same ?? text.replaceAll(host, '\0')]),
  );

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
      ...rest.flatMap(({ state, text, mend = [] }) => [
        `  ${signs[state]} ${text}${more > 0 && text.includes(first.host) ? ` (and ${more} more)` : ''}`,
        ...mend.map((line) => `      ${line}`),
      ]),
    ],
  };
};
