import * as z from 'zod';

/** States in the words of Nagios plug-ins. */
export const states = ['ok', 'warning', 'critical', 'unknown'] as const;

export type State = (typeof states)[number];

/** Worst first: what is known to be bad is worse than what is not known. */
const order: readonly State[] = ['critical', 'warning', 'unknown', 'ok'];

export const worstState = (given: readonly State[]): State =>
  order.find((one) => given.includes(one)) ?? 'ok';

const valueSchema = z.object({
  name: z.string(),
  /** Absent: the plug-in could not tell it (`U`). */
  value: z.number().optional(),
  unit: z.string().optional(),
  /** Ranges as they were written, of the plug-in or of the site file. */
  warning: z.string().optional(),
  critical: z.string().optional(),
  /** Of the site file's ranges. */
  state: z.enum(states).optional(),
});

export type Value = z.infer<typeof valueSchema>;

/** What one check said of one host. */
export const checkSchema = z.object({
  state: z.enum(states),
  /** One line: what it said, or why nothing is known. */
  text: z.string(),
  /** Further lines. */
  more: z.array(z.string()),
  values: z.array(valueSchema),
});

export type CheckReading = z.infer<typeof checkSchema>;

/** What a check may say: what comes after is not kept. */
export const MOST = { text: 300, more: 50, values: 100, name: 80 } as const;
