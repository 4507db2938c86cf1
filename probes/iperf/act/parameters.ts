import * as z from 'zod';

const wholeNumber = (from: number, to: number, what: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, { error: `${what} must be a whole number from ${from} to ${to}` })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error: `${what} must be from ${from} to ${to}` });

/** Who takes nodes with jobs must say why. */
const reasonSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()][A-Za-z0-9 .,:;_/@#+=()-]{2,119}$/, {
    error: 'a reason of 3 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });

export const runParameters = z.strictObject({
  seconds: wholeNumber(1, 300, 'seconds').optional(),
  streams: wholeNumber(1, 64, 'streams').optional(),
  mode: z.enum(['forward', 'reverse', 'both'], { error: 'mode is forward, reverse or both' }).optional(),
  window: z
    .string()
    .regex(/^\d{1,6}[KM]$/, { error: 'a window like 512K or 4M' })
    .optional(),
  rate: wholeNumber(1, 400_000, 'rate (Mbit/s per stream)').optional(),
  takeOver: reasonSchema.optional(),
});
export type RunParameters = z.infer<typeof runParameters>;

export const runToParameters = runParameters.extend({
  to: z.string().trim().min(1, { error: 'a host' }).max(255),
});
export type RunToParameters = z.infer<typeof runToParameters>;

export const sweepParameters = z.strictObject({
  hosts: z.string().trim().min(1, { error: 'a node set: wn-d-[01-16]' }).max(400),
  /** Short: a sweep is many tests, and each ends by itself within 15 s whatever happens to the console. */
  seconds: wholeNumber(1, 7, 'seconds').optional(),
  takeOver: reasonSchema.optional(),
});
export type SweepParameters = z.infer<typeof sweepParameters>;

export const coalescingParameters = z.strictObject({
  adaptiveRx: z.enum(['on', 'off'], { error: 'adaptiveRx is on or off' }).optional(),
  rxUsecs: wholeNumber(0, 1000, 'rxUsecs').optional(),
});
export type CoalescingParameters = z.infer<typeof coalescingParameters>;
