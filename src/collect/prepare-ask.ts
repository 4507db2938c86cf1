import type { Facts } from '../model/fact.ts';
import type { Clock } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { Ask, AskContext, Probe } from '../model/system.ts';
import { runOnBoard } from './doing.ts';
import { placeOf, type Slot } from './slot.ts';
import type { Store } from './store.ts';
import { READ_MS, runTogetherWithin, runWithin } from './within-time.ts';

export interface ContextParts {
  site: SiteView;
  store: Store;
  clock: Clock;
  facts?: () => Facts;
  /** As `AskContext.trial`. */
  trial?: true;
}

/** What a probe may look at. */
const askContext = (slot: Slot, { site, store, clock, facts, trial }: ContextParts): AskContext => {
  const last = store.source(slot.probe.id, slot.host.name)?.good;
  const more = { ...(last && { last }), ...(facts && { facts }), ...(trial && { trial }) };
  return { site, readings: store, now: clock.now(), ...more };
};

/** A read-only program never asks what touches anything. */
export const isBlocked = (slot: Slot, readOnly: boolean): boolean =>
  readOnly && slot.probe.touches !== 'nothing';

/** Whether to ask is looked at more often than asked, ms. */
const WHEN_MS = 500;

/** Whether the probe wants to be asked now. A `when` that throws or takes too long is asked for all the same: the ask then shows what is wrong. */
export const isWanted = (slot: Slot, parts: ContextParts): boolean => {
  try {
    const { when } = slot.probe;
    if (!when) return true;
    const context = askContext(slot, parts);
    const look = (): boolean => runOnBoard(placeOf(slot), () => when(slot.host, context));
    return looksAround(when) ? runWithin(look, WHEN_MS) : look();
  } catch {
    return true;
  }
};

/** What takes only the host can't be held up by what hosts said before, and needs no deadline (0.1 ms). */
const looksAround = (of: Probe['when'] | Probe['ask']): boolean => (of?.length ?? 0) > 1;

/** Those that want to be asked now: one deadline for all, where looking at each of thousands would cost more than asking. */
export const listWanted = (slots: readonly Slot[], parts: ContextParts): Slot[] => {
  const list = (): Slot[] => slots.filter((slot) => isWanted(slot, parts));
  return slots.some(({ probe }) => looksAround(probe.when)) ? runTogetherWithin(list, WHEN_MS) : list();
};

/** Asking one probe on one host, before anything is sent. A question that could not be made is the failure of its own ask. */
export interface PreparedAsk {
  context: AskContext;
  question: { ask: Ask } | { error: unknown };
}

/** The question, made of what hosts said before, under a deadline. */
export const prepareAsk = (slot: Slot, parts: ContextParts): PreparedAsk => {
  const context = askContext(slot, parts);
  const make = (): Ask => runOnBoard(placeOf(slot), () => slot.probe.ask(slot.host, context));
  try {
    return { context, question: { ask: looksAround(slot.probe.ask) ? runWithin(make) : make() } };
  } catch (error) {
    return { context, question: { error } };
  }
};

/** The questions of all that are asked now, under one deadline; where one of them does not end, each is made under its own. */
export const prepareAsks = (slots: readonly Slot[], parts: ContextParts): Map<Slot, PreparedAsk> => {
  const prepare = () => new Map(slots.map((slot) => [slot, prepareAsk(slot, parts)]));
  return slots.some(({ probe }) => looksAround(probe.ask)) ? runTogetherWithin(prepare, READ_MS) : prepare();
};
