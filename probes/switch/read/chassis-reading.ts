import * as z from 'zod';
import { dropAbsent } from './rows.ts';

const spanningSchema = z.object({
  /** Canonical name here, and at the other chassis where the device names it. */
  lag: z.string(),
  peerLag: z.string().optional(),
  /** Members of the other chassis, where the device counts them itself. */
  peer: z.object({ members: z.number(), active: z.number() }).optional(),
  /** As of the whole device, where this one is told of by itself. */
  lost: z.string().optional(),
  /** Why it is not known whether the device sees the other chassis. */
  doubt: z.string().optional(),
});
type Spanning = z.infer<typeof spanningSchema>;

/** Which LAGs of a device are one with LAGs of a second chassis (MLAG, vPC, VLT, MC-LAG). */
export const chassisSchema = z.object({
  /** Nothing of the kind is set up; or it is, and the LAGs are all of them; or they could not be asked for yet. */
  spans: z.enum(['no', 'listed', 'unknown']),
  lags: z.array(spanningSchema),
  /** The LAG between the two chassis. */
  peerLink: z.string().optional(),
  /** What the device says while it does not see the other chassis: nobody knows then what that one carries. */
  lost: z.string().optional(),
  /** Of OS10: what its LAGs are asked by. */
  domain: z.string().optional(),
});
export type ChassisReading = z.infer<typeof chassisSchema>;

/** An answer's sections by the line that was typed, and how a LAG is called here. */
export interface ChassisAnswer {
  ok: boolean;
  /** With what was said on standard error when it is not ok: there stands which command a device does not know. */
  stdout: string;
  section(line: string): string;
  lag(text: string | undefined): string | undefined;
}

export const noneSpans: ChassisReading = { spans: 'no', lags: [] };

/** A LAG of the list whose name is not understood could be any: then nobody knows which LAGs span both. */
export const chassisReadingOf = (
  lags: readonly { [K in keyof Spanning]: Spanning[K] | undefined }[],
  peerLink?: string,
  lost?: string,
): ChassisReading | undefined => {
  const known = lags.flatMap((one) =>
    one.lag === undefined ? [] : [dropAbsent<Spanning>({ ...one, lag: one.lag })],
  );
  if (known.length < lags.length) return undefined;
  return {
    spans: 'listed',
    lags: known,
    ...(peerLink !== undefined && { peerLink }),
    ...(lost !== undefined && { lost }),
  };
};

/** How many lines of a table begin as its rows do: one that is read no further could be any LAG. */
export const rowsIn = (table: string, begins: RegExp): number => [...table.matchAll(begins)].length;

/** What of these is said and not as it is while both chassis see each other: `state inactive, peer-link down`. */
export const lostPartsOf = (
  said: readonly (readonly [name: string, is: string | undefined, wanted: RegExp])[],
): string | undefined =>
  said
    .flatMap(([name, is, wanted]) => (is === undefined || wanted.test(is) ? [] : [`${name} ${is}`]))
    .join(', ') || undefined;
