import * as z from 'zod';

/** The HSM coordinator of one MDT. */
const coordinatorSchema = z.object({
  /** `scratch-MDT0000`. */
  name: z.string(),
  /** `enabled`, `disabled`, `stopped` (as after a mount, where HSM is not used), `purge`. */
  control: z.string().optional(),
  /** Copytools that are registered. */
  agents: z.number().optional(),
  /** Requests of the list that was read. */
  waiting: z.number(),
  started: z.number(),
  /** Of those that wait: somebody has opened a released file, and hangs. */
  restores: z.number(),
});
export type Coordinator = z.infer<typeof coordinatorSchema>;

export const hsmSchema = z.object({
  mdts: z.array(coordinatorSchema),
  /** The list of requests was longer than what is read. */
  cut: z.boolean(),
  /** Parameters that could not be read, each with the error. */
  failed: z.array(z.string()),
});
export type HsmReading = z.infer<typeof hsmSchema>;

/** Words of hsm_control by which requests are handed out (mdt_hsm_cdt_control_seq_show). */
export const isHandingOut = (control: string): boolean => control === 'enabled';
