import * as z from 'zod';

const slotSchema = z.object({
  /** The folder of the slot in sysfs: `Slot 07`, `ArrayDevice07`. */
  name: z.string(),
  /** Its number as the enclosure counts. */
  number: z.number().optional(),
  disk: z.string().optional(),
  /** In the words of the kernel: `OK`, `critical`, `not installed`. */
  status: z.string().optional(),
  fault: z.boolean().optional(),
  /** Its locate LED; absent: it has none, or it was not read. */
  lit: z.boolean().optional(),
});
export type EnclosureSlot = z.infer<typeof slotSchema>;

const enclosureSchema = z.object({
  /** As the kernel names it, by its SCSI address: `6:0:24:0`. */
  id: z.string(),
  slots: z.array(slotSchema),
});
export type Enclosure = z.infer<typeof enclosureSchema>;

/** Slots of the enclosures of a host, and what of their LEDs goes out by itself. */
export const enclosuresSchema = z.object({
  enclosures: z.array(enclosureSchema),
  /** Disks with a timer of ours that puts their LED out; absent: systemd did not say. */
  timers: z.array(z.string()).optional(),
  /** ledctl is installed. */
  ledctl: z.boolean(),
  /** Why slots were not read. */
  unread: z.string().optional(),
});
export type EnclosuresReading = z.infer<typeof enclosuresSchema>;
