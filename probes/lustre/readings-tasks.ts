import { z } from 'zod';

/** Where tasks leave their state, on the client host that does the work. */
export const taskFolder = '/var/tmp/faultline-tasks';

export const taskKinds = ['drain', 'list', 'fid'] as const;
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
  /** Files moved since the start. */
  done: z.number(),
  skipped: z.number(),
  /** Lists in a row that found nothing. */
  empty: z.number(),
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
