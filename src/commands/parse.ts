import { createReadStream } from 'node:fs';
import { READ_MS, Unreadable, runWithin } from '../collect/within-time.ts';
import { loadFormat, loadFormats } from '../registries/formats.ts';
import { CommandFailed, NotThisFormat, ParseError } from '../model/errors.ts';
import type { ParseInput } from '../model/system.ts';
import { platforms } from '../site/platforms.ts';
import { decode } from '../text/bytes.ts';
import { makeSafe } from '../text/safe.ts';
import { exit, line, UsageError, type Io, jsonText } from './io.ts';
import { requireKnownWord, type ParseOptions, unknownText } from './options.ts';

/**
 * `faultline parse`: one captured output to one JSON document on standard output (docs/formats.md says which).
 * 0, also when the output reports its own failure; 65 when it is not this format at all or can't be
 * read in time, with nothing on standard output.
 */
export const run = async (options: ParseOptions, io: Io): Promise<number> => {
  const { format } = options;
  const parse = await loadFormat(format);
  if (!parse) throw new UsageError(unknownText('format', format, Object.keys(await loadFormats())));
  if (options.platform !== undefined) requireKnownWord('platform', options.platform, platforms);
  if (options.tz !== undefined) checkZone(options.tz);
  const stdout = decode(options.file === undefined ? await standardInput(io) : await contents(options.file));
  const input: ParseInput = {
    stdout,
    ...(options.stderr === undefined ? {} : { stderr: decode(await contents(options.stderr)) }),
    ...(options.exit === undefined ? {} : { exitCode: options.exit }),
    ...(options.platform === undefined ? {} : { platform: options.platform }),
    ...(options.tz === undefined ? {} : { tz: options.tz }),
  };
  try {
    // A second more for each MB: a file may be larger than any answer.
    const limitMs = READ_MS + Math.round(stdout.length / 1000);
    const document = runWithin(() => parse(input), limitMs);
    line(io.stdout, jsonText(document, 1));
    return exit.ok;
  } catch (error) {
    line(io.stderr, `faultline: ${makeSafe(whyNot(format, error), 500)}`);
    return exit.data;
  }
};

/** The parsers' own errors become text; anything else is a defect of ours and is thrown on. */
const whyNot = (format: string, error: unknown): string => {
  if (error instanceof NotThisFormat) return `this is not ${format}: ${error.message}`;
  if (error instanceof ParseError) {
    return `${format} can't be read at ${error.place}: ${error.message}: "${error.text.slice(0, 120)}"`;
  }
  if (error instanceof CommandFailed) return `the command failed (${error.code}): ${error.message}`;
  if (error instanceof Unreadable) return `${format} can't be read: ${error.message}`;
  throw error;
};

/** More than any command prints: a device that never ends is no captured output. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Read at once: 13 MB of nodes come in 4 pieces instead of 200. */
const PIECE_BYTES = 4 * 1024 * 1024;

const readBounded = async (stream: AsyncIterable<Uint8Array | string>, name: string): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > MOST_BYTES)
      throw new UsageError(
        `${makeSafe(name)} holds more than ${MOST_BYTES / 1024 / 1024} MB; give a captured output of one command`,
      );
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
};

const standardInput = (io: Io): Promise<Uint8Array> => {
  if (io.stdin.isTTY) line(io.stderr, 'faultline: reading standard input; Ctrl-D ends it');
  return readBounded(io.stdin, 'standard input');
};

const contents = async (file: string): Promise<Uint8Array> => {
  try {
    return await readBounded(createReadStream(file, { highWaterMark: PIECE_BYTES }), file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`can't read ${file} (${why}); name a file with a captured output`, { cause: error });
  }
};

const checkZone = (zone: string): void => {
  try {
    Intl.DateTimeFormat('en', { timeZone: zone });
  } catch (error) {
    throw new UsageError(`"${zone}" is not a time zone; write it as Europe/Berlin or UTC`, { cause: error });
  }
};
