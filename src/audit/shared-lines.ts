import * as z from 'zod';
import { subjectKinds } from '../model/subject.ts';
import { isPlain } from '../text/safe.ts';
import { sha256 } from './audit-line.ts';
import type { Past } from './past-runs.ts';

/** What a cool-down looks back on, with the hour by which the clocks of consoles may differ. */
const WINDOW_MS = 25 * 3_600_000;

const word = (longest: number): z.ZodType<string> =>
  z.string().regex(new RegExp(`^[A-Za-z0-9._-]{1,${longest}}$`));

/** As consoles write them: a name that no console would write is nobody's line. */
const line = z.object({
  run: word(64),
  verb: word(64),
  subject: z.string().max(300).refine(isSubject),
  object: z.string().max(5_000).exactOptional(),
  at: z.number().min(0),
  by: word(64),
  /** Of the console that wrote it: SHA-256 of what it will show when it takes the line back. Absent in lines of older consoles. */
  seal: z.string().exactOptional(),
  /** It came to nothing: takes back the line that was written before it was begun, with the `key` of its seal. */
  none: z.literal(true).exactOptional(),
  key: z.string().exactOptional(),
});

type Line = z.infer<typeof line>;

function isSubject(text: string): boolean {
  const kind = text.slice(0, text.indexOf(' '));
  return subjectKinds.some((one) => one === kind) && text.length > kind.length + 1 && isPlain(text);
}

/**
 * What a run shows to take its line back, and nobody can know before: made of the id of its plan, which stands only in the audit log
 * of who confirmed it. One for each target, so that showing it for one gives away no other.
 */
export const keyOf = (plan: string, run: string, subject: string): string =>
  sha256(`${plan} ${run} ${subject}`);

export const sealOf = (key: string): string => sha256(key);

/**
 * The lines of the actions file. What can't be a console's line, a blank or half one included, may hide an action, unless it stands
 * among lines that are older than what counts; so may what was cut off before the first line, unless that one is. `cut`: the text
 * begins in the middle of the file. `now`: UTC ms.
 */
export const linesIn = (
  text: string,
  { where, cut, now }: { where: string; cut: boolean; now: number },
): { past: readonly Past[]; unclear?: string } => {
  const all = text.split('\n');
  // Behind the last line feed stands nothing, or half a line.
  if (all.at(-1) === '') all.pop();
  const lines = (cut ? all.slice(1) : all).map((one) => line.safeParse(jsonOf(one)).data);
  const isOld = (one: Line | undefined): boolean =>
    one !== undefined && one.none === undefined && now - one.at > WINDOW_MS;
  const recent = lines.findIndex((one) => one !== undefined && one.none === undefined && !isOld(one));
  const old = lines.slice(0, recent < 0 ? lines.length : recent).findLastIndex(isOld);
  const strange = lines.slice(old + 1).filter((one) => one === undefined).length;
  const past = pastOf(lines.filter((one) => one !== undefined));
  if (cut && old < 0)
    return {
      past,
      unclear: `${where} is longer than what is read of it, and the oldest line read is of the last 24 h: move the file away (mv), a new one is begun`,
    };
  if (strange === 0) return { past };
  const which = `${strange} ${strange === 1 ? 'line' : 'lines'} of ${where}, the first of them line ${lines.findIndex((one, at) => at > old && one === undefined) + 1}${cut ? ' of its end' : ''}`;
  return {
    past,
    unclear: `${which}, ${strange === 1 ? 'is' : 'are'} no line of a console: see who wrote there`,
  };
};

/**
 * A line stays until its own console takes it back with the key of its seal: by whom a line says it is proves nothing in a file that
 * a group may write. One that is said to be taken back without that stays, and tells it. Of two lines of one run both count.
 */
const pastOf = (lines: readonly Line[]): readonly Past[] => {
  let found: (Past & { seal?: string })[] = [];
  for (const { none, key, ...one } of lines) {
    if (none === undefined) {
      found.push(one);
      continue;
    }
    const isOf = (other: Past): boolean => other.run === one.run && other.subject === one.subject;
    found = found.flatMap((other) => {
      if (!isOf(other)) return [other];
      if (key !== undefined && other.seal === sealOf(key)) return [];
      return [{ ...other, doubt: `a line by ${one.by} takes it back and does not prove that it may` }];
    });
  }
  return found.map(({ seal: _seal, ...past }) => past);
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
