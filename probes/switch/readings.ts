import * as z from 'zod';
import { repairParts } from '../../src/model/note.ts';
import { linkStates } from './read/link-words.ts';
import { standings } from './read/member-states.ts';

/** How a port is set, as far as its device tells. */
const settings = {
  speedMbps: z.number().optional(),
  mtu: z.number().optional(),
  duplex: z.enum(['full', 'half']).optional(),
  autoneg: z.boolean().optional(),
  fec: z.enum(['rs', 'fc', 'none']).optional(),
};

/** A port and its counters as the device gave them. `port` is canonical (`te3/46`), `name` the device's own spelling. */
export const portSchema = z.object({
  port: z.string(),
  name: z.string(),
  /** Indexes of SNMP by which its LLDP names it. */
  ifIndex: z.array(z.string()).optional(),
  /** The device's words. */
  link: z.string().optional(),
  admin: z.string().optional(),
  /** What these two say, in the platform's own table; absent when it does not name them. */
  state: z.enum(linkStates).optional(),
  /** Why the device itself took it down, in its words. */
  takenDown: z.string().optional(),
  /** What a person wrote beside a port that is shut. */
  description: z.string().optional(),
  memberOf: z.string().optional(),
  lastClear: z.string().optional(),
  ...settings,
  /** Share of its speed in use in the busier direction, 0..1, where the device tells that itself. */
  load: z.number().optional(),
  /** Seconds since its link last came up or went down, as the device said when it answered; coarse where it prints days. */
  changedAgoS: z.number().optional(),
  /** 64-bit counters by their names in docs/formats.md. */
  counts: z.record(z.string(), z.bigint()),
  /** Counters that stand at their maximum: at least this much. */
  saturated: z.array(z.string()).optional(),
});
export type Port = z.infer<typeof portSchema>;

export const countersSchema = z.object({ ports: z.array(portSchema) });
export type CountersReading = z.infer<typeof countersSchema>;

/** How ports are set, where it is asked for apart from their counters. */
export const settingsSchema = z.object({
  ports: z.array(z.object({ port: z.string(), ...settings })),
  /** Why nothing is told: the device knows no such command, or refuses it. */
  untold: z.string().optional(),
});
export type SettingsReading = z.infer<typeof settingsSchema>;

const memberSchema = z.object({
  /** Canonical: `po98`. */
  lag: z.string(),
  member: z.string(),
  state: z.string().optional(),
  /** What it does by that word, in its platform's own table; absent when the table does not name it. */
  standing: z.enum(standings).optional(),
  /** Carries traffic now, as the device says; absent when its word is not known here. */
  active: z.boolean().optional(),
});

export const lagsSchema = z.object({
  lags: z.array(z.object({ lag: z.string(), state: z.string().optional(), protocol: z.string().optional() })),
  members: z.array(memberSchema),
});
export type LagsReading = z.infer<typeof lagsSchema>;

export const neighborSchema = z.object({
  port: z.string(),
  neighbor: z.string().optional(),
  portText: z.string().optional(),
  portId: z.string().optional(),
  portDescription: z.string().optional(),
  chassisId: z.string().optional(),
});
export type Neighbor = z.infer<typeof neighborSchema>;
export const neighborsSchema = z.object({
  neighbors: z.array(neighborSchema),
  /** What the device calls itself: in its prompt, or as `uname -n` prints it. */
  ownName: z.string().optional(),
});
export type NeighborsReading = z.infer<typeof neighborsSchema>;

const limitsSchema = z.object({
  alarmHigh: z.number().optional(),
  warnHigh: z.number().optional(),
  warnLow: z.number().optional(),
  alarmLow: z.number().optional(),
});

/** One lane of a module; powers in dBm (milliwatts are converted), temperature in °C, limits are the module's own. */
export const laneSchema = z.object({
  port: z.string(),
  lane: z.number().optional(),
  txDbm: z.number().optional(),
  rxDbm: z.number().optional(),
  tempC: z.number().optional(),
  biasMa: z.number().optional(),
  tempLimits: limitsSchema.optional(),
  txLimits: limitsSchema.optional(),
  rxLimits: limitsSchema.optional(),
});
export type Lane = z.infer<typeof laneSchema>;
export const opticsSchema = z.object({ lanes: z.array(laneSchema) });
export type OpticsReading = z.infer<typeof opticsSchema>;

/** What was changed by hand on a port, as an operator noted it. */
export const repairSchema = z.object({
  /** UTC ms. */
  at: z.number(),
  /** `core3:te3/46`. */
  port: z.string(),
  part: z.enum(repairParts),
  text: z.string(),
  by: z.string(),
});
export type Repair = z.infer<typeof repairSchema>;
/** An undo that saw its port still switched off after several attempts, as it told itself. */
export const notRestoredSchema = z.object({
  /** UTC ms. */
  at: z.number(),
  port: z.string(),
  /** The host that it runs on. */
  host: z.string(),
  /** Why, in the device's words. */
  text: z.string(),
});
export type NotRestored = z.infer<typeof notRestoredSchema>;
/** Of one undo host. */
export const undosSchema = z.object({ failed: z.array(notRestoredSchema) });
export type UndosReading = z.infer<typeof undosSchema>;

export const journalSchema = z.object({
  repairs: z.array(repairSchema),
  /** Counters marked as the beginning of our own count. */
  baselines: z.array(z.object({ at: z.number(), port: z.string(), by: z.string() })),
  /** Ports that a console shut and nobody put back. */
  shut: z.array(
    z.object({
      at: z.number(),
      port: z.string(),
      by: z.string(),
      /** `nfs-sw1:te1/12`, where it was written down. */
      far: z.string().optional(),
    }),
  ),
  /** When consoles and their timers took ports down or brought them back. */
  moved: z.array(z.object({ at: z.number(), port: z.string() })),
  /** Ports that an undo could not restore, and nobody since. */
  notRestored: z.array(notRestoredSchema).optional(),
});
export type JournalReading = z.infer<typeof journalSchema>;

/** Replies of one client to pings of one size to one address. */
export const cellSchema = z.object({
  server: z.string(),
  bytes: z.number(),
  sent: z.number(),
  received: z.number(),
  /** The largest packet that the host itself or a router allows, when one said so. */
  mtu: z.number().optional(),
  error: z.string().optional(),
});
export type PingCell = z.infer<typeof cellSchema>;
export const matrixSchema = z.object({ cells: z.array(cellSchema) });
export type MatrixReading = z.infer<typeof matrixSchema>;

/** Undo timers of ours on an undo host. */
export const timersSchema = z.object({
  timers: z.array(z.object({ unit: z.string(), state: z.string() })),
});
export type TimersReading = z.infer<typeof timersSchema>;

/** What a client pings with. */
export const pingerSchema = z.object({ tool: z.enum(['fping', 'ping']) });
export type PingerReading = z.infer<typeof pingerSchema>;
