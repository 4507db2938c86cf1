import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FINDING, SUMMARY_OF } from '../../collect/history-store.ts';
import { decodeEvent, type AckEvent, type SharedEvent } from '../../collect/shared/events.ts';
import { code } from '../../text/markdown.ts';
import type { Colleagues } from './colleagues.ts';

/** A finding as the console's history holds it: when it came, when it went. */
interface Known {
  id: string;
  from: number;
  severity: string;
  /** How it read when it came or last got worse; absent in histories of older versions. */
  summary?: string;
  /** Absent: it was there when the console last looked. */
  gone?: number;
}

/** A note is handed over whole, in characters. */
const NOTE = 3000;

/** What is told of the night besides the audit log itself. */
export interface NightParts {
  /** The audit log's file: history and events of this machine stand beside it. */
  auditFile: string;
  /** Runs of this log: they are told in full elsewhere. */
  ownRuns: ReadonlySet<string>;
  colleagues: Colleagues;
  /** UTC ms; absent: a day. */
  since: number | undefined;
  now: number;
  time(at: number): string;
}

/**
 * What happened, what is still wrong, what colleagues did, what was left as it is and what was written, as sections of the
 * hand-over. What cannot be read is a line that says so.
 */
export const nightSections = async (parts: NightParts): Promise<readonly string[]> => {
  const { auditFile, colleagues, now, time, ownRuns } = parts;
  const folder = dirname(auditFile);
  const from = parts.since ?? now - 24 * 3_600_000;
  const [findings, here] = await Promise.all([
    readKnown(join(folder, 'history.db'), from),
    readWritten(join(folder, 'events.jsonl')),
  ]);
  const events = [...new Map([...here, ...colleagues.events].map((one) => [one.id, one])).values()].toSorted(
    (a, b) => a.at - b.at,
  );
  const acks = lastWords(events).filter(({ until }) => until > from);
  const done = colleagues.actions.filter(({ at, run }) => at >= from && !ownRuns.has(run));
  return [
    ...foundSections(findings, acks, parts),
    ...list(
      'Left as it is',
      [...acks.map((one) => ackLine(one, findings, parts)), ...plannedLines(events, from, parts)],
      'nothing was acknowledged or planned from a console',
    ),
    ...list(
      'Done by colleagues',
      [
        ...done.map(
          ({ at, by, verb, subject, run }) =>
            `- ${time(at)} ${code(by)}: ${code(verb)} on ${code(subject)}, what came of it is in the log of that console (run ${code(run)})`,
        ),
        ...colleagues.atWork.map((text) => `- **under way**: ${code(text)}`),
      ],
      'nothing in the shared folder',
    ),
    ...list(
      'Noted',
      events.flatMap((one) =>
        'subject' in one && one.at >= from
          ? [
              `- ${time(one.at)} ${code(one.who)} on ${code(`${one.subject.kind} ${one.subject.id}`)}: ${one.kind === 'repair' ? `repair (${code(one.part ?? 'other')}): ` : ''}${code(one.text, NOTE)}`,
            ]
          : [],
      ),
      'nothing',
    ),
    ...(colleagues.problems.length === 0
      ? []
      : list(
          'Not known of colleagues',
          colleagues.problems.map((text) => `- ${code(text)}`),
          '',
        )),
  ];
};

const list = (title: string, lines: readonly string[], empty: string): string[] => [
  '',
  `## ${title}`,
  '',
  ...(lines.length === 0 ? [empty] : lines),
];

type Found = { list: readonly Known[] } | { problem: string };

const foundSections = (
  findings: Found,
  acks: readonly AckEvent[],
  { now, time }: Pick<NightParts, 'now' | 'time'>,
): readonly string[] => {
  if ('problem' in findings) return ['', `What was found is not known: ${code(findings.problem)}.`];
  const open = findings.list.filter(({ gone }) => gone === undefined);
  const over = findings.list.filter(({ gone }) => gone !== undefined);
  const ackOf = (id: string): string =>
    acks.some(({ finding, until }) => finding === id && until > now) ? ', left as it is (below)' : '';
  return [
    ...list(
      'Found and still there when this console last looked',
      open.map((one) => `- **${one.severity}** ${nameFinding(one)} since ${time(one.from)}${ackOf(one.id)}`),
      'nothing',
    ),
    ...list(
      'Found and gone again',
      over.map((one) => `- ${nameFinding(one)} from ${time(one.from)} to ${time(one.gone ?? now)}`),
      'nothing',
    ),
  ];
};

const nameFinding = ({ id, summary }: Known): string =>
  summary === undefined ? code(id) : `${code(summary)} (${code(id)})`;

/** The last word on each finding, where it was not taken back. */
const lastWords = (events: readonly SharedEvent[]): readonly AckEvent[] => {
  const last = new Map<string, AckEvent>();
  for (const one of events) {
    if (one.kind === 'ack') last.set(one.finding, one);
    if (one.kind === 'unack') last.delete(one.finding);
  }
  return [...last.values()];
};

/** Planned work that was announced and not ended. */
const plannedLines = (
  events: readonly SharedEvent[],
  from: number,
  { now, time }: Pick<NightParts, 'now' | 'time'>,
): readonly string[] => {
  const ended = new Set(events.flatMap((one) => (one.kind === 'windowEnd' ? [one.window] : [])));
  return events.flatMap((one) =>
    one.kind !== 'window' || ended.has(one.id) || one.until <= from
      ? []
      : [
          `- planned work on ${code(one.names)} by ${code(one.who)} at ${time(one.at)} until ${time(one.until)}${one.until > now ? '' : ', **that time is up**'}: ${code(one.text)}`,
        ],
  );
};

const ackLine = (
  { finding, who, at, until, text }: AckEvent,
  findings: Found,
  { now, time }: Pick<NightParts, 'now' | 'time'>,
): string => {
  const seen = 'list' in findings ? findings.list.findLast(({ id }) => id === finding) : undefined;
  const state =
    'problem' in findings
      ? ''
      : seen === undefined
        ? '; this console did not find it'
        : seen.gone === undefined
          ? ''
          : `; gone since ${time(seen.gone)}`;
  const end = until > now ? `until ${time(until)}` : `until ${time(until)}, **that time is up**`;
  return `- ${code(finding)} by ${code(who)} at ${time(at)} ${end}: ${code(text)}${state}`;
};

const isMissing = async (file: string): Promise<boolean> =>
  access(file).then(
    () => false,
    () => true,
  );

const readKnown = async (file: string, from: number): Promise<Found> => {
  if (await isMissing(file)) return { problem: `no history beside the log: ${file}` };
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = database.prepare(
        `SELECT s.name AS name, p.at AS at, p.value AS value FROM points p JOIN series s ON s.id = p.series
           WHERE s.name >= ? AND s.name < ? ORDER BY s.name, p.at`,
      );
      const selectRows = (prefix: string) => rows.all(prefix, `${prefix.slice(0, -1)}0`);
      const said = new Map(
        selectRows(SUMMARY_OF).map(({ name, value }) => [
          String(name).slice(SUMMARY_OF.length),
          String(value),
        ]),
      );
      return {
        list: readTold(selectRows(FINDING), from).map((one) => {
          const summary = said.get(one.id);
          return summary === undefined ? one : { ...one, summary };
        }),
      };
    } finally {
      database.close();
    }
  } catch (error) {
    return { problem: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
};

/** Values of one finding in order: a severity while it is there, `gone` when it went. */
const readTold = (rows: readonly Record<string, unknown>[], from: number): Known[] => {
  const all: Known[] = [];
  let open: Known | undefined;
  for (const { name, at, value } of rows) {
    const id = String(name).slice(FINDING.length);
    const moment = Number(at);
    const text = String(value);
    if (open && open.id !== id) open = undefined;
    if (text === 'gone') {
      if (open) open.gone = moment;
      open = undefined;
    } else if (open) open.severity = text;
    else {
      open = { id, from: moment, severity: text };
      all.push(open);
    }
  }
  return all.filter(({ gone }) => gone === undefined || gone >= from).toSorted((a, b) => a.from - b.from);
};

const readWritten = async (file: string): Promise<readonly SharedEvent[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const read = decodeEvent(line);
    return read && 'event' in read ? [read.event] : [];
  });
};
