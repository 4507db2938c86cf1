/** A pager's prompt as the whole unfinished line shows it, and the key that brings what comes next. */
interface Pager {
  shows: RegExp;
  key: string;
  /** Nothing else looks so: its key may be pressed between lines that change something, too. */
  isPlain?: true;
}

/** Behind `--More--`: `(12%)`, `, next page: Space, ... quit: Control-C`, ` or (q)uit`. */
const behind = String.raw`(?: ?\(\d{1,3}%\)|,? (?:or|next page)\b.{0,80})?`;

/**
 * Pagers of command lines, asked in this order. Cisco, Arista, Dell `--More--`, ASA `<--- More --->`, Comware and VRP `---- More ----`,
 * Junos `---(more 45%)---`, FastIron, ProCurve, AOS-CX `-- MORE --, next page: Space, ...`, ICOS `--More-- or (q)uit`, EXOS `Press
 * <SPACE> to continue or <Q> to quit:`; less(1), which Onyx and Linux shells page with: `lines 1-23/50 46%`, `:`, `(END)`, where only
 * `q` goes on.
 */
const pagers: readonly Pager[] = [
  { shows: /^(?:lines \d+-\d+(?:\/\d+)? )?\(END\)$/, key: 'q' },
  { shows: /\(press RETURN\)$/i, key: '\n' },
  { shows: /^lines \d+-\d+(?:\/\d+)?(?: byte \d+(?:\/\d+)?)?(?: \d{1,3}%)?$|^:$/, key: ' ' },
  {
    shows: new RegExp(String.raw`^<?-{2,4} ?\(?more(?: ?\(?\d{1,3}%\)?)?\)? ?-{2,4}>?${behind}$`, 'i'),
    key: ' ',
    isPlain: true,
  },
  { shows: /^press (?:<enter>|<return>|enter|return)(?![^]*\b(?:abort|cancel)\b)(?: .{0,80})?$/i, key: '\n' },
  { shows: /^press (?:<space>|any key|space)(?![^]*\b(?:abort|cancel)\b)(?: .{0,80})?$/i, key: ' ' },
];

/**
 * The key that a pager waits for; undefined: the unfinished line is no pager's that is known. `own`: a pattern of the device's own.
 * `changes`: the lines sent change something; then only a plain pager (`--More--`) gets its key, since what looks like another may be a
 * question that nobody was shown.
 */
export const pagerKey = (line: string, own: RegExp | undefined, changes = false): string | undefined => {
  const text = line.trim();
  const known = pagers.find(({ shows, isPlain }) => (isPlain === true || !changes) && shows.test(text));
  return known?.key ?? (own?.test(text) === true ? ' ' : undefined);
};

/**
 * Whether an unfinished line asks for something: a pager that nobody knows here, or a question. A device that says nothing further waits
 * for a key then; one that works shows its echo, dots or nothing.
 */
export const isKeyPrompt = (line: string): boolean =>
  /\bmore\b|\bpress\b|\bspace\b|\bany key\b|\bquit\b|\bcontinue\b|\blines? \d|\bpage\b|\bend\b|[[(](?:y|yes)\/(?:n|no)[\])]|\?\s*:?\s*$/i.test(
    line,
  );

/** Without what less(1) fills a screen with that is longer than the answer. */
export const dropFiller = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.trim() !== '~');
