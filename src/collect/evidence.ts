import type { RawAnswer } from '../model/answer.ts';
import type { RawEvidence } from '../model/wire.ts';
import { decode } from '../text/bytes.ts';
import { visibleLines } from '../text/safe.ts';
import type { Collector } from './collector.ts';

/** Bytes of a stream that the evidence view gets: more than a person reads, little enough to send at once. */
const MOST = 256 * 1024;

/**
 * The last raw answers behind these sources, newest first, and what they became. Texts keep their line breaks and nothing else
 * that could move a cursor: they are made safe here, line by line.
 */
export const evidenceOf = (
  collector: Collector,
  sources: readonly { probe: string; host: string }[],
): readonly RawEvidence[] =>
  sources.flatMap(({ probe, host }) => {
    const source = collector.store.source(probe, host);
    const records = collector.raws.of(probe, host);
    return records.map((record, index) => ({
      probe,
      host,
      command: safeLines(record.command),
      at: record.at,
      durationMs: record.answer.durationMs,
      ended: safeLines(howItEnded(record.answer)),
      stdout: streamText(record.answer.stdout),
      stderr: streamText(record.answer.stderr),
      reading: index > 0 ? 'an earlier answer' : safeLines(becameText(source)),
    }));
  });

const safeLines = (text: string): string => visibleLines(text).join('\n');

const streamText = (bytes: Uint8Array): string => {
  const kept = safeLines(decode(bytes.subarray(0, MOST)));
  return bytes.byteLength > MOST ? `${kept}\n<+${bytes.byteLength - MOST} bytes more>` : kept;
};

const howItEnded = (answer: RawAnswer): string => {
  if (answer.notConnected) return `not connected: ${answer.notConnected.message}`;
  if (answer.cancelled) return 'cancelled';
  const code = answer.exitCode === undefined ? '' : `exit ${answer.exitCode}`;
  const how = [
    answer.timedOut && 'timed out',
    answer.lost && 'connection lost',
    answer.truncated && `truncated, ${answer.stdoutBytes} bytes came`,
    answer.signal !== undefined && `signal ${answer.signal}`,
    code,
  ];
  return how.filter((one) => typeof one === 'string' && one !== '').join(', ');
};

const becameText = (source: ReturnType<Collector['store']['source']>): string => {
  if (source?.failure) return `${source.failure.kind}: ${source.failure.message}`;
  if (!source?.good) return 'no reading yet';
  const { value, notUnderstood } = source.good;
  const text = JSON.stringify(
    value,
    (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one),
    2,
  );
  const cut = text.length > MOST ? `${text.slice(0, MOST)}\n<+${text.length - MOST} more>` : text;
  return notUnderstood > 0 ? `${notUnderstood} lines not understood\n${cut}` : cut;
};
