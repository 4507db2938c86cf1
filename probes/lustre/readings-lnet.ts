import * as z from 'zod';

/** A network interface of LNet (NI). Counts since LNet was loaded. */
export const railSchema = z.object({
  /** `10.11.0.3@o2ib1`. */
  nid: z.string(),
  /** `ib1`; several where one NI bundles them. */
  interfaces: z.array(z.string()),
  /** `up`, `down`. */
  status: z.string().optional(),
  sent: z.number().optional(),
  received: z.number().optional(),
  dropped: z.number().optional(),
  /** 0 to 1000; falls with messages that fail, from 2.12 on. */
  health: z.number().optional(),
});
export type Rail = z.infer<typeof railSchema>;

/** A server's own ways into the network. The loopback of LNet (`0@lo`) is left out. */
export const lnetSchema = z.object({
  rails: z.array(railSchema),
  /** What it is reached by: `lctl list_nids`, else those of its interfaces. */
  nids: z.array(z.string()),
  /** Why there is no word of the interfaces: lnetctl is missing (2.5), or may not be run. */
  unread: z.string().optional(),
});
export type LnetReading = z.infer<typeof lnetSchema>;

/** By which NIDs a host looks for targets that it does not reach. */
export const waysSchema = z.object({
  ways: z.array(
    z.object({
      /** `scratch-OST0007`. */
      target: z.string(),
      nids: z.array(z.string()),
    }),
  ),
});
export type WaysReading = z.infer<typeof waysSchema>;
