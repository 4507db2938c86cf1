import type { Formats, ParseInput } from '../../../src/model/system.ts';
import { isCsv, parseCsv } from './parse-csv.ts';
import { parseJson, parseJsonStream } from './parse-json.ts';
import { parseText2 } from './parse-text2.ts';
import { parseText3 } from './parse-text3.ts';
import { refuseFormat, type Result } from './result.ts';

const opening = /^([^"{\n]+?)(?=Connecting to host |Server listening on \d|iperf 3\.\d)/m;

/** A prefix as a pattern: `Sat Nov 21 22:47:43 2026 ` fits every other time, a title fits itself. */
const shapeOf = (prefix: string): RegExp => {
  const shape = prefix.replace(/[^\w\s]/g, '\\$&');
  return new RegExp(
    `^${/\d/.test(prefix) ? shape.replace(/[a-zA-Z]/g, '[a-zA-Z]').replace(/[\d ]/g, '[\\d ]') : shape}`,
    'gm',
  );
};

/**
 * The output without what iperf3 puts in front of every line on request (`--timestamps`, `-T title`), and with plain line
 * feeds. A line with another beginning stays as it is.
 */
const plainLines = (stdout: string): string => {
  const text = stdout.replaceAll('\r\n', '\n');
  const prefix = opening.exec(text)?.[1];
  return prefix === undefined ? text : text.replaceAll(shapeOf(prefix), '');
};

/** Reads whatever iperf 2 or 3 printed: text, CSV, JSON or JSON stream. */
const parseResult = (given: ParseInput): Result => {
  const input = { ...given, stdout: plainLines(given.stdout) };
  const text = input.stdout.trimStart();
  const stderr = input.stderr ?? '';
  if (text === '' && stderr.trim() === '') throw refuseFormat('nothing on either stream');
  if (/^\{\s*"event"/m.test(text)) return parseJsonStream(input);
  // A warning may come before the document.
  const json = /^\{(?=\s*(?:$|"))/m.exec(text);
  if (json && !/^Connecting to host /m.test(text))
    return parseJson({ ...input, stdout: text.slice(json.index) });
  if (isCsv(text)) return parseCsv(input);
  return isIperf3(text, stderr) ? parseText3(input) : parseText2(input);
};

const isIperf3 = (stdout: string, stderr: string): boolean =>
  /^(?:Connecting to host |Server listening on \d+|Accepted connection from|iperf 3\.|iperf3: |Usage: iperf3|(?:- ){5}|\[\s*\d+\] local \S+ port \d+ connected to )/m.test(
    stdout,
  ) ||
  (stdout === '' && /\biperf3\b/.test(stderr));

/** What `faultline parse iperf.result` reads. */
export const iperfFormats: Formats = { 'iperf.result': parseResult };
