import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { readZpoolJson } from './zpool-json.ts';
import { createTree, type Pool, type Scan } from './zpool-tree.ts';
import { errorOfMessage, messagesOf, type ReportedError } from './words.ts';

export interface Zpool {
  pools?: Pool[];
  error?: ReportedError;
  duplicateKeys?: string[];
  notUnderstood?: number;
}

/** Names of the fields of `zpool status` and `zpool import`, right-aligned before a colon; what else has a colon is a name. */
const fieldForm =
  /^ {0,6}(pool|id|state|status|action|see|scan|scrub|remove|checkpoint|expand|config|errors|comment|dedup|msgid): ?(.*)$/;

/** What `scan:` says: `resilver in progress since ...`, `scrub repaired 124K in 00:00:07 with 260 errors on ...`. */
const scanOf = (text: string): Scan => {
  // `error scrub` reads again what is known to be damaged (zpool scrub -e).
  const first = /^(?:error )?scrub/.test(text)
    ? 'scrub'
    : text.startsWith('resilver')
      ? 'resilver'
      : undefined;
  // Its decimal sign is that of the locale: `11,29% done`.
  const pct = /(\d{1,3}(?:[.,]\d{1,4})?)% done/.exec(text)?.[1];
  const errors = /with (\d{1,15}) errors/.exec(text)?.[1];
  const state = stateOf(text);
  return {
    text,
    ...(first !== undefined && { function: first }),
    ...(state !== undefined && { state }),
    ...(pct !== undefined && { pct: Number(pct.replace(',', '.')) }),
    ...(errors !== undefined && { errors: Number(errors) }),
  };
};

const stateOf = (text: string): Scan['state'] => {
  const [line = ''] = text.split('\n');
  if (line.includes('in progress')) return 'inProgress';
  if (line.includes('paused')) return 'paused';
  if (line.includes('canceled') || line.includes('stopped')) return 'canceled';
  if (line.includes('none requested')) return 'none';
  return /repaired|resilvered|completed|^scrubbed/.test(line) ? 'finished' : undefined;
};

/**
 * Since OpenZFS 2.1 a sequential rebuild has a line `scan:` of its own, below that of the last scrub: what runs counts,
 * else what stands last.
 */
const withScan = (before: Scan | undefined, next: Scan): Scan => {
  if (before === undefined) return next;
  const runs = before.state === 'inProgress' || before.state === 'paused';
  const text = [before.text, next.text].filter((part) => part !== undefined).join('\n');
  return { ...(runs && next.state !== 'inProgress' ? before : next), text };
};

type Field = 'status' | 'action' | 'see' | 'errors' | 'msgid';

const isField = (key: string): key is Field =>
  key === 'status' || key === 'action' || key === 'see' || key === 'errors' || key === 'msgid';

const closeField = (pool: Pool, key: string, lines: readonly string[]): void => {
  const text = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
  if (text === '') return;
  if (key === 'scan' || key === 'scrub') pool.scan = withScan(pool.scan, scanOf(text));
  else if (key === 'id') pool.guid = text;
  else if (key === 'state') pool.state = text;
  else if (isField(key)) pool[key] = text;
};

interface Reading {
  pools: Pool[];
  skipped: number;
}

/** One line after the other: a field, what goes on of it, or a row of the tree below `config:`. */
const readText = (lines: readonly string[]): Reading => {
  const read: Reading = { pools: [], skipped: 0 };
  let field: { key: string; lines: string[] } | undefined;
  let tree = createTree();
  const close = (): void => {
    const pool = read.pools.at(-1);
    if (pool && field) closeField(pool, field.key, field.lines);
    field = undefined;
  };
  for (const line of lines) {
    const [, key, value = ''] = fieldForm.exec(line) ?? [];
    const pool = read.pools.at(-1);
    if (key === 'pool') {
      close();
      tree = createTree();
      read.pools.push({ name: value.trim(), vdevs: tree.vdevs });
    } else if (key !== undefined && pool) {
      close();
      field = { key, lines: [value] };
    } else if (line.trim() === '') continue;
    else if (field?.key === 'config') {
      if (!tree.take(line)) read.skipped += 1;
    } else if (field) field.lines.push(line);
    else read.skipped += 1;
  }
  close();
  return read;
};

const NOTHING = /^(?:no pools available|all pools are healthy|pool '.{1,200}' is healthy)/;

/** Reads `zpool status` as text (with or without -v, -p) or as JSON (-j), and `zpool import`. */
export const parseZpool = ({ stdout, stderr }: ParseInput): Zpool => {
  const text = stdout.trim();
  if (text.startsWith('{')) return readZpoolJson(text);
  const { pools, skipped } = readText(stdout.split('\n'));
  if (pools.length > 0) return { pools, ...(skipped > 0 && { notUnderstood: skipped }) };
  const said = [...messagesOf(/^$/, text), ...messagesOf(/^$/, stderr)];
  if (said.some((line) => NOTHING.test(line))) return { pools: [] };
  const failure =
    text === '' ? said[0] : said.find((line) => /^cannot |^internal error|permission/i.test(line));
  if (failure === undefined) throw new NotThisFormat('neither a pool nor a message of zpool');
  return { error: errorOfMessage(failure) };
};
