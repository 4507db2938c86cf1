import * as z from 'zod';
import { subjectKinds } from '../../model/subject.ts';
import { isPlain, makeSafe } from '../../text/safe.ts';

/** The form of the lines; a line of a higher number is from a newer console and is skipped. */
export const FORM = 1;

/** Longer texts are cut, visibly: a line must go out in one write, and a note is not a file. */
const TEXT_LIMIT = 2000;

/** What a single `write` of a shell takes whole, in bytes. */
const LINE_BYTES = 4000;

/** No line of ours is longer than this: what is longer is not read. */
const MOST = 16_000;

/** What folded names may take of a line, in characters. */
export const NAMES = 2500;

const plain = z.string().min(1).max(300).refine(isPlain);
const text = z.string().transform((value): string => makeSafe(value, TEXT_LIMIT));
const instant = z.number().int().min(0).max(8.64e15);

const subject = z.object({
  kind: z.enum(subjectKinds),
  id: z.string().min(1).max(2000).refine(isPlain),
});

const common = {
  v: z.literal(FORM),
  id: plain,
  /** UTC ms by the writer's clock. */
  at: instant,
  who: plain,
  /** The console: machine and process. */
  from: plain,
};

const ack = z
  .object({
    ...common,
    kind: z.literal('ack'),
    finding: z.string().min(1).max(2500).refine(isPlain),
    severity: z.enum(['critical', 'warning', 'notice']),
    /** The names it was about, folded: others than these are news. */
    names: z.string().max(NAMES),
    until: instant,
    text,
  })
  .refine(({ at, until }) => until > at);

const unack = z.object({ ...common, kind: z.literal('unack'), finding: z.string().min(1).max(2500) });

const note = z.object({
  ...common,
  kind: z.enum(['note', 'repair']),
  subject,
  part: plain.exactOptional(),
  text,
});

/** Planned work that an operator announced: what is found on these names meanwhile is a notice. */
const window = z
  .object({
    ...common,
    kind: z.literal('window'),
    /** Folded: `node[12-28,31]`. */
    names: z.string().min(1).max(NAMES).refine(isPlain),
    until: instant,
    text,
  })
  .refine(({ at, until }) => until > at);

/** The work was over sooner. */
const windowEnd = z.object({ ...common, kind: z.literal('windowEnd'), window: plain });

const present = z.object({ ...common, kind: z.literal('console'), left: z.boolean() });

/** A console began what the site file lets run by the clock: the others need not. */
const traffic = z.object({ ...common, kind: z.literal('traffic'), rule: plain });

const event = z.discriminatedUnion('kind', [ack, unack, note, present, traffic, window, windowEnd]);

export type SharedEvent = z.infer<typeof event>;
export type AckEvent = z.infer<typeof ack>;
export type UnackEvent = z.infer<typeof unack>;

/** A line as read: an event, or why it is none. `newer`: of a form or kind that this console does not know. */
export type Line = { event: SharedEvent } | { odd: 'broken' | 'newer' };

/** Reads one line; undefined when it is blank. Never throws. */
export const decodeEvent = (line: string): Line | undefined => {
  if (line.trim() === '') return undefined;
  if (line.length > MOST) return { odd: 'broken' };
  try {
    const value: unknown = JSON.parse(line);
    const checked = event.safeParse(value);
    if (checked.success) return { event: checked.data };
    return { odd: isNewer(value) ? 'newer' : 'broken' };
  } catch {
    return { odd: 'broken' };
  }
};

const kinds: ReadonlySet<unknown> = new Set([
  'ack',
  'unack',
  'note',
  'repair',
  'console',
  'traffic',
  'window',
  'windowEnd',
]);

const isNewer = (value: unknown): boolean => {
  const shape = z.object({ v: z.number(), kind: z.string() }).safeParse(value);
  return shape.success && (shape.data.v > FORM || (shape.data.v === FORM && !kinds.has(shape.data.kind)));
};

const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** What a part of a long note takes, in bytes of its line: the rest of the line needs room too, on a host with a long name. */
const PART_BYTES = 1800;

/**
 * A text as pieces that each go into one line whole: nothing of a long note is cut. More than one are numbered, `(2/6) `.
 */
export const partsOf = (text: string): readonly string[] => {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const char of makeSafe(text, text.length * 8)) {
    const size = ascii(char).length - 2;
    if (bytes + size > PART_BYTES) {
      parts.push(part);
      part = '';
      bytes = 0;
    }
    part += char;
    bytes += size;
  }
  const all = [...parts, part];
  return all.length === 1 ? all : all.map((one, index) => `(${index + 1}/${all.length}) ${one}`);
};

/** One line of plain ASCII, short enough for one write: its text is cut, with the number of characters left out. */
export const encodeEvent = (one: SharedEvent): string => {
  const whole = ascii('text' in one ? { ...one, text: makeSafe(one.text, TEXT_LIMIT) } : one);
  if (!('text' in one) || whole.length <= LINE_BYTES) return whole;
  const rest = ascii({ ...one, text: '' }).length;
  let limit = TEXT_LIMIT;
  let line = whole;
  while (line.length > LINE_BYTES && limit > 0) {
    limit = Math.min(limit - 20, Math.floor((limit * (LINE_BYTES - rest)) / (line.length - rest)));
    line = ascii({ ...one, text: makeSafe(one.text, Math.max(0, limit)) });
  }
  return line;
};
