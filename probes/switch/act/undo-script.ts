import type { Dialect } from '../../../src/model/answer.ts';
import { joinInOneLine } from '../../../src/text/shell.ts';
import proof from './undo-proof.sh';
import undo from './undo.sh';

/** How an undo host reaches the port: a device's command line, its shell, or commands of its own (a fabric). */
export type Reach = 'cli' | 'sh' | 'here';

/** What an undo is made of. Every expression is an extended regular one, for any case. */
export interface UndoWords {
  reach: Reach;
  /** The device, or the host itself. */
  host: string;
  /** What a command line says when it refuses; unused elsewhere. */
  refuses: string;
  /** The prompt in the configuration of the port. */
  prompt: string;
  /** Stands in a line of `look` when the port is not switched off. */
  on: string;
  undo: readonly string[];
  look: readonly string[];
}

/** Of a dialect, as `grep -E` reads it. */
export const refusalsOf = (dialect: Dialect | undefined): string => (dialect?.errors ?? []).join('|');

/** The words behind either script, as undo-way.sh takes them. */
export const wordsOf = ({ reach, refuses, prompt, on, host, undo, look }: UndoWords): readonly string[] => [
  reach,
  refuses,
  prompt,
  on,
  host,
  String(undo.length),
  ...undo,
  ...look,
];

/** Shows that the undo can do what it will have to. Its words: those of `wordsOf`. */
export const proofScript = joinInOneLine(proof);

/** Undoes it, until it is seen. Its words: the journal (or nothing), the file in which it tells that it could not, the port, this host, and those of `wordsOf`. */
export const undoScript = joinInOneLine(undo);
