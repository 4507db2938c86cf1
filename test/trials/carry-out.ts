import type { Kind, Place, Report } from './kind.ts';
import type { TrialOptions } from './options.ts';
import type { Result } from './result.ts';

interface Task<World> {
  kind: Kind<World>;
  seed: number;
}

const tasksOf = <World>({ kinds }: Place<World>, { long, only, seeds }: TrialOptions): Task<World>[] =>
  kinds
    .filter(({ name }) => only.length === 0 || only.includes(name))
    .flatMap((kind) => {
      const all = seeds ?? Array.from({ length: long ? kind.long : kind.short }, (_, at) => at + 1);
      return all.map((seed) => ({ kind, seed }));
    });

const textOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${textOf(error.cause)}`;
};

/** The worlds of a place: opened when the first trial wants one. */
interface Worlds<World> {
  get(): Promise<World>;
  /** After a trial that could not be tried to its end. */
  spoilt(): Promise<void>;
  close(): Promise<void>;
}

/** Ways to end the worlds that stand now. */
const standing = new Set<() => Promise<void>>();

let ending = false;

/** Ends every world, whatever goes on in it, and begins no other: for whoever interrupts the trials. */
export const closeAll = async (): Promise<void> => {
  ending = true;
  await Promise.allSettled([...standing].map((close) => close()));
};

const worldsOf = <World>(place: Place<World>): Worlds<World> => {
  let world: Promise<World> | undefined;
  const close = async (): Promise<void> => {
    const open = world;
    world = undefined;
    standing.delete(close);
    if (open !== undefined) await open.then((one) => place.close(one)).catch(() => undefined);
  };
  // One that others are in the middle of is not taken from under them.
  const spoilt = place.beside === 'shared' ? async (): Promise<void> => undefined : close;
  const get = (): Promise<World> => {
    if (ending) throw new Error('the trials were interrupted');
    standing.add(close);
    return (world ??= place.open());
  };
  return { get, spoilt, close };
};

const TRIES = 3;

/** What broke is never tried again; what could not even begin is. */
const tryUntilTried = async (once: () => Promise<Report>): Promise<Report> => {
  let report = await once();
  for (let tries = 1; report.untried !== undefined && tries < TRIES; tries++) report = await once();
  return report;
};

const tryAll = async <World>(
  worlds: Worlds<World>,
  tasks: Task<World>[],
  tell: (result: Result) => void,
): Promise<void> => {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    const { kind, seed } = task;
    const { name, about } = kind;
    let began = performance.now();
    const told = (what: string, broke: readonly string[]): void =>
      tell({ kind: name, about, seed, what, broke, seconds: (performance.now() - began) / 1000 });
    try {
      const world = await worlds.get();
      began = performance.now();
      const { what, broke, untried } = await tryUntilTried(() => kind.try(world, seed));
      told(what, untried === undefined ? broke : [`it could not be tried: ${untried}`]);
    } catch (error) {
      if (ending) return;
      told('it could not be tried to its end', [textOf(error)]);
      await worlds.spoilt();
    }
  }
};

/**
 * Carries out what is asked for in one place. A trial that could not be tried to its end counts as broken; the next one begins in a
 * new world where worlds are not shared.
 */
export const carryOut = async <World>(
  place: Place<World>,
  options: TrialOptions,
  tell: (result: Result) => void,
): Promise<void> => {
  const tasks = tasksOf(place, options);
  if (tasks.length === 0) return;
  if (place.beside === 'shared') {
    const worlds = worldsOf(place);
    const lanes = Map.groupBy(tasks, ({ kind, seed }) => kind.lane?.(seed) ?? '');
    await Promise.all(lanes.values().map((lane) => tryAll(worlds, lane, tell)));
    return worlds.close();
  }
  const workers = Array.from({ length: Math.min(place.beside, tasks.length) }, async () => {
    const worlds = worldsOf(place);
    await tryAll(worlds, tasks, tell);
    await worlds.close();
  });
  await Promise.all(workers);
};
