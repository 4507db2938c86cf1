/** Terminals drop more than this (the limit of xterm and tmux is about 75,000 bytes of text). */
export const COPY_LIMIT = 70_000;

const base64 = (text: string): string => {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

/** The sequence that puts text on the clipboard of the operator's own terminal, also through ssh; tmux needs it wrapped. */
export const clipboardSequence = (text: string, insideTmux: boolean): string => {
  const sequence = `\u001B]52;c;${base64(text.slice(0, COPY_LIMIT))}\u0007`;
  return insideTmux ? `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\` : sequence;
};
