import type { LogEntry } from '../model/run.ts';
import type { Subject } from '../model/subject.ts';
import type { Block } from '../model/view.ts';
import type { MenuEntry, Requests } from '../model/wire.ts';
import type { Collector } from './collector.ts';
import { hostPage } from './host-page.ts';
import { menuBlock, notesBlock } from './detail-blocks.ts';
import { timeline, timelineBlocks } from './timeline.ts';
import { runWithin } from './within-time.ts';

/** Without a wish the timeline and what was done go back so far, ms. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What only the remedies know; a read-only program knows none of it. */
export interface Known {
  audit(since: number): Promise<readonly LogEntry[]>;
  menu(subjects: readonly Subject[], system?: string): Promise<readonly MenuEntry[]>;
}

/** What changed since then, over all systems and operators. */
export const readChanges = async (
  collector: Collector,
  { since = collector.clock.now() - HOUR }: Requests['changed']['in'],
  known: Known,
): Promise<readonly Block[]> => {
  const { clock, history, shared } = collector;
  const now = clock.now();
  const parts = { since, now, history, findings: collector.findings(), events: shared?.events() ?? [] };
  const read = await orNote(known.audit(since));
  return [...read.notes, ...timelineBlocks(timeline({ ...parts, entries: read.value ?? [] }), since, now)];
};

/** A host's page; with `kernel` what is asked on demand only, as its kernel, is asked first. */
export const readHostPage = async (
  collector: Collector,
  { host: name, kernel }: Requests['host']['in'],
  known: Known,
): Promise<readonly Block[]> => {
  const { site, clock } = collector;
  const found = site.host(name) ?? site.host(site.resolve('host', name)?.id ?? '');
  if (found && kernel === true) await collector.askOnDemand(found.name);
  const entries = found ? await orNote(known.audit(clock.now() - DAY)) : { notes: [] };
  const menu = found ? await orNote(known.menu([{ kind: 'node', id: found.name }])) : { notes: [] };
  return [
    ...hostPage(collector, name, entries.value ?? [], menu.value ?? []),
    ...entries.notes,
    ...menu.notes,
  ];
};

/** What a system knows of a subject, the notes on it and its group, and what can be done now. */
export const readDetail = async (
  collector: Collector,
  { system, subject, members = [subject] }: Requests['detail']['in'],
  known: Known,
): Promise<readonly Block[]> => {
  const found = collector.systems.find((one) => one.id === system);
  if (!found) throw new Error(`no system ${system}`);
  const menu = await orNote(known.menu(members, system));
  return [
    ...runWithin(() => found.detail(subject, collector.judgement())),
    ...notesBlock(collector, [subject]),
    ...menuBlock(menu.value ?? []),
    ...menu.notes,
  ];
};

/** A part that cannot be had is told on the page; the rest is still worth reading. */
const orNote = async <T>(asked: Promise<T>): Promise<{ value?: T; notes: readonly Block[] }> => {
  try {
    return { value: await asked, notes: [] };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { notes: [{ type: 'text', id: 'missing', lines: [{ text, sign: 'unknown' }] }] };
  }
};
