import type { Token } from '../tokens.ts';

/** A text after a key: undefined when the key is not for the text. */
export const edited = (text: string, token: Token): string | undefined => {
  if (token.char !== undefined) return `${text}${token.char}`;
  if (token.name === 'Backspace' || token.name === 'Delete') return [...text].slice(0, -1).join('');
  if (token.name === 'Ctrl-U') return '';
  if (token.name === 'Ctrl-W') return text.replace(/\S*\s*$/, '');
  return undefined;
};
