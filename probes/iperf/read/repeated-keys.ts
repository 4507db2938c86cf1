/**
 * JSON text in which a key that comes again in the same object is renamed: iperf3 3.7 to 3.9 print `sum` twice with
 * `--bidir`, the second for the reverse direction, and JSON.parse would keep only that one. Also says where the text can
 * be cut and closed when its end is missing.
 */
export const renameRepeated = (text: string, suffix: string): string => {
  const out: string[] = [];
  const open: (Set<string> | null)[] = [];
  let expectKey = false;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      const word = text.slice(at, end);
      const keys = open.at(-1);
      if (expectKey && keys) {
        out.push(keys.has(word) ? `${word.slice(0, -1)}${suffix}"` : word);
        keys.add(word);
        expectKey = false;
      } else out.push(word);
      at = end;
      continue;
    }
    if (char === '{') open.push(new Set());
    if (char === '[') open.push(null);
    if (char === '}' || char === ']') open.pop();
    if (char === '{' || char === ',') expectKey = open.at(-1) instanceof Set;
    out.push(char);
    at += 1;
  }
  return out.join('');
};

/** The place behind the closing quote of the string that begins here; the end of the text when it is not closed. */
const stringEnd = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
};

/** The first whole JSON object of a text, whatever follows; or, when its end is missing, what can be closed. */
export const firstObject = (text: string): { json: string; cut: boolean } | undefined => {
  const from = text.indexOf('{');
  if (from < 0) return undefined;
  const open: string[] = [];
  let closable: { end: number; depth: number } | undefined;
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      at = stringEnd(text, at) - 1;
      continue;
    }
    if (char === '{') open.push('}');
    if (char === '[') open.push(']');
    if (char !== '}' && char !== ']') continue;
    open.pop();
    if (open.length === 0) return { json: text.slice(from, at + 1), cut: false };
    closable = { end: at + 1, depth: open.length };
  }
  if (!closable) return undefined;
  // What was opened since is cut off; what was open there still is.
  const tail = open.slice(0, closable.depth).toReversed().join('');
  return { json: text.slice(from, closable.end) + tail, cut: true };
};
