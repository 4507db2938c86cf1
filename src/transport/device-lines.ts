/** The device's name in a prompt: `core3` of `core3(conf-if-te-3/46)#`, `* core3.12 #`, `<core3>`, `{master}ops@core3>`. */
export const nameIn = (prompt: string): string =>
  /[A-Za-z0-9][A-Za-z0-9_@:-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)*/.exec(prompt.replace(/\{[^}]*\}/g, ''))?.[0] ??
  '';

/**
 * What a device calls itself in a prompt, without what stands beside that: the user of Junos (`ops@core3>`), the card of IOS XR
 * (`RP/0/RSP0/CPU0:core3#`), the slot of an EXOS stack (`Slot-1 core3.12 #`).
 */
export const ownNameIn = (prompt: string): string =>
  nameIn(
    prompt
      .trim()
      .replace(/^\*\s*/, '')
      .replace(/^\S+\/CPU\d+:|^Slot-\d+ /, ''),
  ).replace(/^[^@]*@/, '');

/** A prompt without what changes by itself: the number of the line, the star of an unsaved configuration. */
export const promptKey = (prompt: string): string =>
  prompt
    .trim()
    .replace(/^\*\s*/, '')
    .replace(/\.\d+(?=\s*[>#]$)/, '');

/** Without what belongs to the prompt that follows, and without blank lines at both ends. */
export const dropHead = (lines: readonly string[], head: readonly string[]): readonly string[] => {
  const isBlank = (line: string | undefined): boolean => line?.trim() === '';
  let end = lines.length;
  const blanks = (): void => {
    while (end > 0 && isBlank(lines[end - 1])) end -= 1;
  };
  blanks();
  for (const one of head.toReversed()) {
    if (lines[end - 1]?.trim() === one.trim()) end -= 1;
    blanks();
  }
  const from = lines.findIndex((line) => !isBlank(line));
  return from < 0 ? [] : lines.slice(from, Math.max(from, end));
};

/** Without blanks: a terminal breaks and pads lines as it likes. */
export const removeBlanks = (text: string): string => text.replace(/\s+/g, '');

/** The device repeats what is typed, on one of the first lines, perhaps behind its prompt, a long line broken at the terminal's width. */
export const dropEcho = (lines: readonly string[], typed: string): readonly string[] => {
  const wanted = removeBlanks(typed);
  if (wanted === '') return lines;
  for (const broken of [1, 2, 3]) {
    const at = lines.slice(0, 3).findIndex((_, from) => {
      const seen = removeBlanks(lines.slice(from, from + broken).join(''));
      return seen === wanted || (seen.endsWith(wanted) && /[>#\]]$/.test(seen.slice(0, -wanted.length)));
    });
    if (at >= 0) return lines.toSpliced(at, broken);
  }
  return lines;
};
