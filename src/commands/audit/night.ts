import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decodeEvent, type SharedEvent } from '../../collect/shared/events.ts';
import { code } from '../../text/markdown.ts';

/** A finding as the console's history holds it: when it came, when it went. */
interface Known {
  id: string;
  from: number;
  severity: string;
  /** Absent: it was there when the console last looked. */
  gone?: number;
}

/**
 * What happened and what was written, from the history and the events beside an audit log, as sections of the hand-over. What cannot
 * be read is a line that says so. Notes of other consoles are in the shared folder; those kept on this machine are here.
 */
export const nightSections = async (
  auditFile: string,
  since: number | undefined,
  now: number,
  time: (at: number) => string,
): Promise<readonly string[]> => {
  const folder = dirname(auditFile);
  const from = since ?? now - 24 * 3_600_000;
  const [findings, events] = await Promise.all([
    known(join(folder, 'history.db'), from),
    written(join(folder, 'events.jsonl')),
  ]);
  const list = (title: string, lines: readonly string[], empty: string): string[] => [
    '',
    `## ${title}`,
    '',
    ...(lines.length === 0 ? [empty] : lines),
  ];
  const acks = events.filter((one) => one.kind === 'ack');
  const ackOf = (id: string): string => {
    const ack = acks.findLast((one) => one.finding === id && one.until > now);
    return ack ? `, left as it is by ${code(ack.who)} until ${time(ack.until)}: ${code(ack.text)}` : '';
  };
  if ('problem' in findings) return ['', `What was found is not known: ${code(findings.problem)}.`];
  const open = findings.list.filter(({ gone }) => gone === undefined);
  const over = findings.list.filter(({ gone }) => gone !== undefined);
  const notes = events.filter((one) => (one.kind === 'note' || one.kind === 'repair') && one.at >= from);
  return [
    ...list(
      'Found and still there when this console last looked',
      open.map((one) => `- **${one.severity}** ${code(one.id)} since ${time(one.from)}${ackOf(one.id)}`),
      'nothing',
    ),
    ...list(
      'Found and gone again',
      over.map((one) => `- ${code(one.id)} from ${time(one.from)} to ${time(one.gone ?? now)}`),
      'nothing',
    ),
    ...list(
      'Noted on this machine',
      notes.map((one) =>
        'subject' in one
          ? `- ${time(one.at)} ${code(one.who)} on ${code(one.subject.id)}: ${code(one.text)}`
          : '',
      ),
      'nothing; notes in the shared folder are on the console (C)',
    ),
  ];
};

const missing = async (file: string): Promise<boolean> =>
  access(file).then(
    () => false,
    () => true,
  );

const known = async (
  file: string,
  from: number,
): Promise<{ list: readonly Known[] } | { problem: string }> => {
  if (await missing(file)) return { problem: `no history beside the log: ${file}` };
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const rows = database
        .prepare(
          `SELECT s.name AS name, p.at AS at, p.value AS value FROM points p JOIN series s ON s.id = p.series
           WHERE s.name >= 'finding/' AND s.name < 'finding0' ORDER BY s.name, p.at`,
        )
        .all();
      return { list: told(rows, from) };
    } finally {
      database.close();
    }
  } catch (error) {
    return { problem: `${file}: ${error instanceof Error ? error.message : String(error)}` };
  }
};

/** Values of one finding in order: a severity while it is there, `gone` when it went. */
const told = (rows: readonly Record<string, unknown>[], from: number): Known[] => {
  const all: Known[] = [];
  let open: Known | undefined;
  for (const { name, at, value } of rows) {
    const id = String(name).slice('finding/'.length);
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

const written = async (file: string): Promise<readonly SharedEvent[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const read = decodeEvent(line);
    return read && 'event' in read ? [read.event] : [];
  });
};
