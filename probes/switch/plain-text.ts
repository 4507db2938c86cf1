import { z } from 'zod';

/** What an operator types, and what goes into a line of the journal as it is: nothing in it needs escaping. */
export const plainText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()-]{1,120}$/, {
    error: '1 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });
