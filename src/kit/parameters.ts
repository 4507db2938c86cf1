import * as z from 'zod';

/** An action that asks for nothing. */
export const noParameters = z.strictObject({});
export type NoParameters = z.infer<typeof noParameters>;

/** A reason or note that an operator types, and that goes into commands and files as it is: nothing in it needs escaping. */
export const plainText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()-]{1,120}$/, {
    error: '1 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });
