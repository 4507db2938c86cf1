import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { encodeHead } from '../audit/audit-head.ts';
import { decodeLine, encodeLine, sha256 } from '../audit/audit-line.ts';
import { versionOf, type LogState } from '../audit/audit-read.ts';
import { CUT_SHORT } from '../audit/audit-verify.ts';
import { digest } from '../audit/trusted-part.ts';
import type { AuditRecord } from '../model/run.ts';
import type { AuditEntry, AuditParts } from './audit-log.ts';
import { copyBegunMark } from './begun.ts';
import { syncFolder, writeHead } from './head-file.ts';

/** As a record is read back: its line made anew from what was read must be the same line, byte for byte. */
const inOrder = ({
  host,
  pid,
  version,
  stamp,
  spaces,
  machine,
}: AuditParts['console']): AuditRecord['console'] => ({
  host,
  pid,
  version,
  stamp,
  ...(spaces !== undefined && { spaces }),
  ...(machine !== undefined && { machine }),
});

/** The record that an entry becomes after the last one of a log. */
export const recordAfter = (
  { seq, end }: LogState['verified'],
  entry: AuditEntry,
  { clock, operator, console, site }: Pick<AuditParts, 'clock' | 'operator' | 'console' | 'site'>,
): { record: AuditRecord; line: string } => {
  const line = encodeLine({
    seq: seq + 1,
    at: new Date(clock.now()).toISOString(),
    monoMs: Math.round(clock.mono()),
    prev: end,
    kind: entry.kind,
    operator: operator.name,
    uid: operator.uid,
    console: inOrder(console),
    site,
    ...(entry.run !== undefined && { run: entry.run }),
    ...(entry.action !== undefined && { action: entry.action }),
    ...(entry.target !== undefined && { target: entry.target }),
    ...(entry.outcome !== undefined && { outcome: entry.outcome }),
    detail: entry.detail,
  });
  const record = decodeLine(line);
  if (typeof record === 'string') throw new Error(`an audit record that ${record}`);
  return { record, line };
};

/**
 * Appends to a log that was just found whole, under its lock; on disk when it resolves. A write that fails is taken back. A line that a
 * crash cut short is ended and told of first, never removed: the log only grows.
 */
export const appendTo = async (
  file: string,
  state: LogState,
  entry: AuditEntry,
  parts: AuditParts,
): Promise<{ state: LogState; record: AuditRecord }> => {
  if (!state.verified.torn) return writeRecord(file, state, entry, parts, '');
  const { lines } = state.verified;
  const rest = await tornRest(file, state);
  const ended: LogState = {
    ...state,
    verified: {
      ...state.verified,
      problems: [],
      torn: false,
      lines: lines + 1,
      seq: state.verified.seq + 1,
      before: state.verified.end,
      end: sha256(rest),
    },
  };
  const text = `line ${lines + 1} was cut short by a crash`;
  const note: AuditEntry = { kind: 'note', detail: { text, tornLine: lines + 1 } };
  const written = await writeRecord(file, ended, note, parts, `${rest}\n`);
  return writeRecord(file, written.state, entry, parts, '');
};

const tornRest = async (file: string, { bytes, size }: LogState): Promise<string> => {
  await using log = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const { buffer } = await log.read(Buffer.alloc(size - bytes), 0, size - bytes, bytes);
  return buffer.toString('latin1');
};

/** `torn`: the rest of a line that stands there already, with the line feed that ends it. */
const writeRecord = async (
  file: string,
  state: LogState,
  entry: AuditEntry,
  parts: AuditParts,
  torn: string,
): Promise<{ state: LogState; record: AuditRecord }> => {
  const { verified } = state;
  const { record, line } = recordAfter(verified, entry, parts);
  const text = `${torn}${line}\n`;
  const bytes = state.bytes + text.length;
  const hash = state.hash.copy().update(text, 'latin1');
  const head = encodeHead({ seq: record.seq, lineHash: sha256(line), point: { bytes, hash: digest(hash) } });
  const copy = await copyBegunMark(file, record);
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  await using log = await open(file, flags, 0o600);
  try {
    await log.appendFile(text.slice(state.size - state.bytes), 'latin1');
    await log.sync();
    if (state.size === 0) await syncFolder(file);
    await writeHead(file, head);
  } catch (error) {
    // Part of it may be on a disk that is now full; nothing was promised by it, so it goes away again.
    await log.truncate(state.size).catch(() => undefined);
    await writeHead(file, state.head ?? '').catch(() => undefined);
    await copy.takeBack().catch(() => undefined);
    throw error;
  }
  // It is a copy: what stands there too long is looked at once more after a seal, and no worse.
  await copy.awaitWritten().catch(() => undefined);
  return {
    record,
    state: {
      ...state,
      verified: {
        ...verified,
        records: [...verified.records, record],
        notes: torn === '' ? verified.notes : [...verified.notes, { line: verified.lines, text: CUT_SHORT }],
        lines: verified.lines + 1,
        seq: record.seq,
        before: verified.end,
        end: sha256(line),
      },
      bytes,
      size: bytes,
      hash,
      head,
      version: await versionOf(file),
    },
  };
};
