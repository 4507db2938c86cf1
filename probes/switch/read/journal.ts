import { firstLine } from '../../../src/kit/answers.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { Answer } from '../../../src/model/answer.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Judgement } from '../../../src/model/system.ts';
import * as z from 'zod';
import {
  notRestoredSchema,
  repairSchema,
  type JournalReading,
  type NotRestored,
  type Repair,
} from '../readings.ts';

/** One line of the journal that consoles on a site share. */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('repair'), ...repairSchema.shape }),
  z.object({ kind: z.literal('baseline'), at: z.number(), port: z.string(), by: z.string() }),
  z.object({
    kind: z.literal('shut'),
    at: z.number(),
    port: z.string(),
    by: z.string(),
    /** The other end of its link: LLDP tells nobody of a port that is down. */
    text: z.string().optional(),
  }),
  z.object({ kind: z.literal('restored'), at: z.number(), port: z.string(), by: z.string() }),
  z.object({ kind: z.literal('notRestored'), ...notRestoredSchema.shape }),
]);
type JournalLine = z.infer<typeof lineSchema>;

/** The file in the shared folder: one JSON line per event, appended only. */
export const journalFile = (site: SiteView): { host: string; path: string } | undefined =>
  site.shared && { host: site.shared.host, path: `${site.shared.dir}/switch-journal.jsonl` };

/** What reads the journal again: nothing where its host does not have the role that is asked for it. */
export const journalReads = (site: SiteView): { probe: string; host: string }[] => {
  const host = journalFile(site)?.host;
  return host !== undefined && site.host(host)?.roles.includes('switch-helper')
    ? [{ probe: 'switch.journal', host }]
    : [];
};

/** The journal as read; no file yet is an empty one. Lines of other programs or torn ones are counted, not guessed at. */
export const readJournal = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: JournalReading; notUnderstood: number } => {
  if (exitCode !== 0 && !/no such file/i.test(stderr))
    throw new CommandFailed('journal', `the switch journal can't be read: ${firstLine(stderr)}`);
  const repairs: Repair[] = [];
  const baselines: JournalReading['baselines'] = [];
  const shut = new Map<string, JournalReading['shut'][number]>();
  const notRestored = new Map<string, NotRestored>();
  const moved: JournalReading['moved'] = [];
  let odd = 0;
  for (const text of stdout.split('\n').filter((one) => one.trim() !== '')) {
    const line = parseLine(text);
    if (!line) odd += 1;
    else if (line.kind === 'repair') repairs.push(repairSchema.parse(line));
    else if (line.kind === 'baseline') baselines.push({ at: line.at, port: line.port, by: line.by });
    else if (line.kind === 'notRestored') notRestored.set(line.port, notRestoredSchema.parse(line));
    else if (line.kind === 'shut') {
      notRestored.delete(line.port);
      const { at, port, by, text: far = '' } = line;
      shut.set(port, { at, port, by, ...(far !== '' && { far }) });
      moved.push({ at, port });
    } else {
      shut.delete(line.port);
      notRestored.delete(line.port);
      moved.push({ at: line.at, port: line.port });
    }
  }
  const value = {
    repairs,
    baselines,
    shut: [...shut.values()],
    moved,
    notRestored: [...notRestored.values()],
  };
  return { value, notUnderstood: odd };
};

/** What consoles wrote to the site's switch journal; undefined: not read, or there is none. */
export const journal = ({ readings }: Judgement): JournalReading | undefined =>
  readings.sources<JournalReading>('switch.journal').find((one) => one.good)?.good?.value;

/** A line of the journal, or of an undo's own file; undefined: of another program, or torn. */
export const parseLine = (text: string): JournalLine | undefined => {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
