import { z } from 'zod';
import type { Transports } from '../model/answer.ts';
import { decode } from '../text/bytes.ts';
import { visible } from '../text/safe.ts';
import { quote } from '../text/shell.ts';
import { asciiJson } from './audit-line.ts';
import type { Past } from './cool-down.ts';

const DEADLINE_MS = 8_000;
/** More lines than a night has: what is older does not matter to a cool-down. */
const LINES = 2_000;

const line = z.object({
  run: z.string(),
  verb: z.string(),
  subject: z.string(),
  at: z.number(),
  by: z.string(),
  /** It came to nothing: takes back the line that was written before it was begun. */
  none: z.literal(true).exactOptional(),
});

/** What all consoles of the site have done lately: one JSON line per action in the shared folder. Never throws. */
export interface SharedActions {
  /** Undefined when the folder does not answer. */
  read(): Promise<readonly Past[] | undefined>;
  /** Before it is begun; `none` afterwards, when nothing came of it. Gives the reason when it was not written. */
  tell(past: Past, none?: boolean): Promise<string | undefined>;
}

/** Lines in `DIR/actions.jsonl` on one host. `>>` appends whole short lines, and the group of the folder may write the file. */
export const createSharedActions = (
  shared: { host: string; dir: string },
  transports: Transports,
): SharedActions => {
  const file = quote(`${shared.dir}/actions.jsonl`);
  return {
    read: async () => {
      const script = `test -e ${file} && tail -n ${LINES} ${file}\ntrue`;
      const answer = await transports.to(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
      return answer.exitCode === 0 ? pastIn(decode(answer.stdout)) : undefined;
    },
    tell: async (past, none = false) => {
      const text = asciiJson({ ...past, ...(none && { none: true }) });
      const script = `umask 002\nmkdir -p -m 2775 ${quote(shared.dir)} && printf '%s\\n' ${quote(text)} >>${file}`;
      const answer = await transports.to(shared.host).run({ script, deadlineMs: DEADLINE_MS, fresh: true });
      if (answer.exitCode === 0) return undefined;
      const said = decode(answer.stderr).trim().split('\n').at(-1) ?? '';
      return visible(answer.notConnected?.message ?? `${shared.host}: ${said || 'no answer'}`, 300);
    },
  };
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
