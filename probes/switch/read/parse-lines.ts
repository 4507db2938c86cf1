/** Escape sequences that colour text or move a cursor. */
const ansi = /\u001b(?:\[[0-9;?]{0,20}[ -/]{0,4}[@-~]|[()][A-Za-z0-9]|[=>78])/g;

/** What a pager leaves in an answer when it was not switched off: Cisco, Junos, ProCurve and FastIron, ICOS, EXOS. */
const pager =
  /^\s{0,8}(?:<?-{2,4} ?\(?more ?(?:\d+%|\(\d+%\))?\)? ?-{2,4}>?(?:, next page: space, next line: (?:enter|return key), quit: (?:control-c|q)| or \(q\)uit)?|press <space> to continue or <q> to quit:|press any key to continue[^\n]{0,80})\s{0,8}/i;

/** Backspaces and carriage returns as a screen would show them. */
const applyOverwrites = (line: string): string => {
  if (!line.includes('\b') && !line.includes('\r')) return line;
  const shown: string[] = [];
  let at = 0;
  for (const char of line) {
    if (char === '\b') at = Math.max(0, at - 1);
    else if (char === '\r') at = 0;
    else {
      shown[at] = char;
      at += 1;
    }
  }
  return shown.join('');
};

const tabStops = (line: string): string => {
  if (!line.includes('\t')) return line;
  let shown = '';
  for (const char of line) shown += char === '\t' ? ' '.repeat(8 - (shown.length % 8)) : char;
  return shown;
};

/** Nothing that is read from a line stands further right; a hostile line may be of any length. */
const WIDEST = 2000;

const indent = (line: string): number => line.length - line.trimStart().length;

const clean = (line: string): string => applyOverwrites(line).replace(pager, '');

const ERASE = '\u001b[2K';

/** What a terminal shows of an answer: escape sequences undone, what was erased in its line is gone. */
const shownIn = (answer: string): string =>
  (answer.includes(ERASE)
    ? answer
        .split('\n')
        .map((line) => line.slice(line.includes(ERASE) ? line.lastIndexOf(ERASE) + ERASE.length : 0))
        .join('\n')
    : answer
  ).replaceAll(ansi, '');

/** A line without pager prompts and with blanks for tabs; none when it was a prompt only. */
const readableLine = (line: string): string[] => {
  const shown = tabStops(clean(line)).trimEnd();
  return shown === '' && pager.test(line) ? [] : [shown];
};

/** A text without what a terminal was told: colours, overwritten pager prompts. */
export const plainText = (answer: string): string =>
  /[\u001b\b]|more|press/i.test(answer)
    ? shownIn(answer)
        .split(/\r{0,2}\n/)
        .map(clean)
        .join('\n')
    : answer;

/** The prompt that the next command would be typed behind, and Junos' mark of the active engine above it. A time is none. */
const prompt =
  /^(?:\{(?:master|backup|primary|linecard)(?::\w+)?\}|(?!\[[\d:]+\])[\w.@:~()/<[-]{1,80}[>#$\]])$/;

/** The next command behind its prompt: what stands below it is another answer. */
export const isEcho = (line: string): boolean =>
  /^[\w.@:~()/<[-]{1,80}[>#$\]] ?(?:do )?(?:sh(?:ow)?|dis(?:play)?) /i.test(line);

/** Whether an answer ends within a line: not with a newline, a prompt or the end of a JSON or XML document. */
export const isLeftOpen = (answer: string): boolean => {
  const last = clean(answer.slice(answer.lastIndexOf('\n') + 1).replaceAll(ansi, '')).trim();
  return last !== '' && !prompt.test(last) && !/[}\]>]$/.test(last);
};

/** Bare prompts, between two answers too, are no content. */
const withoutPrompts = (lines: readonly string[]): readonly string[] => {
  const kept = lines.filter((line) => !prompt.test(line));
  return kept.slice(0, kept.findLastIndex((line) => line !== '') + 1);
};

/**
 * The lines of an answer as a person would read them: no colours, no pager prompts, tabs as blanks, no trailing
 * blanks, no log messages, no bare prompts, and without the indentation that all lines share.
 */
export const readableLines = (answer: string): readonly string[] => {
  const lines = shownIn(answer)
    .split(/\r{0,2}\n/)
    .flatMap((line) => readableLine(line.slice(0, WIDEST)));
  const kept = withoutPrompts(lines.filter((line) => !line.includes('%') || !log.test(line)));
  const shared = kept.reduce(
    (least, line) => (line === '' ? least : Math.min(least, indent(line))),
    Infinity,
  );
  return Number.isFinite(shared) && shared > 0 ? kept.map((line) => line.slice(shared)) : kept;
};

/**
 * Log messages of Cisco, Arista, Dell (`%LINK-3-UPDOWN:`), VRP (`%%01IFNET/4/IF_STATE(l)`) and Comware
 * (`%Sep 12 10:11:12:123 2022 sw IFNET/3/PHY_UPDOWN:`): a session that shows them gets them in the middle of an answer.
 */
const log =
  /(?:^|[\s:*])%{1,2}(?:\d\d)?[A-Z][\w-]{0,60}[-/][0-7][-/][A-Z][A-Z0-9_]+\b|^%[A-Z][a-z]{2} .{5,80}[A-Z]\/[0-7]\/[A-Z0-9_]+:/;

/** A text without log messages on lines of their own. */
export const dropLogLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.includes('%') || !log.test(line))
    .join('\n');

/** A run of lines under a heading. */
export interface Block {
  readonly head: RegExpExecArray;
  readonly lines: readonly string[];
  /** The heading of another block is missing below, whose lines are left out. */
  readonly doubled: boolean;
}

const spellLabel = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Lines by which another block is known whose heading got lost, as in a session that drops lines. */
export interface Marks {
  /** Labels (what is matched of a line) that a block says once. */
  readonly once?: RegExp;
  /** Lines that stand among the first three of a block only. */
  readonly top?: RegExp;
}

/** Tells for line after line of a block whether another block speaks. */
const speaker = ({ once, top }: Marks): ((line: string) => boolean) => {
  const said = new Set<string>();
  let other = false;
  let heard = 0;
  return (line) => {
    heard += 1;
    other ||= heard > 3 && (top?.test(line) ?? false);
    const label = once?.exec(line)?.[0];
    if (label === undefined) return other;
    other ||= said.has(spellLabel(label));
    said.add(spellLabel(label));
    return other;
  };
};

/** The lines up to the first one whose label was there before. */
export const takeUntilRepeated = (lines: readonly string[], once: RegExp): readonly string[] => {
  const isOther = speaker({ once });
  return lines.filter((line) => !isOther(line));
};

/** The lines cut at every heading; what stands before the first one, or below the next command, is left out. */
export const blocks = (lines: readonly string[], heading: RegExp, marks: Marks = {}): readonly Block[] => {
  const found: { head: RegExpExecArray; lines: string[]; doubled: boolean }[] = [];
  let open: string[] | undefined;
  let isOther = speaker(marks);
  for (const line of lines) {
    const head = heading.exec(line);
    const last = found.at(-1);
    if (head) {
      found.push({ head, lines: (open = []), doubled: false });
      isOther = speaker(marks);
    } else if (isEcho(line)) open = undefined;
    else if (isOther(line)) {
      if (last) last.doubled = true;
    } else open?.push(line);
  }
  return found;
};

/** How many blocks go on in another one's lines. */
export const countDoubled = (found: readonly Block[]): number =>
  found.filter(({ doubled }) => doubled).length;

/** The first group of the first line that matches. */
export const firstMatch = (lines: readonly string[], pattern: RegExp): string | undefined => {
  for (const line of lines) {
    const match = pattern.exec(line);
    if (match) return match[1]?.trim();
  }
  return undefined;
};

/** `Key : value` of a line, split at the first colon or equals sign; undefined when there is none. */
export const keyValue = (line: string, sign: ':' | '=' = ':'): { key: string; value: string } | undefined => {
  const at = line.indexOf(sign);
  return at < 0 ? undefined : { key: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
};

/** A line of dashes, with or without gaps: the ruler under a table's header. */
export const isRuler = (line: string): boolean => /^[\s|+]*[-=]{2}[-=\s|+]*$/.test(line);
