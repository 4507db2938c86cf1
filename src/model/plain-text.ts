import * as z from 'zod';

/** A reason or note that an operator types, and that goes into commands and files as it is: nothing in it needs escaping. */
export const plainText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()-]{1,120}$/, {
    error: '1 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });
