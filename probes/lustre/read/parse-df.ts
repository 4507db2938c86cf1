import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { ReportedError } from '../../../src/kit/answers.ts';
import { reportedError } from './words.ts';

/** Sizes in KiB (or inodes with `-i`); those of `-h` are not carried, they are rounded. */
interface Usage {
  totalKb?: bigint;
  usedKb?: bigint;
  availKb?: bigint;
  totalInodes?: bigint;
  usedInodes?: bigint;
  availInodes?: bigint;
  usePct?: number;
  mount?: string;
}

export interface Target extends Usage {
  uuid?: string;
  kind: 'MDT' | 'OST';
  /** Decimal; names carry it in hexadecimal. */
  index: number;
  /** Letters such as `D` degraded, `R` read-only, `S` out of space (2.12 and later). */
  flags?: string;
  state: 'ok' | 'inactive' | 'unreachable';
}

export interface Df {
  targets: Target[];
  summary?: Usage;
  error?: ReportedError;
  notUnderstood?: number;
}

const header = /^UUID\s+(\S+)\s/;
const okLine = /^(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+?)%?\s+(\S.*?)\[(MDT|OST):(\d+)\](?:\s+(\S+))?$/;
const summaryLine = /^filesystem[_ ]summary:\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+?)%?\s+(\S.*)$/;
/** `OST0007             : inactive device`, `scratch-OST001b_UUID: Resource temporarily unavailable`. */
const brokenLine = /^((?:\S+-)?(MDT|OST)([0-9a-fA-F]{4,})(?:_UUID)?)\s*:\s+(\S.*)$/;

/**
 * Reads `lfs df [-v] [-l] [-i] [-h]`. Rows that the tool leaves out are not here: compare with the expected list
 * (since 2.10 inactive OSTs are omitted, LU-8920).
 */
export const parseDf = (input: ParseInput): Df => {
  const df: Df = { targets: [] };
  let unit: 'Kb' | 'Inodes' | 'none' = 'Kb';
  let skipped = 0;
  let seen = false;
  for (const printed of input.stdout.split('\n')) {
    const line = printed.trimEnd();
    if (line === '') continue;
    const head = header.exec(printed);
    const broken = brokenLine.exec(line);
    const summary = summaryLine.exec(line);
    const ok = okLine.exec(line);
    if (head) unit = unitOf(head[1] ?? '');
    else if (summary) df.summary = usage(unit, summary.slice(1, 6));
    else if (ok) df.targets.push(okTarget(unit, ok));
    else if (broken) df.targets.push(brokenTarget(broken));
    else skipped += 1;
    seen ||= Boolean(head ?? summary ?? ok ?? broken);
  }
  if (!seen && skipped > 0)
    throw new NotThisFormat('neither a header nor a target line: not an output of lfs df');
  const error = reportedError(input.stderr);
  return { ...df, ...(error && { error }), ...(skipped > 0 && { notUnderstood: skipped }) };
};

const unitOf = (title: string): 'Kb' | 'Inodes' | 'none' =>
  title === '1K-blocks' ? 'Kb' : title === 'Inodes' ? 'Inodes' : 'none';

const okTarget = (unit: 'Kb' | 'Inodes' | 'none', match: RegExpExecArray): Target => {
  const [, uuid = '', total = '', used = '', avail = '', pct = '', mount = '', kind, index = '', flags] =
    match;
  return {
    uuid,
    kind: kind === 'MDT' ? 'MDT' : 'OST',
    index: Number(index),
    ...usage(unit, [total, used, avail, pct, mount]),
    ...(flags !== undefined && { flags }),
    state: 'ok',
  };
};

const brokenTarget = (match: RegExpExecArray): Target => {
  const [, name = '', kind, index = '', text = ''] = match;
  return {
    ...(name.endsWith('_UUID') && { uuid: name }),
    kind: kind === 'MDT' ? 'MDT' : 'OST',
    index: Number.parseInt(index, 16),
    state: /inactive/i.test(text) ? 'inactive' : 'unreachable',
  };
};

const usage = (unit: 'Kb' | 'Inodes' | 'none', cells: readonly string[]): Usage => {
  const [total = '', used = '', avail = '', pct = '', mount = ''] = cells;
  const wholeUsage = (name: string, text: string): Usage =>
    unit !== 'none' && /^\d+$/.test(text) ? { [`${name}${unit}`]: BigInt(text) } : {};
  return {
    ...wholeUsage('total', total),
    ...wholeUsage('used', used),
    ...wholeUsage('avail', avail),
    ...(/^\d+$/.test(pct) && { usePct: Number(pct) }),
    mount,
  };
};
