/** What Ink's `useInput` says of a chunk; only the flags used here. */
export interface InkKey {
  upArrow: boolean;
  downArrow: boolean;
  leftArrow: boolean;
  rightArrow: boolean;
  pageDown: boolean;
  pageUp: boolean;
  home: boolean;
  end: boolean;
  return: boolean;
  escape: boolean;
  tab: boolean;
  backspace: boolean;
  delete: boolean;
  ctrl: boolean;
  shift: boolean;
  meta: boolean;
  eventType?: 'press' | 'repeat' | 'release';
}

/** One key press. `alone` is false when it came in one chunk with others: a paste, a held key or a slow line. */
export interface Token {
  name: string;
  /** The character, when it is text. */
  char?: string;
  alone: boolean;
  repeat: boolean;
}

const flagged: readonly (readonly [keyof InkKey, string])[] = [
  ['upArrow', 'Up'],
  ['downArrow', 'Down'],
  ['leftArrow', 'Left'],
  ['rightArrow', 'Right'],
  ['pageUp', 'PgUp'],
  ['pageDown', 'PgDn'],
  ['home', 'Home'],
  ['end', 'End'],
  ['return', 'Enter'],
  ['escape', 'Esc'],
  ['backspace', 'Backspace'],
  ['delete', 'Delete'],
];

const controls: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Enter',
  '\t': 'Tab',
  '\u001B': 'Esc',
  '\u007F': 'Backspace',
  '\b': 'Backspace',
};

/**
 * Key presses of one input chunk. Ink splits chunks only at escape sequences, so a fast typist or a slow line gives
 * `jjj` or `abc\r` at once: every code point is a key of its own.
 */
export const tokensOf = (input: string, key: InkKey): Token[] => {
  if (key.eventType === 'release') return [];
  const repeat = key.eventType === 'repeat';
  if (key.tab) return [{ name: key.shift ? 'Shift-Tab' : 'Tab', alone: true, repeat }];
  const flag = flagged.find(([name]) => key[name] === true);
  if (flag) return [{ name: flag[1], alone: true, repeat }];
  if (key.ctrl) return input === '' ? [] : [{ name: `Ctrl-${input.toUpperCase()}`, alone: true, repeat }];
  if (key.meta) return input === '' ? [] : [{ name: `Alt-${input}`, alone: true, repeat }];
  const points = [...input];
  return points.map((char) => tokenOf(char, points.length === 1, repeat));
};

const tokenOf = (char: string, alone: boolean, repeat: boolean): Token => {
  const control = controls[char];
  if (control !== undefined) return { name: control, alone, repeat };
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) return { name: `Ctrl-${String.fromCharCode(code + 0x40)}`, alone, repeat };
  return { name: char === ' ' ? 'Space' : char, char, alone, repeat };
};

/** A text after a key that writes or deletes; undefined: the key is not for the text. */
export const editText = (text: string, { name, char }: Token): string | undefined => {
  if (char !== undefined) return `${text}${char}`;
  if (name === 'Backspace' || name === 'Delete') return [...text].slice(0, -1).join('');
  if (name === 'Ctrl-U') return '';
  return name === 'Ctrl-W' ? text.replace(/\S*\s*$/, '') : undefined;
};
