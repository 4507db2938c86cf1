import * as z from 'zod';

/** Lines of a server's kernel that come from the quota code. */
export const kernelSchema = z.object({
  lines: z.array(
    z.object({
      /** UTC ms; absent where the line has no time. */
      at: z.number().optional(),
      text: z.string(),
    }),
  ),
  /** How many lines of any kind were read. */
  read: z.number(),
});
export type KernelReading = z.infer<typeof kernelSchema>;
