import { askContext, type AskParts } from './ask.ts';
import type { Slot } from './slot.ts';

/** A read-only program never asks what touches anything. */
export const isBlocked = (slot: Slot, readOnly: boolean): boolean =>
  readOnly && slot.probe.touches !== 'nothing';

/** Whether the probe wants to be asked now. A `when` that throws is asked for all the same: the ask then shows what is wrong. */
export const isMeant = (slot: Slot, parts: Pick<AskParts, 'site' | 'store' | 'clock' | 'facts'>): boolean => {
  try {
    return slot.probe.when?.(slot.host, askContext(slot, parts)) ?? true;
  } catch {
    return true;
  }
};
