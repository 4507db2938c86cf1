import { CommandFailed } from '../../src/model/errors.ts';
import type { Answer } from '../../src/model/answer.ts';
import type { SiteView } from '../../src/model/site.ts';
import { z } from 'zod';
import { repairSchema, type JournalReading, type Repair } from './readings.ts';

/** One line of the journal that consoles on a site share. */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('repair'), ...repairSchema.shape }),
  z.object({ kind: z.literal('baseline'), at: z.number(), port: z.string(), by: z.string() }),
  z.object({ kind: z.enum(['shut', 'restored']), at: z.number(), port: z.string(), by: z.string() }),
]);
type JournalLine = z.infer<typeof lineSchema>;

/** The file in the shared folder: one JSON line per event, appended only. */
export const journalFile = (site: SiteView): { host: string; path: string } | undefined =>
  site.shared && { host: site.shared.host, path: `${site.shared.dir}/switch-journal.jsonl` };

/** The journal as read; no file yet is an empty one. Lines of other programs or torn ones are counted, not guessed at. */
export const readJournal = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: JournalReading; notUnderstood: number } => {
  if (exitCode !== 0 && !/no such file/i.test(stderr))
    throw new CommandFailed(
      'journal',
      `the switch journal can't be read: ${stderr.trim().split('\n')[0] ?? ''}`,
    );
  const repairs: Repair[] = [];
  const baselines: JournalReading['baselines'] = [];
  const shut = new Map<string, JournalReading['shut'][number]>();
  let odd = 0;
  for (const text of stdout.split('\n').filter((one) => one.trim() !== '')) {
    const line = parseLine(text);
    if (!line) odd += 1;
    else if (line.kind === 'repair') repairs.push(repairSchema.parse(line));
    else if (line.kind === 'baseline') baselines.push({ at: line.at, port: line.port, by: line.by });
    else if (line.kind === 'shut') shut.set(line.port, { at: line.at, port: line.port, by: line.by });
    else shut.delete(line.port);
  }
  return { value: { repairs, baselines, shut: [...shut.values()] }, notUnderstood: odd };
};

const parseLine = (text: string): JournalLine | undefined => {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
