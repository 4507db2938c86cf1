import * as z from 'zod';
import { dropUndefined } from '../../src/kit/known.ts';

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

const partSchema = z.object({
  /** The enclosure's id in sysfs. */
  enclosure: z.string(),
  /** In the words of sg_ses: `Power supply`, `Cooling`, `Temperature sensor`. */
  kind: z.string(),
  /** From 0, as the tool counts those of its kind. */
  index: z.number(),
  status: z.string(),
  predicted: z.literal(true).optional(),
  flags: z.array(z.string()).optional(),
});
export type EnclosurePart = z.infer<typeof partSchema>;

/** Slots of the enclosures of a host, and what of their LEDs goes out by itself. */
export const enclosuresSchema = z.object({
  enclosures: z.array(enclosureSchema),
  /** What enclosures have besides slots; absent: sg_ses is not there. */
  parts: z.array(partSchema).optional(),
  /** Why the parts of one were not read. */
  partsUnread: z.string().optional(),
  /** Disks with a timer of ours that puts their LED out; absent: systemd did not say. */
  timers: z.array(z.string()).optional(),
  /** ledctl is installed. */
  ledctl: z.boolean(),
  /** Why slots were not read. */
  unread: z.string().optional(),
});
export type EnclosuresReading = z.infer<typeof enclosuresSchema>;

/** A disk behind a controller: `c0 32:5`, HPE `c0 1I:1:5`; `id` is what the tool calls it. */
export interface ControllerDisk {
  controller: string;
  id: string;
  /** Absent where the tool names none. */
  enclosure?: string;
  slot: string;
}

/** storcli and MegaCli `32:5` or `:5`; ssacli port, box and bay, of which the first two are the enclosure. */
const key = /^c(\d{1,3}) (?:(\d{1,4})?:(\d{1,4})|(\d{1,2}[A-Z]:\d{1,3}):(\d{1,3}))$/;

export const controllerDisk = (text: string): ControllerDisk | undefined => {
  const [, controller, enclosure, slot, box, bay] = key.exec(text) ?? [];
  const place = slot ?? bay;
  return controller === undefined || place === undefined
    ? undefined
    : {
        controller,
        id: text.slice(text.indexOf(' ') + 1),
        slot: place,
        ...dropUndefined({ enclosure: enclosure ?? box }),
      };
};
