import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** One record of the audit log, read past the program. */
const recordSchema = z.object({
  seq: z.number(),
  at: z.string(),
  prev: z.string(),
  kind: z.string(),
  run: z.string().exactOptional(),
  action: z.string().exactOptional(),
  target: z.string().exactOptional(),
  outcome: z.string().exactOptional(),
  detail: z.looseObject({
    text: z.string().exactOptional(),
    phase: z.string().exactOptional(),
    sent: z.string().exactOptional(),
    boundMs: z.number().exactOptional(),
    commands: z.array(z.object({ script: z.string() })).exactOptional(),
  }),
});

export type Entry = z.infer<typeof recordSchema>;

/** One run as the audit log tells it. */
export interface Told {
  run: string;
  action: string;
  target: string;
  intent: Entry;
  /** Of the result or of the last recovery. */
  outcome?: string;
  text: string;
  /** The log says what became of it only after another console or `act` looked again. */
  recovered: boolean;
}

const linesOf = (state: string): string[] => {
  const file = join(state, 'audit.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
};

/** Whole records; one that is being written just now is not there yet. */
export const entriesOf = (state: string): Entry[] =>
  linesOf(state).flatMap((line) => {
    try {
      return [recordSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });

/** What is wrong with the chain: each record names the SHA-256 of the line before it, the first 64 zeros. */
export const chainFault = (state: string): string | undefined => {
  let before = '0'.repeat(64);
  for (const [at, line] of linesOf(state).entries()) {
    const parsed = recordSchema.safeParse(JSON.parse(line));
    if (!parsed.success || parsed.data.seq !== at + 1) return `line ${at + 1} is no record ${at + 1}`;
    if (parsed.data.prev !== before) return `line ${at + 1} does not follow the line before it`;
    before = createHash('sha256').update(line).digest('hex');
  }
  return undefined;
};

/** Every intent with what came of it. */
export const toldRuns = (state: string): Told[] => {
  const runs = new Map<string, Told>();
  for (const entry of entriesOf(state)) {
    const { run, target = '', action = '' } = entry;
    if (run === undefined) continue;
    const key = `${run} ${target}`;
    const one = runs.get(key);
    if (entry.kind === 'intent')
      runs.set(key, { run, action, target, intent: entry, text: '', recovered: false });
    // A run that could not begin after its intent ends with a refusal.
    else if (one && ['result', 'recovered', 'refused'].includes(entry.kind) && entry.outcome !== undefined) {
      one.outcome = entry.outcome;
      one.text = entry.detail.text ?? '';
      one.recovered ||= entry.kind === 'recovered';
    }
  }
  return [...runs.values()];
};

/** Runs of which the log does not say what became of them. */
export const openRuns = (state: string): Told[] =>
  toldRuns(state).filter(({ outcome }) => outcome === undefined || outcome === 'unknown');
