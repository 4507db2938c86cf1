/** What a hand did with the mouse; cells count from 0 at the upper left. */
export interface MouseEvent {
  what: 'click' | 'wheelUp' | 'wheelDown';
  column: number;
  line: number;
}

/** Buttons and the wheel, no movement (1000), as decimal numbers (1006): xterm's ctlseqs, "Mouse Tracking". */
export const MOUSE_ON = '\u001B[?1000h\u001B[?1006h';
export const MOUSE_OFF = '\u001B[?1006l\u001B[?1000l';

/** Codes of the left button and the wheel, without Shift, Alt or Ctrl. */
const kinds: Readonly<Record<string, MouseEvent['what']>> = { 0: 'click', 64: 'wheelUp', 65: 'wheelDown' };

const PASTE_BEGIN = '\u001B[200~';
const PASTE_END = '\u001B[201~';

/** A report, or where a paste begins. */
const known = /\u001B\[(?:<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])|200~)/g;

/** What may become a report when more comes. */
const open = /\u001B(?:\[(?:<[\d;]*|20?0?)?)?$/;

export interface MouseReader {
  /** Takes what came from the terminal, and gives what of it is keys. */
  take(chunk: string): { keys: string; events: readonly MouseEvent[] };
  /** Whether a part of a report is kept back. */
  isWaiting(): boolean;
  /** Nothing more came: gives what of it is a key. */
  giveUp(): string;
}

/**
 * Takes reports of the mouse out of what a terminal sends. A report that is cut moves nothing and types nothing, wherever the cut is; what
 * a paste holds is left as it is.
 */
export const createMouseReader = (): MouseReader => {
  let kept = '';
  let isPasting = false;
  /** The rest of a report whose begin was given up. */
  let rest: RegExp | undefined;

  const takeKeys = (text: string, events: MouseEvent[]): string => {
    let keys = '';
    let from = 0;
    known.lastIndex = 0;
    for (let found = known.exec(text); found; found = known.exec(text)) {
      keys += text.slice(from, found.index);
      from = found.index;
      const [whole, button, column = '', line = '', end] = found;
      if (button === undefined) {
        isPasting = true;
        return keys + takePaste(text.slice(from), events);
      }
      from += whole.length;
      const what = end === 'M' ? kinds[button] : undefined;
      if (what) events.push({ what, column: Number(column) - 1, line: Number(line) - 1 });
    }
    const left = text.slice(from);
    const cut = open.exec(left)?.index ?? left.length;
    kept = left.slice(cut);
    return keys + left.slice(0, cut);
  };

  const takePaste = (text: string, events: MouseEvent[]): string => {
    const at = text.indexOf(PASTE_END, text.startsWith(PASTE_BEGIN) ? PASTE_BEGIN.length : 0);
    if (at < 0) return text;
    isPasting = false;
    const end = at + PASTE_END.length;
    return text.slice(0, end) + takeKeys(text.slice(end), events);
  };

  return {
    take: (chunk) => {
      const text = rest === undefined ? chunk : chunk.replace(rest, '');
      rest = undefined;
      const events: MouseEvent[] = [];
      const whole = kept + text;
      kept = '';
      const keys = isPasting ? takePaste(whole, events) : takeKeys(whole, events);
      return { keys, events };
    },
    isWaiting: () => kept !== '',
    giveUp: () => {
      const given = kept;
      kept = '';
      rest = given.includes('<') ? /^[\d;]*[Mm]/ : given.includes('[') ? /^<[\d;]*[Mm]/ : /^\[<[\d;]*[Mm]/;
      return given.includes('<') ? '' : given;
    },
  };
};

/** So long what may become a report is kept back: a key (Esc) comes that much later. */
const WAIT_MS = 25;

/**
 * Puts a reader between a terminal and whoever calls `read` on it, as Ink does. Gives how to take it out again.
 */
export const readMouse = (stdin: NodeJS.ReadStream, tell: (event: MouseEvent) => void): (() => void) => {
  const reader = createMouseReader();
  const read = stdin.read.bind(stdin);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late = '';
  const giveUp = (): void => {
    late = reader.giveUp();
    if (late !== '') stdin.emit('readable');
  };
  stdin.read = (size?: number) => {
    if (late !== '') {
      const key = late;
      late = '';
      return key;
    }
    for (let chunk: unknown = read(size); chunk !== null; chunk = read(size)) {
      if (typeof chunk !== 'string') return chunk;
      clearTimeout(timer);
      const { keys, events } = reader.take(chunk);
      if (reader.isWaiting()) timer = setTimeout(giveUp, WAIT_MS);
      for (const event of events) tell(event);
      if (keys !== '') return keys;
    }
    return null;
  };
  return () => {
    clearTimeout(timer);
    stdin.read = read;
  };
};
