import * as z from 'zod';

export const sweepTaskSchema = z.object({
  id: z.string(),
  /** Hosts in the sweep, tests that this one sends. */
  hosts: z.number(),
  tests: z.number(),
  rounds: z.number(),
  /** The round under way, from 1; 0: none yet. */
  round: z.number(),
  /** Seconds from round to round. */
  slot: z.number(),
  /** When the word to begin came here, UTC ms by our clock; absent: not yet. */
  startedAt: z.number().optional(),
  updatedAt: z.number(),
  state: z.enum(['armed', 'running', 'done', 'cancelled', 'expired', 'vanished']),
});
export type SweepTask = z.infer<typeof sweepTaskSchema>;

/** It waits for its word, or is at work. */
export const isOpen = ({ state }: Pick<SweepTask, 'state'>): boolean =>
  state === 'armed' || state === 'running';

const states = new Map(
  (['armed', 'running', 'done', 'cancelled', 'expired'] as const).map((state) => [`${state}`, state]),
);

/**
 * A host's part of its last sweep by its state file; undefined when it is not one. `hostNow`: UTC ms by the clock of the host;
 * `off`: what to add to its times. A part that should long be over and says nothing has vanished.
 */
export const parseSweepTask = (body: string, off: number, hostNow: number): SweepTask | undefined => {
  const fields = new Map(
    [...body.matchAll(/^([a-z]+)=(.*)$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  );
  const number = (name: string): number => Number(/^\d+$/.exec(fields.get(name) ?? '')?.[0] ?? Number.NaN);
  const id = fields.get('id') ?? '';
  const state = states.get(fields.get('state') ?? '');
  const [hosts, tests, rounds, round, slot] = ['hosts', 'tests', 'rounds', 'round', 'slot'].map(number);
  const [started, updated] = [number('started') * 1000, number('updated') * 1000];
  const task = {
    id,
    hosts,
    tests,
    rounds,
    round,
    slot,
    ...(started > 0 && { startedAt: started + off }),
    updatedAt: updated + off,
    state,
  };
  const parsed = sweepTaskSchema.safeParse(task);
  if (!parsed.success || id === '') return undefined;
  const one = parsed.data;
  const longest = (one.state === 'armed' ? 240 : one.slot * 2 + 60) * 1000;
  return isOpen(one) && hostNow - updated > longest ? { ...one, state: 'vanished' } : one;
};
