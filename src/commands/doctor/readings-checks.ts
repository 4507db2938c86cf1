import { askOnce, readingOf, type AskParts } from '../../collect/ask.ts';
import { isWanted } from '../../collect/prepare-ask.ts';
import { doParseJob } from '../../collect/parse-job.ts';
import { createSlot } from '../../collect/slot.ts';
import { createStore } from '../../collect/store.ts';
import type { Transport } from '../../model/answer.ts';
import type { Clock } from '../../model/ports.ts';
import type { HostView, SiteView } from '../../model/site.ts';
import type { Probe } from '../../model/system.ts';
import { makeSafe, type SafeData } from '../../text/safe.ts';
import { count } from '../../text/units.ts';
import { quoteHost, type Check } from './report.ts';
import { sshLine } from './mend.ts';

/** All readings of one host, ms: a slow supervisor takes seconds for each. */
const ALL_MS = 60_000;

/**
 * Asks a host, one after the other and word for word, what its readings ask, and says which of it is refused, gives no answer or is not
 * understood. Changes nothing: what touches anything is not among them.
 */
export const readingsChecks = async (
  host: HostView,
  probes: readonly Probe[],
  transport: Transport,
  { site, clock }: { site: SiteView; clock: Clock },
): Promise<Check[]> => {
  if (probes.length === 0) return [];
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(ALL_MS, done.signal).then(() => late.abort());
  const store = createStore(clock, true);
  const parts: AskParts = {
    site,
    store,
    clock,
    transports: { transportTo: () => transport, connections: () => new Map(), close: async () => {} },
    trial: true,
    parseElsewhere: async (job) => doParseJob(job, probes, site),
  };
  const slots = probes.map((probe) => createSlot(probe, host, probe.everyMs));
  for (const slot of slots) store.add(slot);
  const checks: Check[] = [];
  const fine: string[] = [];
  for (const slot of slots) {
    if (!isWanted(slot, parts)) continue;
    const result = await askOnce(slot, parts, late.signal);
    const { interpreted, record } = result;
    if (interpreted.ok) store.noteGood(slot, readingOf(slot, result, interpreted));
    if (interpreted.ok) checks.push(...absentIn(slot.probe, interpreted.value));
    const command = record?.command ?? slot.probe.id;
    if (!interpreted.ok)
      checks.push(refusedCheck(slot.probe.id, interpreted.failure.message, command, host, site));
    else if (interpreted.notUnderstood > 0) checks.push(inPart(slot.probe.id, interpreted.notUnderstood));
    else fine.push(slot.probe.id);
  }
  done.abort();
  const text = `${count(fine.length, 'reading')} understood: ${fine.join(', ')}`;
  return [...(fine.length > 0 ? [{ name: 'readings' as const, state: 'ok' as const, text }] : []), ...checks];
};

const refusedCheck = (
  probe: string,
  said: string,
  command: string,
  host: HostView,
  site: SiteView,
): Check => {
  // What only heads the next answer is not what is refused.
  const [first = command, ...more] = command.split('\n').filter((one) => !one.startsWith('printf '));
  const lines = more.length > 0 ? `${first} (and ${count(more.length, 'line')} more)` : first;
  return {
    name: 'readings',
    state: 'fail',
    ...quoteHost(host.name, `${probe} is not read: ${said}`, 300),
    mend: [`${sshLine(site, host.name)}     type what is asked there: ${makeSafe(lines, 160)}`],
  };
};

/** Hosts of which the answer, which speaks of many, says nothing: the first few, and why. */
const absentIn = ({ id, gives }: Probe, value: SafeData): Check[] => {
  const absent = (gives?.(value) ?? []).flatMap((one) => ('why' in one ? [one] : []));
  const [first] = absent;
  if (!first) return [];
  const more = absent.length > 1 ? ` (and nothing of ${count(absent.length - 1, 'host')} more)` : '';
  const { what, next } = first.why;
  return [
    {
      name: 'readings',
      state: 'fail',
      text: `${id} brings nothing of ${first.host}: ${makeSafe(what, 200)}${more}`,
      ...(next !== undefined && { mend: [makeSafe(next, 200)] }),
    },
  ];
};

const inPart = (probe: string, lines: number): Check => ({
  name: 'readings',
  state: 'note',
  text: `${probe} is read in part: ${count(lines, 'line')} not understood`,
});
