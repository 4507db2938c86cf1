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
  fleet,
  random,
}: Pick<AskParts, 'site' | 'store' | 'fleet'> & {
  systems: readonly System[];
  readOnly: boolean;
  random: () => number;
}) => {
  const slots = new Map<string, Slot>();
  const systemOf = new Map<string, string>();
  /** Of 10,000 hosts a place is made for those that are asked. */
  const forAnyHost = new Map<string, Probe>();
  const receivers = createReceivers();

  // Traffic never goes by an interval: only when a person asks, or at its time of day.
  const everyMs = (probe: Probe): number =>
    probe.touches === 'traffic' ? 0 : (site.intervals[probe.id] ?? probe.everyMs);
  const beats = new Map<string, number>();
  /** Hosts of a fleet are due at the same moment, which is another one for each probe. */
  const beatOf = (probe: Probe, host: HostView): number | undefined => {
    if (probe.touches !== 'nothing' || fleet?.has(host.name) !== true) return undefined;
    const beat = beats.get(probe.id) ?? random();
    beats.set(probe.id, beat);
    return beat;
  };
  const add = (probe: Probe, host: HostView, turn = 0): Slot => {
    const every = probe.onDemand?.has(host.name) ? 0 : everyMs(probe);
    const slot = createSlot(probe, host, every, turn, every === 0 ? undefined : beatOf(probe, host));
    if (probe.givenBy === undefined) slots.set(slot.key, slot);
    else receivers.add(slot, probe.givenBy);
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
    /** Those that the answer to this one brings readings for. */
    receiversOf: ({ probe }: Slot): readonly Slot[] => receivers.of(probe.id),
    /** Who is asked for a reading: itself, or who gives it. Throws where this probe is not asked on this host. */
    find: (read: Reread): Slot => {
      const probe = forAnyHost.get(read.probe);
      const host = probe && site.host(read.host);
      const key = slotKey(read.probe, read.host);
      const giver = receivers.giverOf(key);
      const asked =
        giver === undefined ? slots.get(key) : slots.values().find((one) => one.probe.id === giver);
      const slot = asked ?? (host && add(probe, host));
      if (!slot) throw new Error(`${read.probe} is not asked on ${read.host}`);
      return slot;
    },
    /** What any host can be asked, on demand only. */
    forAnyHost: (): readonly string[] => [...forAnyHost.keys()],
    systemOf: (slot: Slot): string | undefined => systemOf.get(slot.probe.id),
  };
};

/** Slots that are never asked, by the probe whose answers bring their readings. */
const createReceivers = () => {
  const byGiver = new Map<string, Slot[]>();
  const givers = new Map<string, string>();
  return {
    add: (slot: Slot, giver: string): void => {
      const known = byGiver.get(giver);
      if (known) known.push(slot);
      else byGiver.set(giver, [slot]);
      givers.set(slot.key, giver);
    },
    of: (giver: string): readonly Slot[] => byGiver.get(giver) ?? [],
    giverOf: (key: string): string | undefined => givers.get(key),
  };
};
