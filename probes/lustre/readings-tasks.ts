import * as z from 'zod';

/** Where tasks leave their state, on the client host that does the work. */
export const taskFolder = '/var/tmp/faultline-tasks';

export const taskKinds = ['drain', 'list', 'fid'] as const;
export type TaskKind = (typeof taskKinds)[number];
/** `stuck`: a pass moved nothing, only files that are skipped remain. */
export const taskStates = ['listing', 'migrating', 'done', 'stuck', 'failed', 'cancelled'] as const;

const taskSchema = z.object({
  kind: z.enum(taskKinds),
  state: z.enum(taskStates),
  /** The OST, or the FID. */
  target: z.string(),
  id: z.string(),
  pass: z.number(),
  /** Files that the last list found. */
  total: z.number(),
  /** Files moved since the start, and up to the pass under way. */
  done: z.number(),
  base: z.number(),
  /** Files skipped in the last pass. */
  skipped: z.number(),
  /** Lists in a row that found nothing. */
  empty: z.number(),
  /** Of the list under way: top directories listed, all of them, files found in those that are listed, s since it began. */
  listing: z.object({ dirs: z.number(), of: z.number(), found: z.number(), seconds: z.number() }).optional(),
  /** How long ago the worker gave a sign of life when it was read, by its own host's clock; s. */
  silentS: z.number().optional(),
  mount: z.string().optional(),
  /** Folder with the list, the skipped files and the errors. */
  work: z.string().optional(),
  result: z.string().optional(),
  startedAt: z.number().optional(),
  updatedAt: z.number().optional(),
  endedAt: z.number().optional(),
});
export type Task = z.infer<typeof taskSchema>;

/** Tasks of any console on one client host. */
export const tasksSchema = z.object({ tasks: z.array(taskSchema) });
export type TasksReading = z.infer<typeof tasksSchema>;
