import * as z from 'zod';
import type { Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import { decode } from '../text/bytes.ts';
import { quote } from '../text/shell.ts';
import type { Past } from './past-runs.ts';

/** A command on the shared folder waits this long, ms. */
export const DEADLINE_MS = 8_000;
/**
 * After a read that did not come back nobody's wish but an operator's asks again for so long, and twice as long after each further
 * one: each command on a hung mount leaves a process there that no signal ends.
 */
const HUNG_MS = 60_000;
const HUNG_MOST_MS = 32 * HUNG_MS;
/** More lines than a night has: what is older does not matter to a cool-down. */
const LINES = 2_000;

const line = z.object({
  run: z.string(),
  verb: z.string(),
  subject: z.string(),
  object: z.string().exactOptional(),
  at: z.number(),
  by: z.string(),
  /** It came to nothing: takes back the line that was written before it was begun. */
  none: z.literal(true).exactOptional(),
});

/** What all consoles of the site have done lately, as the shared folder tells. Never throws. */
export interface SharedPast {
  /** Undefined when the folder does not answer. */
  read(): Promise<readonly Past[] | undefined>;
  /** The same for what nobody waits for: undefined, without asking, while the folder is left alone because it hung. */
  poll(): Promise<readonly Past[] | undefined>;
}

/** Where consoles write what they do, one JSON line per action, on the shared host. */
export const actionsFile = (dir: string): string => `${dir}/actions.jsonl`;

export const createSharedPast = (
  shared: { host: string; dir: string },
  transports: Transports,
  clock: Pick<Clock, 'mono'>,
): SharedPast => {
  const file = quote(actionsFile(shared.dir));
  let hungMs = 0;
  let notBefore = -Infinity;
  const read: SharedPast['read'] = async () => {
    const script = `test -e ${file} && tail -n ${LINES} ${file}\ntrue`;
    const answer = await transports.to(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
    hungMs = answer.timedOut ? Math.min(Math.max(HUNG_MS, hungMs * 2), HUNG_MOST_MS) : 0;
    notBefore = clock.mono() + hungMs;
    return answer.exitCode === 0 ? pastIn(decode(answer.stdout)) : undefined;
  };
  return { read, poll: async () => (clock.mono() < notBefore ? undefined : read()) };
};

/** Lines that are not ours, or half written, are passed over. */
const pastIn = (text: string): readonly Past[] => {
  const found = new Map<string, Past>();
  for (const one of text.split('\n')) {
    const parsed = line.safeParse(jsonOf(one)).data;
    if (parsed === undefined) continue;
    const { none, ...past } = parsed;
    const key = `${past.run} ${past.subject}`;
    if (none) found.delete(key);
    else found.set(key, past);
  }
  return [...found.values()];
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
