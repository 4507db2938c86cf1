/** Line editing as a terminal's driver does it: echo and Backspace. */
export interface LineEditor {
  isEmpty(): boolean;
  clear(): void;
  /** The line, when Enter ends it. */
  type(char: string): string | undefined;
}

export const createLineEditor = (show: (text: string) => void): LineEditor => {
  let line = '';
  return {
    isEmpty: () => line === '',
    clear: () => {
      line = '';
    },
    type: (char) => {
      const typed = line;
      if (char === '\r' || char === '\n') {
        show('\n');
        line = '';
        return typed;
      }
      if (char === '\u007F' || char === '\b') {
        if (line !== '') show('\b \b');
        line = line.slice(0, -1);
      } else if (char >= ' ') {
        line += char;
        show(char);
      }
      return undefined;
    },
  };
};
