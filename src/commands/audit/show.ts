import type { AuditRecord } from '../../model/run.ts';
import { visible } from '../../text/safe.ts';
import { fit } from '../../text/width.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-20 02:41:07`, local. */
const stamp = (at: string): string => {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

const columns: readonly { title: string; width: number; of(record: AuditRecord): string }[] = [
  { title: 'LINE', width: 5, of: ({ seq }) => String(seq) },
  { title: 'TIME', width: 19, of: ({ at }) => stamp(at) },
  { title: 'SITE', width: 12, of: ({ site }) => site },
  { title: 'WHO', width: 10, of: ({ operator }) => operator },
  { title: 'WHAT', width: 10, of: ({ kind }) => kind },
  { title: 'ACTION', width: 20, of: ({ action }) => action ?? '' },
  { title: 'TARGET', width: 20, of: ({ target }) => target ?? '' },
  { title: 'OUTCOME', width: 8, of: ({ outcome }) => outcome ?? '' },
];

/** The log as a table, one line a record; all text safe. */
export const showLines = (records: readonly AuditRecord[]): string[] => {
  if (records.length === 0) return ['no records'];
  const header = [...columns.map(({ title, width }) => fit(title, width)), 'TEXT'].join('  ');
  return [header, ...records.map(row)];
};

const row = (record: AuditRecord): string =>
  [...columns.map(({ width, of }) => fit(visible(of(record)), width)), visible(textOf(record), 300)].join(
    '  ',
  );

/** What an intent sends, what came of it, or why not. */
const textOf = ({ kind, detail }: AuditRecord): string => {
  const commands = detail['commands'];
  if (kind === 'intent' && Array.isArray(commands)) {
    return commands
      .map((one: unknown) =>
        typeof one === 'object' && one !== null && 'script' in one ? String(one.script) : '',
      )
      .join('; ');
  }
  return [detail['phase'], detail['guard'], detail['why'], detail['text']]
    .filter((one) => typeof one === 'string')
    .join(': ');
};
