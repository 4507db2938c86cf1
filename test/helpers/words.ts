import fc from 'fast-check';

/**
 * Any state text: words that stand in the table, the same in another case, cut, longer, with a mark of Slurm's or a blank, and what nobody
 * has ever printed.
 */
export const anyWord = (known: readonly string[]): fc.Arbitrary<string> => {
  const one = fc.constantFrom(...known);
  return fc.oneof(
    one,
    one.map((word) => word.toLowerCase()),
    one.map((word) => word.toUpperCase()),
    one.map((word) => word.slice(0, -1)),
    fc
      .tuple(one, fc.constantFrom('X', '_2', '*', '~', '#', '$', '@', '^', '!', '%', '-', '+', '?'))
      .map((two) => two.join('')),
    fc.stringMatching(/^[A-Za-z_]{1,12}$/),
  );
};
