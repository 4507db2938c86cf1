import type { Reread } from '../model/action.ts';
import type { HostView } from '../model/site.ts';
import type { Probe, System } from '../model/system.ts';
import type { AskParts } from './ask.ts';
import { askedHosts } from './on-site.ts';
import { isBlocked } from './prepare-ask.ts';
import { createSlot, slotKey, type Slot } from './slot.ts';

export type Slots = ReturnType<typeof createSlots>;

/** The slots of a site, every probe on every host with its role; each has its place in the store from now on. */
export const createSlots = ({
  site,
  systems,
  store,
  readOnly,
}: Pick<AskParts, 'site' | 'store'> & { systems: readonly System[]; readOnly: boolean }) => {
  const slots = new Map<string, Slot>();
  const systemOf = new Map<string, string>();
  /** Of 10,000 hosts a place is made for those that are asked. */
  const forAnyHost = new Map<string, Probe>();

  // Traffic never goes by an interval: only when a person asks, or at its time of day.
  const everyMs = (probe: Probe): number =>
    probe.touches === 'traffic' ? 0 : (site.intervals[probe.id] ?? probe.everyMs);
  const add = (probe: Probe, host: HostView, turn = 0): Slot => {
    const slot = createSlot(probe, host, everyMs(probe), turn);
    slots.set(slot.key, slot);
    store.add(slot);
    if (isBlocked(slot, readOnly))
      store.noteNotAsked(slot, { kind: 'readOnly', message: 'not asked: read-only' });
    return slot;
  };
  for (const system of systems) {
    for (const probe of system.probes) {
      systemOf.set(probe.id, system.id);
      if (probe.role === '*' && everyMs(probe) === 0) forAnyHost.set(probe.id, probe);
      else for (const [turn, host] of askedHosts(probe, site).entries()) add(probe, host, turn);
    }
  }

  return {
    all: (): readonly Slot[] => [...slots.values()],
    /** Throws where this probe is not asked on this host. */
    find: (read: Reread): Slot => {
      const probe = forAnyHost.get(read.probe);
      const host = probe && site.host(read.host);
      const slot = slots.get(slotKey(read.probe, read.host)) ?? (host && add(probe, host));
      if (!slot) throw new Error(`${read.probe} is not asked on ${read.host}`);
      return slot;
    },
    /** What any host can be asked, on demand only. */
    forAnyHost: (): readonly string[] => [...forAnyHost.keys()],
    systemOf: (slot: Slot): string | undefined => systemOf.get(slot.probe.id),
  };
};
