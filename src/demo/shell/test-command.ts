import { absolutePath, type Shell } from './shell.ts';

const NUMBERS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};

const testUnary = (operator: string, operand: string, shell: Shell): boolean => {
  if (operator === '-n') return operand !== '';
  if (operator === '-z') return operand === '';
  const found = shell.outside.files.stat(absolutePath(shell, operand));
  if (operator === '-d') return found?.directory === true;
  if (operator === '-f') return found?.directory === false;
  if (operator === '-s') return (found?.size ?? 0) > 0;
  if (operator === '-h' || operator === '-L') return false;
  return found !== undefined;
};

/** `test`: whether the expression holds. Throws when it can't be read. */
export const isTrue = (words: readonly string[], shell: Shell): boolean => {
  const or = words.indexOf('-o', 1);
  if (or > 0 && words.length > 3)
    return isTrue(words.slice(0, or), shell) || isTrue(words.slice(or + 1), shell);
  const and = words.indexOf('-a', 1);
  if (and > 0 && words.length > 3)
    return isTrue(words.slice(0, and), shell) && isTrue(words.slice(and + 1), shell);
  const [first = '', second = '', third = ''] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return first !== '';
  if (words.length === 3 && second === '=') return first === third;
  if (words.length === 3 && second === '!=') return first !== third;
  const compare = NUMBERS[second];
  if (words.length === 3 && compare) {
    for (const word of [first, third]) if (!/^-?\d+$/.test(word)) throw new Error(`Illegal number: ${word}`);
    return compare(Number(first), Number(third));
  }
  if (first === '!') return !isTrue(words.slice(1), shell);
  if (words.length === 2 && /^-[a-zA-Z]$/.test(first)) return testUnary(first, second, shell);
  throw new Error(`${second}: unexpected operator`);
};
