import * as z from 'zod';
import type { ResultRow } from './read/result.ts';
import { sweepTaskSchema } from './sweep/task.ts';

/** `{tool: 'iperf3', version: '3.12'}`: what a host has. */
export const toolSchema = z.object({ tool: z.enum(['iperf3', 'iperf2']), version: z.string() });
export type Tool = z.infer<typeof toolSchema>;

export const toolsSchema = z.object({
  tools: z.array(toolSchema),
  /** TCP ports that something listens on. */
  listening: z.array(z.number()),
});
export type ToolsReading = z.infer<typeof toolsSchema>;

export const factsSchema = z.object({
  nic: z.string(),
  kernel: z.string().optional(),
  driver: z.string().optional(),
  firmware: z.string().optional(),
  mtu: z.number().optional(),
  /** Mbit/s as the NIC says. */
  speedMbps: z.number().optional(),
  /** Mbit/s of the fastest mode that the NIC supports. */
  supportedMbps: z.number().optional(),
  duplex: z.enum(['full', 'half']).optional(),
  adaptiveRx: z.boolean().optional(),
  rxUsecs: z.number().optional(),
  /** The NIC's interrupts: number, name in /proc/interrupts, cores on which they are served (`3`) and may be (`0-7`). */
  queues: z.array(
    z.object({
      irq: z.number(),
      name: z.string(),
      cores: z.string().optional(),
      allowed: z.string().optional(),
    }),
  ),
  cores: z.number().optional(),
  /** Whether the irqbalance daemon runs; absent when that could not be told. */
  irqbalance: z.boolean().optional(),
  /** Largest buffer, bytes. */
  rmemMax: z.number().optional(),
  wmemMax: z.number().optional(),
  load: z.number().optional(),
});
export type FactsReading = z.infer<typeof factsSchema>;

const rowSchema: z.ZodType<ResultRow> = z.custom<ResultRow>(
  (value) => typeof value === 'object' && value !== null && 'bps' in value,
);

export const runSchema = z.object({
  /** Made by the host that ran the client: `1763683200-4711`. */
  id: z.string(),
  client: z.string(),
  server: z.string(),
  tool: z.enum(['iperf3', 'iperf2']),
  seconds: z.number(),
  streams: z.number(),
  mode: z.enum(['forward', 'reverse', 'both']),
  window: z.string().optional(),
  sweep: z.string().optional(),
  /** UTC ms by the clock of the host, put right when that is off. */
  startedAt: z.number(),
  endedAt: z.number().optional(),
  /** ms, from ping before the test. */
  rttMs: z.number().optional(),
  port: z.number().optional(),
  /** Of the interface by which the client sends, and how many of 2 pings with DF got an answer: of that size, and of 1500 bytes. */
  mtu: z.number().optional(),
  fullPings: z.number().optional(),
  standardPings: z.number().optional(),
  /** Per cent of a core that iperf3 took at each end (`-V`, cpu_utilization_percent with `-J`). */
  cpu: z.object({ client: z.number(), server: z.number() }).optional(),
  /** `cancelled`, `unwatched`, `noConnection`, `silent`; absent: it ended by itself. */
  why: z.string().optional(),
  /** No end was written and nothing runs any more: the host or the script was killed. */
  vanished: z.boolean(),
  status: z.enum(['running', 'ok', 'partial', 'error']),
  error: z.string().optional(),
  version: z.string().optional(),
  streamRows: z.array(rowSchema),
  intervals: z.array(rowSchema),
  /** Source port of each stream id. */
  sourcePorts: z.record(z.string(), z.number()),
  retransmits: z.number().optional(),
});
export type IperfRun = z.infer<typeof runSchema>;

/** What the interfaces of this host carried while a test ran, its bytes and all others'; of the last test of each pair. */
export const carriedSchema = z.object({
  /** `CLIENT:SERVER`. */
  pair: z.string(),
  /** UTC ms of the beginning, as `startedAt` of a run; the counters were looked at again so many seconds later. */
  at: z.number(),
  seconds: z.number(),
  nics: z.array(z.object({ nic: z.string(), rxBytes: z.number(), txBytes: z.number() })),
});
export type Carried = z.infer<typeof carriedSchema>;

export const runsSchema = z.object({
  runs: z.array(runSchema),
  /** Absent: the host keeps none. */
  carried: z.array(carriedSchema).optional(),
  /** Servers that a test started on this host and that still run. */
  servers: z.array(z.object({ pair: z.string(), port: z.number() })),
  /** This host's part of the last sweep that it was in. */
  sweep: sweepTaskSchema.optional(),
  /** Folders of tests that are another login's, and so are not read: `/var/tmp/faultline-tasks is not ours: directory of eve (12345), drwxr-xr-x`. */
  others: z.array(z.string()).optional(),
});
export type RunsReading = z.infer<typeof runsSchema>;
