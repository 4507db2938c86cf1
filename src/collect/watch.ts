import { clockTime } from '../text/ages.ts';
import type { Collector } from './collector.ts';

const EVERY_MS = 2_000;
const LASTS_MS = 10 * 60_000;

/** `w`: a pane is asked every 2 s for 10 minutes. */
export interface Watch {
  /** Starts it, or ends it when it is on; gives until when (UTC ms), or undefined when it ended. */
  toggle(system: string): number | undefined;
  badges(): readonly string[];
  close(): void;
}

/** Nobody watches yet. One question per probe and host at a time: a slow host is asked as fast as it answers. */
export const createWatch = (
  collector: Pick<Collector, 'clock' | 'systems' | 'slots' | 'readNow' | 'store'>,
  onChange: () => void,
): Watch => {
  const { clock, systems, store } = collector;
  const open = new Map<string, { until: number; end: AbortController }>();

  const readsOf = (system: string): { probe: string; host: string }[] => {
    const probes = new Set(systems.find(({ id }) => id === system)?.probes.map(({ id }) => id));
    const slots = collector
      .slots()
      .filter(
        ({ probe, everyMs }) => probes.has(probe.id) && everyMs > 0 && !probe.background && !probe.mayHang,
      )
      // A host that cannot be reached is left to its back-off.
      .filter(({ probe, host }) => store.source(probe.id, host.name)?.failure?.kind !== 'connect');
    const least = Math.min(...slots.map(({ everyMs }) => everyMs));
    return slots
      .filter(({ everyMs }) => everyMs === least)
      .map(({ probe, host }) => ({ probe: probe.id, host: host.name }));
  };

  const run = async (system: string, signal: AbortSignal, untilMono: number): Promise<void> => {
    while (!signal.aborted && clock.mono() < untilMono) {
      await collector.readNow(readsOf(system), signal, 'together');
      await clock.sleep(EVERY_MS, signal);
    }
    if (open.get(system)?.end.signal === signal) open.delete(system);
    onChange();
  };

  return {
    toggle: (system) => {
      const on = open.get(system);
      if (on) {
        open.delete(system);
        on.end.abort();
        onChange();
        return undefined;
      }
      const end = new AbortController();
      const until = clock.now() + LASTS_MS;
      open.set(system, { until, end });
      void run(system, end.signal, clock.mono() + LASTS_MS);
      return until;
    },
    badges: () =>
      [...open].map(
        ([system, { until }]) =>
          `watching ${systems.find(({ id }) => id === system)?.title ?? system} until ${clockTime(until, clock.now())}`,
      ),
    close: () => {
      for (const { end } of open.values()) end.abort();
    },
  };
};
